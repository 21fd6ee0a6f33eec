"""Grouping by position or by size: narrow in those units, anonymous as ever, blind to magnitude."""

import numpy as np
import pytest
from algorithms.kp.test_release import check, losses, release_of

from oracles.example_tables import normal_walk, random_series
from tanon_duck.algorithms.kp.release import ALGORITHMS, k_groups, kp_release
from tanon_duck.algorithms.kp.scaling import SCALES, for_distances, log_sizes, size_bands


def of_many_sizes(rows=1000):
    """Walks about 10 that differ in size by a factor of e^2 in one standard deviation."""
    walks = normal_walk(rows)[:, :8] + 10
    return walks * np.exp(np.random.default_rng(0).normal(0, 2, (rows, 1)))


def crossing_zero(rows=1000):
    """Walks about 0 that differ in size likewise."""
    return normal_walk(rows)[:, :8] * np.exp(np.random.default_rng(0).normal(0, 2, (rows, 1)))


def of_many_units(rows=1000):
    return normal_walk(rows)[:, :8] * 10.0 ** np.array([0, 3, 1, 0, 2, 3, 0, 1])


def widths_in_sizes(series, release):
    """Return the median width of an envelope in units of the size of its series."""
    kept = release.k_group >= 0
    ranges = (release.high - release.low)[release.k_group[kept]]
    sizes = np.sqrt(np.square(series[kept]).mean(axis=1))
    return np.median(np.sqrt(np.square(ranges).mean(axis=1)) / sizes)


def widths_in_deviations(series, release):
    kept = release.k_group >= 0
    ranges = (release.high - release.low)[release.k_group[kept]] / series.std(axis=0)
    return np.sqrt(np.square(ranges).mean(axis=1)).mean()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", ["walk", "integer", "constant", "geometric"])
def test_every_scale_is_anonymous(kind, algorithm, scale):
    for seed, (n, k, p) in enumerate([(30, 4, 2), (200, 6, 3), (333, 10, 2)]):
        series = random_series(kind, n, 4, seed)
        check(series, release_of(series, k, p, algorithm, scale=scale), k, p)


def test_zeros_and_extreme_sizes_have_finite_points():
    series = np.array([[0.0, 0, 0], [1e-300, 0, 2e-300], [1e300, -1e300, 0], [1, 2, 3]])
    for scale in SCALES:
        assert np.isfinite(for_distances(series, scale)).all()
    assert log_sizes(series)[0] == log_sizes(series)[1] - 1
    assert log_sizes(np.array([[3.0, -3.0]])).tolist() == [pytest.approx(np.log(3.0))]
    assert size_bands(np.zeros((5, 3)), 2).tolist() == [0] * 5


def test_equal_series_have_equal_points():
    series = np.repeat(of_many_sizes(50), 3, axis=0)
    for scale in SCALES:
        points = for_distances(series, scale).reshape(50, 3, -1)
        assert (points == points[:, :1]).all()


def test_positions_weigh_the_same_in_any_unit():
    series = np.rint(normal_walk(300)[:, :5] * 64)
    units = series * 2.0 ** np.array([0, 9, 3, -4, 20])
    assert for_distances(units, "position") == pytest.approx(for_distances(series, "position"))
    first, _, _ = k_groups(series, 6, "halves", "position")
    second, _, _ = k_groups(units, 6, "halves", "position")
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == first.max() + 1


@pytest.mark.parametrize("algorithm", ["naive", "kapra", "kapra_refined", "shared"])
def test_scaled_groups_are_narrower_in_their_unit(algorithm):
    """KAPRA fixes words before values, so that units of positions help it least."""
    units, sizes = of_many_units(), of_many_sizes()
    by_unit, by_size = {}, {}
    for scale in SCALES:
        by_unit[scale] = widths_in_deviations(
            units, release_of(units, 10, 5, algorithm, scale=scale)
        )
        by_size[scale] = widths_in_sizes(sizes, release_of(sizes, 10, 5, algorithm, scale=scale))
    most = {"naive": (0.75, 1.05), "shared": (0.8, 0.6)}.get(algorithm, (0.97, 0.4))
    assert by_unit["position"] <= most[0] * by_unit["none"]
    assert by_size["series"] <= most[1] * by_size["none"]


def test_kapra_by_size_is_about_as_narrow_as_naive():
    series = of_many_sizes(2000)
    naive = widths_in_sizes(series, kp_release(series, 10, 5, "naive", 10))
    assert widths_in_sizes(series, kp_release(series, 10, 5, "kapra", 10)) > 4 * naive
    kapra = kp_release(series, 10, 5, "kapra", 10, scale="series")
    assert widths_in_sizes(series, kapra) < 1.4 * naive
    assert losses(series, kapra)[1] < 0.75


@pytest.mark.parametrize(
    ("scale", "table"), [("position", of_many_units), ("series", crossing_zero)]
)
def test_conventional_groups_take_the_scale_too(scale, table):
    series = table()
    found = {}
    for each in ("none", scale):
        group, low, high = k_groups(series, 10, "exchange", each)
        ranges = (high - low)[group]
        unit = series.std(axis=0) if scale == "position" else np.exp(log_sizes(series))[:, None]
        found[each] = np.sqrt(np.square(ranges / unit).mean(axis=1)).mean()
        assert np.bincount(group).min() >= 10
    assert found[scale] < found["none"]
