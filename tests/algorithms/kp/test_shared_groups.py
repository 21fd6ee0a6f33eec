"""Swaps keep every size and lower both losses; 'shared' groups for k and splits for P."""

from itertools import combinations

import numpy as np
import pytest
from algorithms.kp.test_release import check, losses, release_of

from oracles.best_groups import (
    lowest_pattern_loss,
    lowest_value_loss,
    nearest_bound,
    nearest_shapes_bound,
)
from oracles.example_tables import random_series, unit_walk
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp import annealing
from tanon_duck.algorithms.kp.annealing import PATTERN_WEIGHT, anneal
from tanon_duck.algorithms.kp.arrangement import Arrangement, gains_of_rows, value_gains
from tanon_duck.algorithms.kp.near_pairs import NearPairs
from tanon_duck.algorithms.kp.pair_swaps import swap_in_pairs
from tanon_duck.algorithms.kp.slots import slots_of


def both_losses(series, shapes, subgroup, k_group):
    """Value loss of k-groups, and what mean shapes of subgroups lose, by definition."""
    value = pattern = 0.0
    for each in np.unique(k_group):
        rows = series[k_group == each]
        value += len(rows) * np.sqrt(np.square(rows.max(axis=0) - rows.min(axis=0)).mean())
    for each in np.unique(subgroup):
        rows = shapes[subgroup == each]
        mean = rows.mean(axis=0)
        pattern += sum(np.linalg.norm(row) for row in rows) - len(rows) * np.linalg.norm(mean)
    return value, pattern


def weighed(losses, units, weight):
    """Both losses as one, in units of others."""
    return losses[0] / units[0] + weight * losses[1] / units[1]


def cut(rows, k, p, seed):
    """Groups of k rows or a few more, each cut into subgroups of P rows or a few more."""
    chosen = np.random.default_rng(seed).permutation(rows)
    k_group, subgroup = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    for number, group in enumerate(np.array_split(chosen, rows // k)):
        k_group[group] = number
        for part, members in enumerate(np.array_split(group, len(group) // p)):
            subgroup[members] = number * rows + part
    return subgroup, k_group


SEARCHES = pytest.mark.parametrize(
    ("search", "weight"), [(anneal, PATTERN_WEIGHT), (swap_in_pairs, 1.0)]
)


@SEARCHES
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("k", "p"), [(10, 5), (10, 4), (11, 2), (7, 7), (3, 2), (40, 9)])
def test_swaps_lower_both_losses_together_and_keep_all_sizes(search, weight, k, p, seed):
    series = random_series("walk", 323, 5, seed)
    series[:7] = 4.0
    normalized = sax.z_normalize(series)
    shapes = normalized / 2.0
    subgroup, k_group = cut(323, k, p, seed)
    new_subgroup, new_group = search(series, normalized, subgroup, k_group)
    assert (np.bincount(new_subgroup) == np.bincount(subgroup)).all()
    assert (np.bincount(new_group) == np.bincount(k_group)).all()
    pairs = set(zip(new_subgroup.tolist(), new_group.tolist(), strict=True))
    assert len(pairs) == np.unique(subgroup).size
    before = both_losses(series, shapes, subgroup, k_group)
    after = both_losses(series, shapes, new_subgroup, new_group)
    assert weighed(after, before, weight) < 1.0 + weight
    # Groups at random leave much to mend.
    assert after[0] < 0.8 * before[0] and after[1] < before[1]


def best_swap(series, shapes, subgroup, k_group, weight):
    """Try every swap of two rows, and return the lowest weighed loss in first units."""
    first = both_losses(series, shapes, subgroup, k_group)
    found = [1.0 + weight]
    for a, b in combinations(range(len(series)), 2):
        swapped = np.arange(len(series))
        swapped[[a, b]] = b, a
        found.append(
            weighed(both_losses(series, shapes, subgroup[swapped], k_group[swapped]), first, weight)
        )
    return min(found)


@SEARCHES
@pytest.mark.parametrize("seed", range(6))
def test_no_swap_of_two_rows_is_left_that_helps(search, weight, seed):
    """Two groups are looked at until nothing changes; all swaps tried one by one agree."""
    series = random_series("walk", 12, 5, seed)
    normalized = sax.z_normalize(series)
    subgroup, k_group = cut(12, 6, 3, seed)
    for _ in range(4):
        subgroup, k_group = search(series, normalized, subgroup, k_group)
    left = best_swap(series, normalized / 2.0, subgroup, k_group, weight)
    assert left > 1.0 + weight - 2e-3


@pytest.mark.parametrize("search", [anneal, swap_in_pairs])
def test_the_obvious_swap_is_found(search):
    series = np.array([[0.0, 1], [1, 2], [50, 51], [51, 52], [2, 3], [52, 53]])
    halves = np.array([0, 0, 0, 1, 1, 1])
    _, found = search(series, np.zeros((6, 2)), halves, halves)
    assert (found == found[0]).tolist() == [True, True, False, False, True, False]


@pytest.mark.parametrize("search", [anneal, swap_in_pairs])
def test_a_group_without_another_stays_as_it_is(search):
    series = random_series("walk", 8, 4, 1)
    subgroup, k_group = np.array([0, 0, 1, 1, 2, 2, 2, 2]), np.zeros(8, dtype=np.int64)
    found = search(series, sax.z_normalize(series), subgroup, k_group)
    assert (found[0] == subgroup).all() and (found[1] == k_group).all()


@pytest.mark.parametrize("search", [anneal, swap_in_pairs])
def test_rows_of_one_group_change_subgroups_by_shape(search):
    series = np.array([[0.0, 1, 2], [2, 1, 0], [0, 1, 2.5], [2.5, 1, 0]] * 2)
    subgroup, k_group = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([0] * 4 + [1] * 4)
    found, _ = search(series, sax.z_normalize(series), subgroup, k_group)
    rising = series[:, 0] < series[:, 2]
    assert not set(found[rising]) & set(found[~rising])


def test_pairs_share_no_group_and_are_seen_once_until_one_changes():
    centres = np.random.default_rng(3).normal(size=(150, 4))
    pairs = NearPairs(150)
    pairs.renew(centres, np.zeros(150), 0)
    seen = set()
    for _ in range(12):
        one, other = pairs.draw()
        groups = np.concatenate((one, other))
        assert np.unique(groups).size == groups.size
        drawn = set(zip(one.tolist(), other.tolist(), strict=True))
        assert not drawn & seen
        seen |= drawn
    pairs.renew(centres, np.zeros(150), 0)
    assert not set(zip(*(each.tolist() for each in pairs.draw()), strict=True)) & seen
    pairs.note(np.array([7]))
    again = [set(zip(*(each.tolist() for each in pairs.draw()), strict=True)) for _ in range(9)]
    assert all(7 in pair for pair in set.union(*again) & seen) and set.union(*again) & seen


def arranged(rows, k, p, seed):
    """Rows of any values in groups of uneven sizes, as singles, with what tells them apart."""
    series = np.random.default_rng(seed).normal(size=(rows, 6)).cumsum(axis=1)
    shapes = sax.z_normalize(series) / np.sqrt(5.0)
    subgroup, k_group = cut(rows, k, p, seed)
    singles = series.astype(np.float32), shapes.astype(np.float32)
    return series, shapes, subgroup, k_group, Arrangement(*singles, slots_of(subgroup, k_group))


def sum_of(losses, series):
    """Both losses in the unit of an arrangement: the root of summed squares for values."""
    return losses[0] * np.sqrt(series.shape[1]) + losses[1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("k", "p"), [(6, 3), (7, 2), (5, 5), (4, 1)])
def test_gains_are_what_both_losses_grow_by(k, p, seed):
    series, shapes, subgroup, k_group, arrangement = arranged(4 * k + 1, k, p, seed)
    placed = np.flatnonzero(arrangement.slot[:-1] >= 0)
    pairs = [(a, b) for a, b in combinations(placed, 2) if subgroup[a] != subgroup[b]]
    one, other = np.array(pairs).T
    found = gains_of_rows(arrangement.planes(one), arrangement.planes(other))
    before = sum_of(both_losses(series, shapes, subgroup, k_group), series)
    for (a, b), gain in zip(pairs, found, strict=True):
        swapped = np.arange(len(series))
        swapped[[a, b]] = b, a
        after = both_losses(series, shapes, subgroup[swapped], k_group[swapped])
        assert gain == pytest.approx(sum_of(after, series) - before, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("k", "p"), [(6, 3), (7, 2), (6, 1)])
def test_gains_of_subgroups_are_what_value_loss_grows_by(k, p, seed):
    series, shapes, subgroup, k_group, arrangement = arranged(4 * k + 1, k, p, seed)
    numbers = np.flatnonzero(arrangement.held)
    before = both_losses(series, shapes, subgroup, k_group)[0]
    for a, b in combinations(numbers, 2):
        planes = [arrangement.planes_of_subgroups(np.array([each])) for each in (a, b)]
        if planes[0].group == planes[1].group or arrangement.held[a] != arrangement.held[b]:
            continue
        swapped = k_group.copy()
        for mine, its in ((a, b), (b, a)):
            rows = arrangement.rows.reshape(-1, arrangement.length)[mine, : arrangement.held[mine]]
            others = arrangement.rows.reshape(-1, arrangement.length)[its, 0]
            swapped[rows] = k_group[others]
        after = both_losses(series, shapes, subgroup, swapped)[0]
        grown = (after - before) * np.sqrt(series.shape[1])
        assert value_gains(*planes)[0] == pytest.approx(grown, abs=2e-3)


@pytest.mark.parametrize("whole", [False, True])
def test_an_arrangement_after_swaps_is_as_one_made_anew(whole):
    series, shapes, _, _, arrangement = arranged(49, 7, 3, 5)
    if whole:
        even = np.flatnonzero(arrangement.held == 3)
        group = even * arrangement.length // arrangement.rows.shape[1]
        chosen = even[np.unique(group, return_index=True)[1]]
        arrangement.swap_subgroups(chosen[:2], chosen[2:4])
    else:
        arrangement.swap(arrangement.rows[:3, 0].copy(), arrangement.rows[3:6, 4].copy())
    place = arrangement.slot[:-1]
    anew = Arrangement(
        series.astype(np.float32),
        shapes.astype(np.float32),
        slots_of(place // arrangement.length, place // arrangement.rows.shape[1]),
    )
    rows, its = np.arange(49), arrangement.planes(np.arange(49))
    for mine, other in zip(
        (its.rest_box, its.loss, its.size, its.rest_shape),
        (lambda p: (p.rest_box, p.loss, p.size, p.rest_shape))(anew.planes(rows)),
        strict=True,
    ):
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-5)
    assert anew.total_loss() == pytest.approx(arrangement.total_loss(), rel=1e-5)


def test_a_search_that_loses_more_is_not_taken(monkeypatch):
    """Four groups where nothing is to be won; every swap is taken and none may be taken back."""
    monkeypatch.setattr(annealing, "WARM", 1e6)
    monkeypatch.setattr(annealing, "COOL", 1e6)
    monkeypatch.setattr(annealing, "FINISHING", 0)
    series = np.repeat(np.arange(4.0) * 100.0, 6)[:, None] + np.arange(5.0)
    groups = np.repeat(np.arange(4), 6)
    found = anneal(series, sax.z_normalize(series), groups, groups)
    assert (found[0] == groups).all() and (found[1] == groups).all()


@pytest.mark.parametrize(("k", "p"), [(10, 4), (10, 3), (7, 5), (8, 3), (9, 2)])
def test_groups_are_as_large_as_k_asks_where_p_does_not_divide_it(k, p):
    """Whole subgroups of P made groups of ceil(k / P) P rows; on uniform data that was too wide."""
    series = np.random.default_rng(7).random((k * 60, 8))
    release = release_of(series, k, p, "shared")
    check(series, release, k, p)
    assert np.bincount(release.k_group).tolist() == [k] * 60
    refined = release_of(series, k, p, "kapra_refined")
    assert losses(series, release)[0] <= losses(series, refined)[0]


def test_losses_of_ten_thousand_walks():
    series = unit_walk(10_000)[:, :10]
    for p, value_limit, pattern_limit in ((5, 0.057, 0.07), (2, 0.055, 0.025)):
        value, pattern = losses(series, release_of(series, 10, p, "shared"))
        assert value <= value_limit
        assert pattern <= pattern_limit
        assert value > nearest_bound(series, 10)
        assert pattern > nearest_shapes_bound(series, p)


@pytest.mark.parametrize("p", [2, 3, 4, 5])
def test_uniform_series_are_no_wider_than_refined(p):
    series = np.random.default_rng(7).random((5_000, 10))
    value, pattern = losses(series, release_of(series, 10, p, "shared"))
    refined = losses(series, release_of(series, 10, p, "kapra_refined"))
    assert value <= refined[0] and pattern <= 0.6 * refined[1]


@pytest.mark.parametrize("seed", range(12))
def test_losses_lie_near_the_best_there_is_for_each_alone(seed):
    series = random_series("walk", 8, 4, seed)
    best, best_pattern = lowest_value_loss(series, 3), lowest_pattern_loss(series, 2)
    value, pattern = losses(series, release_of(series, 3, 2, "shared"))
    assert nearest_bound(series, 3) <= best <= value + 1e-12
    assert nearest_shapes_bound(series, 2) <= best_pattern <= pattern + 1e-12
    assert value <= 2.0 * best
