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
from tanon_duck.algorithms.kp.near_pairs import NearPairs
from tanon_duck.algorithms.kp.pair_swaps import swap_in_pairs


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


def cut(rows, k, p, seed):
    """Groups of k rows or a few more, each cut into subgroups of P rows or a few more."""
    chosen = np.random.default_rng(seed).permutation(rows)
    k_group, subgroup = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    for number, group in enumerate(np.array_split(chosen, rows // k)):
        k_group[group] = number
        for part, members in enumerate(np.array_split(group, len(group) // p)):
            subgroup[members] = number * rows + part
    return subgroup, k_group


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("k", "p"), [(10, 5), (10, 4), (11, 2), (7, 7), (3, 2), (40, 9)])
def test_swaps_lower_both_losses_together_and_keep_all_sizes(k, p, seed):
    series = random_series("walk", 323, 5, seed)
    series[:7] = 4.0
    normalized = sax.z_normalize(series)
    shapes = normalized / 2.0
    subgroup, k_group = cut(323, k, p, seed)
    new_subgroup, new_group = swap_in_pairs(series, normalized, subgroup, k_group)
    assert (np.bincount(new_subgroup) == np.bincount(subgroup)).all()
    assert (np.bincount(new_group) == np.bincount(k_group)).all()
    pairs = set(zip(new_subgroup.tolist(), new_group.tolist(), strict=True))
    assert len(pairs) == np.unique(subgroup).size
    before = both_losses(series, shapes, subgroup, k_group)
    after = both_losses(series, shapes, new_subgroup, new_group)
    assert after[0] / before[0] + after[1] / before[1] < 2.0
    # Groups at random leave much to mend.
    assert after[0] < 0.8 * before[0] and after[1] < before[1]


def best_swap(series, shapes, subgroup, k_group):
    """Try every swap of two rows, and return the lowest sum of both losses in first units."""
    first = both_losses(series, shapes, subgroup, k_group)
    found = [2.0]
    for a, b in combinations(range(len(series)), 2):
        swapped = np.arange(len(series))
        swapped[[a, b]] = b, a
        value, pattern = both_losses(series, shapes, subgroup[swapped], k_group[swapped])
        found.append(value / first[0] + pattern / first[1])
    return min(found)


@pytest.mark.parametrize("seed", range(6))
def test_no_swap_of_two_rows_is_left_that_helps(seed):
    """Two groups are looked at until nothing changes; all swaps tried one by one agree."""
    series = random_series("walk", 12, 5, seed)
    normalized = sax.z_normalize(series)
    subgroup, k_group = cut(12, 6, 3, seed)
    for _ in range(4):
        subgroup, k_group = swap_in_pairs(series, normalized, subgroup, k_group)
    assert best_swap(series, normalized / 2.0, subgroup, k_group) > 2.0 - 2e-3


def test_the_obvious_swap_is_found():
    series = np.array([[0.0, 1], [1, 2], [50, 51], [51, 52], [2, 3], [52, 53]])
    halves = np.array([0, 0, 0, 1, 1, 1])
    _, found = swap_in_pairs(series, np.zeros((6, 2)), halves, halves)
    assert (found == found[0]).tolist() == [True, True, False, False, True, False]


def test_a_group_without_another_stays_as_it_is():
    series = random_series("walk", 8, 4, 1)
    subgroup, k_group = np.array([0, 0, 1, 1, 2, 2, 2, 2]), np.zeros(8, dtype=np.int64)
    found = swap_in_pairs(series, sax.z_normalize(series), subgroup, k_group)
    assert (found[0] == subgroup).all() and (found[1] == k_group).all()


def test_rows_of_one_group_change_subgroups_by_shape():
    series = np.array([[0.0, 1, 2], [2, 1, 0], [0, 1, 2.5], [2.5, 1, 0]] * 2)
    subgroup, k_group = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([0] * 4 + [1] * 4)
    found, _ = swap_in_pairs(series, sax.z_normalize(series), subgroup, k_group)
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
    for p, value_limit, pattern_limit in ((5, 0.06, 0.07), (2, 0.059, 0.0264)):
        value, pattern = losses(series, release_of(series, 10, p, "shared"))
        assert (value, pattern) <= (value_limit, pattern_limit)
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
