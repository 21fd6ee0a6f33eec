"""Group formation, sequential splits, exchanges and nearest neighbours against plain answers."""

import numpy as np
import pytest

from oracles import kp_anonymity as slow
from oracles.example_tables import normal_walk, random_series
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp import nearest_split
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import (
    envelopes,
    number_by_first_row,
    number_words,
    stable_order,
)
from tanon_duck.algorithms.kp.create_tree import create_tree
from tanon_duck.algorithms.kp.exchange import Effort, exchange, exchange_rows
from tanon_duck.algorithms.kp.near_groups import form_groups
from tanon_duck.algorithms.kp.sequential_split import sequential_split
from tanon_duck.algorithms.kp.shared import shared_words


def total_loss(series, group):
    low, high = envelopes(series, group, int(group.max()) + 1)
    return sax.value_loss(low, high)[group].sum()


@pytest.mark.parametrize("kind", ["walk", "integer", "constant"])
@pytest.mark.parametrize(("n", "k"), [(150, 6), (260, 12)])
def test_group_formation_finds_the_cheapest_of_many_boxes(kind, n, k):
    series = np.round(random_series(kind, n, 4, seed=n) * 8) / 8
    labels = number_by_first_row(balanced_split(series, 2, np.zeros(n, dtype=np.int64)))
    size = np.bincount(labels)
    low, high = envelopes(series, labels, size.size)
    subgroups = [np.flatnonzero(labels == label).tolist() for label in range(size.size)]
    expected = slow.form_groups(series.tolist(), subgroups, k)
    found = form_groups(low, high, size, k)
    groups = [
        sorted(subgroups[s] for s in np.flatnonzero(found == g)) for g in range(len(expected))
    ]
    assert groups == [sorted(group) for group in expected]


@pytest.mark.parametrize("seed", range(4))
def test_groups_of_values_that_no_single_precision_tells_apart(seed):
    rng = np.random.default_rng(seed)
    # Neighbours differ by 1/64 where single precision knows no step below 1/2.
    low = 2.0**22 + rng.integers(0, 64, size=(120, 2)) / 64
    high = low + rng.integers(0, 8, size=(120, 2)) / 64
    series = np.stack((low, high), axis=1).reshape(240, 2)
    subgroups = [[2 * i, 2 * i + 1] for i in range(120)]
    found = form_groups(low, high, np.full(120, 2), 8)
    expected = slow.form_groups(series.tolist(), subgroups, 8)
    groups = sorted(np.flatnonzero(found == g).tolist() for g in np.unique(found))
    assert groups == sorted(sorted(rows[0] // 2 for rows in group) for group in expected)


@pytest.mark.parametrize("kind", ["walk", "integer", "geometric"])
def test_nodes_advance_as_plain_loops_do(kind):
    series = np.round(random_series(kind, 90, 4, seed=2) * 8) / 8
    labels = sequential_split(series, 4, np.zeros(90, dtype=np.int64))
    found = sorted(np.flatnonzero(labels == label).tolist() for label in np.unique(labels))
    expected = slow.sequential_halves(series.tolist(), list(range(90)), 4)
    assert found == sorted(sorted(group) for group in expected)


def test_exchanges_only_ever_lower_the_loss_and_keep_k():
    series = random_series("walk", 594, 5, seed=6)
    units = balanced_split(series, 3, np.zeros(594, dtype=np.int64))
    size = np.bincount(units)
    low, high = envelopes(series, units, size.size)
    group = np.arange(size.size) % (size.size // 3)
    losses = [total_loss(series, group[units])]
    for rounds in (1, 2, 4, 8):
        better = exchange(low, high, size, group, 9, Effort(rounds, 2))
        losses.append(total_loss(series, better[units]))
        assert np.bincount(better, weights=size).min() >= 9
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.6 * losses[0]


def test_rows_of_one_word_change_places_and_nothing_else_changes():
    series = random_series("walk", 300, 4, seed=7)
    rng = np.random.default_rng(1)
    group, kind = rng.integers(0, 20, 300), rng.integers(0, 3, 300)
    better = exchange_rows(series, kind, group, Effort(8, 2))
    assert total_loss(series, better) < 0.9 * total_loss(series, group)
    before = sorted(zip(group.tolist(), kind.tolist(), strict=True))
    assert sorted(zip(better.tolist(), kind.tolist(), strict=True)) == before


def test_exchange_finds_the_obvious_swap():
    points = np.array([[0.0], [1], [2], [100], [101], [102], [3], [103]])
    mixed = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    found = exchange(points, points, np.ones(8, dtype=np.int64), mixed, 4, Effort(8, 1))
    assert (found == found[0]).tolist() == [True, True, True, False, False, False, True, False]


@pytest.mark.parametrize("smallest", [2, 3, 5, 60])
def test_nearest_groups_have_the_right_sizes_within_their_roots(smallest):
    series = normal_walk(700)[:, :4]
    roots = np.arange(700) % 3
    groups = nearest_split.nearest_split(series, smallest, roots)
    sizes = np.bincount(groups)
    assert smallest <= sizes.min() <= sizes.max() < 2 * smallest
    assert all(len(set(roots[groups == g].tolist())) == 1 for g in range(sizes.size))


def test_nearest_pairs_are_the_obvious_ones():
    near = np.array([[0.0, 0], [50, 50], [0, 1], [51, 50], [9, 9], [9, 8]])
    groups = nearest_split.nearest_split(near, 2, np.zeros(6, dtype=np.int64))
    assert groups[0] == groups[2] != groups[1] == groups[3] != groups[4] == groups[5]


def test_shared_words_are_those_that_lose_least():
    series = random_series("walk", 90, 6, seed=1)
    series[:6] = 3.0
    subgroup = np.arange(90) // 3
    normalized = sax.z_normalize(series)
    found = shared_words(normalized, subgroup, 30, 8)
    for group in range(30):
        rows = np.flatnonzero(subgroup == group)
        total = normalized[rows].sum(axis=0, keepdims=True)
        by_level = []
        for level in range(1, 9):
            for height in (1.0, 0.85, 0.7) if level > 3 else (1.0,):
                drawn = height * sax.z_normalize(total)
                letters = (drawn[:, :, None] >= sax.break_points(level) - 1e-12).sum(axis=2)
                repeated = np.repeat(letters, rows.size, axis=0)
                by_level.append(sax.pattern_loss(series[rows], repeated, level).sum())
        own = sax.pattern_loss(series[rows], found.letters[rows], found.level[rows]).sum()
        assert own == pytest.approx(min(by_level), abs=1e-6)
    assert found.level[:6].tolist() == [1] * 6


def test_long_words_do_not_overflow_their_key():
    letters = np.zeros((4, 64), dtype=np.uint8)
    letters[1, 0] = letters[2, 63] = 25
    found, count = number_words(np.zeros(4, dtype=np.int64), letters, 26)
    assert count == 3
    assert found[0] == found[3] != found[1] != found[2] != found[0]


def test_a_node_whose_rows_all_agree_rises_until_they_differ():
    rising = np.arange(6.0)[None, :] * np.arange(1, 5)[:, None]
    leaves = create_tree(sax.z_normalize(rising), 2, 7, np.zeros(4, dtype=np.int64))
    assert leaves.level[leaves.leaf].tolist() == [7] * 4


def test_every_root_has_a_tree_of_its_own():
    series = random_series("walk", 60, 4, seed=5)
    roots = np.arange(60) % 4
    together = create_tree(sax.z_normalize(series), 3, 6, roots)
    for root in range(4):
        rows = np.flatnonzero(roots == root)
        alone = create_tree(sax.z_normalize(series[rows]), 3, 6, np.zeros(15, dtype=np.int64))
        assert (together.level[together.leaf[rows]] == alone.level[alone.leaf]).all()
        assert (together.good[together.leaf[rows]] == alone.good[alone.leaf]).all()


@pytest.mark.parametrize("spread", [1, 7, 1 << 40, 1 << 58])
@pytest.mark.parametrize("size", [0, 1, 2, 1000])
def test_equal_keys_keep_the_order_of_their_places(spread, size):
    keys = np.random.default_rng(size).integers(-3, 4, size) * spread
    given = keys.copy()
    assert (stable_order(keys) == np.argsort(keys, kind="stable")).all()
    assert (keys == given).all()
