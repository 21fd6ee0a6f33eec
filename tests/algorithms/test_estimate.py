"""Estimated ranges and letters against HiGHS, the lemma of the definition and the true values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.letter_programme import bounds
from oracles.simple_release import simple_release, word
from tanon_duck.algorithms.estimate import (
    WITHHELD,
    Release,
    estimate_letters,
    estimate_withheld_ranges,
    letter_bounds,
)
from tanon_duck.algorithms.kp.release import kp_release


def walks(rows, points, seed):
    return np.random.default_rng(seed).normal(size=(rows, points)).cumsum(axis=1)


def customized(series, shown, lettered, k=8, p=3, highest=6):
    """Publish, then withhold all but the shown ranges and letters (positions from 0)."""
    published = simple_release(series, k, p, highest)
    low = np.array([row["low"] for row in published])
    high = np.array([row["high"] for row in published])
    letters = [[ord(c) - ord("a") for c in row["word"]] for row in published]
    found = np.array(letters, dtype=np.uint8)
    hidden = [i for i in range(series.shape[1]) if i not in shown]
    low[:, hidden] = high[:, hidden] = np.nan
    truth = found.copy()
    found[:, [i for i in range(series.shape[1]) if i not in lettered]] = WITHHELD
    levels = np.array([row["level"] for row in published], dtype=np.int64)
    own = series[[row["row"] for row in published]]
    return Release(low, high, found, levels), own, truth


CASES = [
    ((0, 2, 3, 5), (0, 1, 2, 3, 4, 5)),
    ((0, 1, 2, 3, 4, 5), (1, 2, 4)),
    ((0, 1, 2, 3), (2, 3, 4, 5)),
]


@pytest.mark.parametrize(("shown", "lettered"), CASES)
def test_the_true_value_and_its_letter_lie_in_the_estimated_range(shown, lettered):
    series = walks(600, 6, 5)
    release, own, truth = customized(series, shown, lettered)
    bounds_found = letter_bounds(release)
    assert bounds_found.consistent.all()
    assert len(np.unique(release.levels)) > 2
    rows = np.arange(len(own))[:, None]
    assert (bounds_found.lower[rows, truth] <= own).all()
    assert (own <= bounds_found.upper[rows, truth]).all()
    low, high, estimated, consistent = estimate_withheld_ranges(release)
    assert consistent.all()
    assert estimated.sum() == len(own) * (6 - len(shown))
    assert not np.isnan(low).any()
    assert ((low <= own) & (own <= high)).all()
    np.testing.assert_array_equal(low[~estimated], release.low[~estimated])


def check_against_highs(release):
    found = letter_bounds(release)
    for row in range(release.low.shape[0]):
        level = int(release.levels[row])
        low = [None if np.isnan(x) else float(x) for x in release.low[row]]
        high = [None if np.isnan(x) else float(x) for x in release.high[row]]
        own = [None if x == WITHHELD else int(x) for x in release.letters[row]]
        for letter in range(level):
            expected = bounds(low, high, own, level, letter)
            assert (expected is not None) == found.consistent[row]
            if expected is not None:
                got = (found.lower[row, letter], found.upper[row, letter])
                np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("shown", "lettered"), CASES)
def test_bounds_equal_those_of_highs(shown, lettered):
    release, _, _ = customized(walks(120, 6, 11), shown, lettered)
    check_against_highs(release.rows(np.arange(0, release.low.shape[0], 3)))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data())
def test_bounds_of_any_ranges_and_words_equal_those_of_highs(data):
    points, level = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 7))
    cells = st.tuples(st.integers(-9, 9), st.integers(0, 6), st.booleans(), st.booleans())
    row = data.draw(st.lists(cells, min_size=points, max_size=points))
    letters = data.draw(st.lists(st.integers(0, level - 1), min_size=points, max_size=points))
    low = [[float(c[0]) if c[2] else np.nan for c in row]]
    high = [[float(c[0] + c[1]) if c[2] else np.nan for c in row]]
    found = [[letter if c[3] else WITHHELD for c, letter in zip(row, letters, strict=True)]]
    check_against_highs(
        Release(np.array(low), np.array(high), np.array(found, dtype=np.uint8), np.array([level]))
    )


def test_a_level_without_break_points_bounds_nothing():
    release = Release(
        np.array([[1.0, np.nan]]),
        np.array([[2.0, np.nan]]),
        np.zeros((1, 2), np.uint8),
        np.ones(1, np.int64),
    )
    low, high, estimated, consistent = estimate_withheld_ranges(release)
    assert (low[0, 1], high[0, 1]) == (-np.inf, np.inf)
    assert estimated.tolist() == [[False, True]]
    assert consistent.all()


def test_a_foreign_word_is_flagged_and_never_gives_an_empty_range():
    # The word says the first value is the smaller one, the ranges say the opposite.
    release = Release(
        np.array([[10.0, 1.0, np.nan]]),
        np.array([[12.0, 2.0, np.nan]]),
        np.array([[0, 1, 1]], np.uint8),
        np.array([2]),
    )
    low, high, _, consistent = estimate_withheld_ranges(release)
    assert not consistent[0]
    assert low[0, 2] <= high[0, 2]


def test_the_letter_with_the_largest_overlap_is_chosen_and_the_lowest_on_ties():
    nothing = np.nan
    release = Release(
        np.array([[0.0, 10.0, 10.5, 5.0], [nothing, 3.0, 1.0, 2.0]]),
        np.array([[1.0, 11.0, 12.0, 5.0], [nothing, 4.0, 1.5, 2.0]]),
        np.array([[0, 1, WITHHELD, WITHHELD], [0, 0, WITHHELD, WITHHELD]], np.uint8),
        np.array([2, 1]),
    )
    found, estimated, _ = estimate_letters(release)
    assert found.tolist() == [[0, 1, 1, 0], [0, 0, 0, 0]]
    assert estimated.tolist() == [[False, False, True, True]] * 2


def test_most_estimated_letters_are_right_on_walks():
    shown, lettered = tuple(range(8)), (0, 2, 3, 5, 7)
    release, _, truth = customized(walks(800, 8, 3), shown, lettered)
    found, estimated, _ = estimate_letters(release)
    right = (found == truth)[estimated].mean()
    blind = (truth[estimated] == 0).mean()
    assert right > 0.55 > blind
    np.testing.assert_array_equal(found[~estimated], truth[~estimated])


def test_rows_do_not_influence_each_other_and_no_row_is_fine():
    release, _, _ = customized(walks(200, 6, 2), (0, 1, 2), (1, 2, 3, 4, 5))
    order = np.random.default_rng(0).permutation(release.low.shape[0])
    low, high, _, _ = estimate_withheld_ranges(release)
    shuffled_low, shuffled_high, _, _ = estimate_withheld_ranges(release.rows(order))
    np.testing.assert_array_equal(low[order], shuffled_low)
    np.testing.assert_array_equal(high[order], shuffled_high)
    empty = release.rows(np.zeros(0, dtype=np.int64))
    assert estimate_withheld_ranges(empty)[0].shape == (0, 6)
    assert estimate_letters(empty)[0].shape == (0, 6)


def test_the_word_of_the_oracle_is_the_definition():
    assert word([170, 175, 188, 197, 213, 221], 3) == (0, 0, 1, 1, 2, 2)


@pytest.mark.parametrize("algorithm", ["naive", "kapra", "kapra_refined"])
def test_the_true_value_lies_in_the_range_in_releases_as_they_are_published(algorithm):
    series = walks(700, 8, 21)
    found = kp_release(series, 10, 3, algorithm, 10)
    kept = np.flatnonzero(found.k_group >= 0)
    low, high = found.low[found.k_group[kept]].copy(), found.high[found.k_group[kept]].copy()
    own, levels = series[kept], found.level[kept].astype(np.int64)
    shown = found.letters[kept].astype(np.uint8)
    low[:, [1, 6]] = high[:, [1, 6]] = np.nan
    shown[:, 4] = WITHHELD
    filled_low, filled_high, estimated, consistent = estimate_withheld_ranges(
        Release(low, high, shown, levels)
    )
    assert consistent.all()
    assert estimated.sum() == 2 * kept.size
    assert ((filled_low <= own) & (own <= filled_high)).all()
    finite = np.isfinite(filled_low) & np.isfinite(filled_high)
    fine = levels >= 3
    assert finite[fine].mean() > finite[~fine].mean()
