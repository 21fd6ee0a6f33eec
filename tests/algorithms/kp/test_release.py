"""Releases keep what they promise on any table, and lose as little as is known to be possible."""

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from oracles.example_tables import SERIES_KINDS, normal_walk, random_series, unit_walk
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.release import ALGORITHMS, SPLITS, k_groups, kp_release

ENOUGH_LEVELS = {"shared": 26}


def release_of(series, k, p, algorithm, **options):
    return kp_release(series, k, p, algorithm, ENOUGH_LEVELS.get(algorithm, 10), **options)


def losses(series, release):
    kept = release.k_group >= 0
    values = sax.value_loss(release.low, release.high)[release.k_group[kept]]
    patterns = sax.pattern_loss(series[kept], release.letters[kept], release.level[kept])
    return values.mean(), patterns.mean()


def check(series, release, k, p):
    """Count classes by what a reader sees, never by the numbers of groups."""
    kept = np.flatnonzero(release.k_group >= 0)
    assert len(series) - kept.size < p
    groups, classes, members = {}, {}, {}
    for row in kept.tolist():
        number = release.k_group[row]
        box = (*release.low[number], *release.high[number])
        word = (box, int(release.level[row]), release.letters[row].tobytes())
        groups.setdefault(box, set()).add(number)
        classes.setdefault(word, set()).add(release.p_group[row])
        members.setdefault(box, []).append(row)
        members.setdefault(word, []).append(row)
    assert all(len(members[box]) >= k and len(numbers) == 1 for box, numbers in groups.items())
    assert all(len(members[word]) >= p and len(numbers) == 1 for word, numbers in classes.items())
    for box, numbers in groups.items():
        rows, points = members[box], series.shape[1]
        assert (series[rows].min(axis=0) == box[:points]).all()
        assert (series[rows].max(axis=0) == box[points:]).all()
        assert numbers == {sorted(groups).index(box)}


@examples(150)
@given(
    kind=st.sampled_from(SERIES_KINDS),
    n=st.integers(2, 90),
    points=st.integers(2, 7),
    k=st.integers(2, 12),
    p=st.integers(2, 6),
    algorithm=st.sampled_from(ALGORITHMS),
    split=st.sampled_from(sorted(SPLITS)),
    foreign=st.booleans(),
    seed=st.integers(0, 999),
)
def test_every_release_is_anonymous(kind, n, points, k, p, algorithm, split, foreign, seed):
    k = min(max(k, p), n)
    p = min(p, k)
    series = random_series(kind, n, points, seed)
    release = release_of(series, k, p, algorithm, split=split, foreign_words=foreign)
    check(series, release, k, p)
    if algorithm != "shared" and not foreign:
        for row in np.flatnonzero(release.k_group >= 0).tolist():
            own = sax.letters(series[row : row + 1], int(release.level[row]))[0]
            assert (own == release.letters[row]).all()


def test_a_release_that_kapra_cannot_make_keeps_everybody():
    series = np.array([[1.0, 2, 3], [2, 3, 4], [3, 4, 5], [5, 4, 1]])
    release = release_of(series, 4, 2, "kapra")
    check(series, release, 4, 2)
    assert set(release.k_group.tolist()) == {0}
    assert release.level.tolist() == [1, 1, 1, 1]


def test_groups_with_equal_envelopes_are_one_group():
    series = np.repeat(np.array([[1.0, 2.0, 4.0], [3.0, 2.0, 1.0]]), 8, axis=0)
    release = release_of(series, 4, 2, "kapra")
    assert len(release.low) == 2
    assert release.k_group.tolist() == [0] * 8 + [1] * 8
    assert release.p_group.tolist() == [0] * 8 + [1] * 8


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_numbers_of_groups_follow_their_envelopes(algorithm):
    series = random_series("walk", 64, 4, seed=8)
    first = release_of(series, 4, 2, algorithm)
    boxes = np.hstack((first.low, first.high)).tolist()
    assert boxes == sorted(boxes)


@pytest.mark.parametrize("factor", [1e-200, 1e300])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_magnitude_does_not_matter(algorithm, factor):
    series = np.rint(random_series("walk", 80, 5, seed=4) * 64)
    plain = release_of(series, 6, 3, algorithm)
    scaled = release_of(series * factor, 6, 3, algorithm)
    check(series * factor, scaled, 6, 3)
    if algorithm == "kapra":
        assert (scaled.k_group == plain.k_group).all()
    shifted = release_of(series + 2.0**40, 6, 3, algorithm)
    assert (shifted.k_group == plain.k_group).all()


def test_losses_of_two_thousand_walks():
    series = normal_walk(2000)[:, :10]
    for p, value_limit, pattern in ((2, 2.87, 0.2132), (5, 3.21, 0.4083), (10, 3.3, 0.541)):
        plain = losses(series, release_of(series, 10, p, "kapra"))
        refined = losses(series, release_of(series, 10, p, "kapra_refined"))
        assert plain[0] <= value_limit
        assert round(plain[1], 4) == pattern
        assert refined[0] <= 0.98 * plain[0]
        assert refined[1] == plain[1]


def test_losses_of_ten_thousand_shared_walks():
    series = unit_walk(10_000)[:, :10]
    for p, value_limit, pattern_limit in ((5, 0.07, 0.08), (2, 0.065, 0.03)):
        value, pattern = losses(series, release_of(series, 10, p, "shared"))
        assert value <= value_limit
        assert pattern <= pattern_limit


def test_losses_of_conventional_groups():
    series = normal_walk(2000)[:, :10]
    found = {}
    for method in ("exchange", "halves", "sequential"):
        group, low, high = k_groups(series, 10, method)
        assert np.bincount(group).min() >= 10
        found[method] = sax.value_loss(low, high)[group].mean()
    assert found["exchange"] < 0.97 * found["halves"] < 0.97 * 2.85
    assert found["sequential"] < 3.1


def test_a_geometric_sequence_does_not_go_deep():
    order = np.random.default_rng(0).permutation(20_000)
    series = 1.01 ** order[:, None] * np.array([1.0, 1.1, 1.3])
    for split in SPLITS:
        check(series, release_of(series, 10, 5, "naive", split=split), 10, 5)
