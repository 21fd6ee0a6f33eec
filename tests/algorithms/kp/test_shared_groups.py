"""Swaps of rows keep every size and lower the spread; 'shared' groups for k and splits for P."""

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
from tanon_duck.algorithms.kp.row_swaps import swap_rows


def spread(points, label):
    """Squared distances from the mean of each group, summed, by definition."""
    groups = [points[label == each] for each in np.unique(label)]
    return sum(np.square(rows - rows.mean(axis=0)).sum() for rows in groups)


def both_spreads(values, shapes, subgroup, k_group):
    """What swaps lower: the spread of values over k-groups and of shapes over subgroups."""
    return spread(values, k_group) + spread(shapes, subgroup)


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
def test_swaps_lower_the_spread_and_keep_all_sizes(k, p, seed):
    values = random_series("walk", 323, 5, seed)
    values[:7] = 4.0
    shapes = sax.z_normalize(values)
    subgroup, k_group = cut(323, k, p, seed)
    new_subgroup, new_group = swap_rows(values, shapes, subgroup, k_group)
    assert (np.bincount(new_subgroup) == np.bincount(subgroup)).all()
    assert (np.bincount(new_group) == np.bincount(k_group)).all()
    pairs = set(zip(new_subgroup.tolist(), new_group.tolist(), strict=True))
    assert len(pairs) == np.unique(subgroup).size
    # Groups at random leave much to mend.
    before = both_spreads(values, shapes, subgroup, k_group)
    assert both_spreads(values, shapes, new_subgroup, new_group) < 0.8 * before


@pytest.mark.parametrize("seed", range(6))
def test_no_swap_of_two_rows_is_left_that_helps(seed):
    """Two groups are looked at until nothing changes; all swaps tried one by one agree."""
    values = random_series("walk", 12, 5, seed)
    shapes = sax.z_normalize(values)
    subgroup, k_group = swap_rows(values, shapes, *cut(12, 6, 3, seed))
    left = both_spreads(values, shapes, subgroup, k_group)
    for a, b in combinations(range(12), 2):
        swapped = np.arange(12)
        swapped[[a, b]] = b, a
        assert both_spreads(values, shapes, subgroup[swapped], k_group[swapped]) > left - 1e-3


def test_the_obvious_swap_is_found():
    values = np.array([[0.0, 1], [1, 2], [50, 51], [51, 52], [2, 3], [52, 53]])
    halves = np.array([0, 0, 0, 1, 1, 1])
    _, found = swap_rows(values, np.zeros((6, 2)), halves, halves)
    assert (found == found[0]).tolist() == [True, True, False, False, True, False]


def test_rows_of_one_group_change_subgroups_by_shape():
    values = np.array([[0.0, 1, 2], [2, 1, 0], [0, 1, 2.5], [2.5, 1, 0]] * 2)
    subgroup, k_group = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([0] * 4 + [1] * 4)
    found, _ = swap_rows(values, sax.z_normalize(values), subgroup, k_group)
    rising = values[:, 0] < values[:, 2]
    assert not set(found[rising]) & set(found[~rising])


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
    for p, value_limit, pattern_limit in ((5, 0.059, 0.078), (2, 0.059, 0.0285)):
        value, pattern = losses(series, release_of(series, 10, p, "shared"))
        assert value <= value_limit
        assert pattern <= pattern_limit
        assert value > nearest_bound(series, 10)
        assert pattern > nearest_shapes_bound(series, p)


@pytest.mark.parametrize("p", [2, 3, 4, 5])
def test_uniform_series_are_hardly_wider_than_refined(p):
    series = np.random.default_rng(7).random((5_000, 10))
    value, pattern = losses(series, release_of(series, 10, p, "shared"))
    refined = losses(series, release_of(series, 10, p, "kapra_refined"))
    assert value <= 1.02 * refined[0] and pattern <= 0.6 * refined[1]


@pytest.mark.parametrize("seed", range(12))
def test_losses_lie_near_the_best_there_is_for_each_alone(seed):
    series = random_series("walk", 8, 4, seed)
    best, best_pattern = lowest_value_loss(series, 3), lowest_pattern_loss(series, 2)
    value, pattern = losses(series, release_of(series, 3, 2, "shared"))
    assert nearest_bound(series, 3) <= best <= value + 1e-12
    assert nearest_shapes_bound(series, 2) <= best_pattern <= pattern + 1e-12
    assert value <= 2.0 * best
