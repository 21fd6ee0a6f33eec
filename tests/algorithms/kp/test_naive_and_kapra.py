"""Naive and KAPRA against plain loops on many small tables full of ties."""

import numpy as np
import pytest

from oracles import kp_anonymity as slow
from oracles.example_tables import INCOMES, SERIES_KINDS, normal_walk, random_series
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.kapra import kapra
from tanon_duck.algorithms.kp.naive import naive_patterns
from tanon_duck.algorithms.kp.near_groups import form_groups
from tanon_duck.algorithms.kp.sequential_split import sequential_split
from tanon_duck.algorithms.kp.untorn_split import untorn_split

YEARS = INCOMES[:, :6]
SPLITS = {
    "balanced": (balanced_split, slow.halves),
    "untorn": (untorn_split, slow.untorn_halves),
    "sequential": (sequential_split, slow.sequential_halves),
}


def tables():
    for kind in SERIES_KINDS:
        for seed, (n, m, k, p) in enumerate(
            [(1, 4, 1, 2), (7, 3, 4, 2), (23, 4, 6, 3), (40, 5, 7, 2), (60, 3, 10, 4)]
        ):
            yield kind, n, m, k, p, seed


def series_of(kind, n, m, seed):
    # Eighths keep sums of squares exact, so that a tie is a tie in any order of adding.
    return np.round(random_series(kind, n, m, seed) * 8) / 8


def partition(labels):
    return sorted(np.flatnonzero(labels == label).tolist() for label in np.unique(labels))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", SERIES_KINDS)
def test_splits_equal_plain_loops(kind, split):
    fast, plain = SPLITS[split]
    for seed, (n, m, smallest) in enumerate([(1, 3, 2), (9, 4, 2), (37, 5, 3), (64, 3, 10)] * 4):
        series = series_of(kind, n, m, 100 + seed)
        labels = fast(series, smallest, np.zeros(n, dtype=np.int64))
        expected = sorted(sorted(g) for g in plain(series.tolist(), list(range(n)), smallest))
        assert partition(labels) == expected


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(("kind", "n", "m", "k", "p", "seed"), list(tables()))
def test_kapra_equals_plain_loops(kind, n, m, k, p, seed, split):
    fast, plain = SPLITS[split]
    for repeat in range(4):
        series = series_of(kind, n, m, 10 * seed + repeat)
        groups, level, suppressed = slow.kapra(series.tolist(), k, p, 6, plain)
        found = kapra(series, sax.z_normalize(series), k, p, 6, fast, form_groups)
        assert np.flatnonzero(found.subgroup < 0).tolist() == suppressed
        assert {row: found.level[row] for row in level} == level
        rows = np.flatnonzero(found.subgroup >= 0)
        assert found.has_k_groups == bool(groups)
        if groups:
            k_groups = found.k_group[found.subgroup[rows]]
            expected = sorted(sorted(row for sub in group for row in sub) for group in groups)
            assert [[rows[i] for i in g] for g in partition(k_groups)] == expected
            subgroups = sorted(sub for group in groups for sub in group)
            assert [[rows[i] for i in g] for g in partition(found.subgroup[rows])] == subgroups


@pytest.mark.parametrize("lowering", [True, False])
@pytest.mark.parametrize(("kind", "n", "m", "k", "p", "seed"), list(tables()))
def test_naive_equals_plain_loops(kind, n, m, k, p, seed, lowering):
    plain = slow.naive_lowered if lowering else slow.naive_literal
    for repeat in range(4):
        series = series_of(kind, max(n, p), m, 10 * seed + repeat)
        groups = balanced_split(series, max(k, p), np.zeros(len(series), dtype=np.int64))
        expected = plain(series.tolist(), partition(groups), p, 6)
        found = naive_patterns(sax.z_normalize(series), groups, p, 6, lowering)
        words = sax.words(found.letters)
        for leaves in expected:
            for rows, level, word in leaves:
                assert np.flatnonzero(found.subgroup == found.subgroup[rows[0]]).tolist() == rows
                assert set(found.level[rows].tolist()) == {level}
                assert {words[row] for row in rows} == {word}


def test_the_second_guest_of_a_leaf_must_agree_with_the_first():
    """The first agrees with the hosts at 3 and 5 but not at 2, the second at 2 alone."""
    hosts, first, second = [10, 7, 6, 3], [10, 8, 8, 4], [8, 6, 3, 3]
    series = np.array([hosts] * 5 + [first, second], dtype=float)
    one_group = np.zeros(7, dtype=np.int64)
    alone = naive_patterns(sax.z_normalize(series[:6]), one_group[:6], 3, 8)
    assert alone.level.tolist() == [5] * 6
    found = naive_patterns(sax.z_normalize(series), one_group, 3, 8)
    assert found.level.tolist() == [1] * 7
    assert slow.naive_lowered(series.tolist(), [list(range(7))], 3, 8) == [
        [(list(range(7)), 1, "aaaa")]
    ]


def test_incomes_under_kapra():
    found = kapra(YEARS, sax.z_normalize(YEARS), 4, 2, 10)
    assert partition(found.subgroup) == [[0, 1, 3], [2, 4, 6], [5, 7]]
    assert found.level.tolist() == [3, 3, 4, 3, 4, 1, 4, 1]
    assert set(found.k_group.tolist()) == {0}
    capped = kapra(YEARS, sax.z_normalize(YEARS), 4, 2, 2)
    assert capped.subgroup.tolist() == [0, 0, 1, 0, 1, -1, 2, 2]
    assert capped.level.tolist() == [2, 2, 2, 2, 2, 0, 2, 2]


def test_incomes_under_naive():
    groups = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    found = naive_patterns(sax.z_normalize(YEARS), groups, 2, 10, lowering=False)
    assert sax.words(found.letters) == ["aabbcc"] * 4 + ["bbbaaa"] * 4
    assert found.level.tolist() == [3] * 4 + [2] * 4
    loss = sax.pattern_loss(YEARS, found.letters, found.level)
    assert loss.sum() == pytest.approx(4.3556, abs=1e-4)


def test_published_subgroups_of_the_paper_join_in_the_known_order():
    pairs = [[0, 1], [2, 4], [3, 5], [6, 7]]
    low = np.array([YEARS[rows].min(axis=0) for rows in pairs])
    high = np.array([YEARS[rows].max(axis=0) for rows in pairs])
    assert sax.value_loss(low, high) == pytest.approx(
        [20.7525, 64.2508, 63.1374, 17.5547], abs=1e-4
    )
    groups = form_groups(low, high, np.full(4, 2), 4)
    assert groups.tolist() == [1, 1, 0, 0]


def test_pattern_loss_of_kapra_does_not_depend_on_order_k_or_split():
    series = normal_walk(500)[:, :10]
    losses = set()
    for k, split, seed in [(5, "balanced", 0), (10, "balanced", 1), (20, "sequential", 2)]:
        shuffled = series[np.random.default_rng(seed).permutation(500)]
        normalized = sax.z_normalize(shuffled)
        found = kapra(shuffled, normalized, k, 5, 10, SPLITS[split][0])
        assert (found.subgroup >= 0).all()
        letters = sax.letters(shuffled, 2)
        for level in range(1, 11):
            rows = found.level == level
            letters[rows] = sax.letters(shuffled[rows], level)
        losses.add(round(float(sax.pattern_loss(shuffled, letters, found.level).mean()), 4))
    assert losses == {0.6359}
