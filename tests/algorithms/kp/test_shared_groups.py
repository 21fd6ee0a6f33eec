"""Swaps of rows keep every size and lower the spread; 'shared' groups for k and splits for P."""

import numpy as np
import pytest
from algorithms.kp.test_release import check, losses, release_of

from oracles.best_groups import lowest_value_loss, nearest_bound
from oracles.example_tables import random_series, unit_walk
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.slot_swaps import swap_rows


def spread(points, label):
    return sum(
        np.square(points[label == each] - points[label == each].mean(axis=0)).sum()
        for each in np.unique(label)
    )


@pytest.mark.parametrize("seed", range(6))
def test_swaps_lower_the_spread_and_keep_all_sizes(seed):
    series = random_series("walk", 200, 5, seed)
    shapes = sax.z_normalize(series)
    subgroup = np.arange(200) // 4
    k_group = subgroup // 3
    before = spread(series, k_group) + spread(shapes, subgroup)
    for layout in range(3):
        new_subgroup, new_group = swap_rows(series, shapes, subgroup, k_group, 6, layout)
        assert (np.bincount(new_subgroup) == np.bincount(subgroup)).all()
        assert (np.bincount(new_group) == np.bincount(k_group)).all()
        assert len(set(zip(new_subgroup.tolist(), new_group.tolist(), strict=True))) == 50
        after = spread(series, new_group) + spread(shapes, new_subgroup)
        assert after < before
        subgroup, k_group, before = new_subgroup, new_group, after


def test_the_obvious_swap_is_found():
    series = np.array([[0.0, 1], [1, 2], [50, 51], [51, 52], [2, 3], [52, 53]])
    halves = np.array([0, 0, 0, 1, 1, 1])
    _, found = swap_rows(series, np.zeros((6, 2)), halves, halves, 5, 0)
    assert (found == found[0]).tolist() == [True, True, False, False, True, False]


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
    for p, value_limit, pattern_limit in ((5, 0.0605, 0.079), (2, 0.0605, 0.0297)):
        value, pattern = losses(series, release_of(series, 10, p, "shared"))
        assert (value, pattern) <= (value_limit, pattern_limit)
        assert pattern <= pattern_limit
        assert value > nearest_bound(series, 10)


@pytest.mark.parametrize("seed", range(12))
def test_value_loss_lies_near_the_best_there_is(seed):
    series = random_series("walk", 8, 4, seed)
    best = lowest_value_loss(series, 3)
    value = losses(series, release_of(series, 3, 2, "shared"))[0]
    assert nearest_bound(series, 3) <= best <= value + 1e-12
    assert value <= 2.0 * best
