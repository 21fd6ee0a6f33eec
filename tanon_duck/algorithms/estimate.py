"""Estimates what a customized release of series withholds: ranges, and letters of words.

A row of the release has a range of values (low, high) and a letter for each position. The owner
may withhold either. A letter says between which break points the normalized value
z = (value - mean) / deviation lies. So a value is below mean + b * deviation if its letter is
below break point b, and not below it otherwise.

A position that shows both a range and a letter therefore bounds mean + b * deviation, for each b.
These bounds are a linear programme in the two unknowns mean and deviation, one for each row.
``letter_bounds`` solves it: it returns the range in which the values of each letter must lie.
``estimate_withheld_ranges`` and ``estimate_letters`` fill withheld cells from these ranges.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.sax import Floats, Integers, Letters, break_points

WITHHELD = np.uint8(255)
# Cells of the largest array that is computed at once: 16 MB.
CELLS_AT_ONCE = 2_000_000
# Bounds are widened by this share, so that a rounding error never excludes the true value.
WIDENING = 1e-9

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Release:
    """The rows of a customized release, with one column per position.

    Withheld ranges are NaN, and withheld letters are WITHHELD. Letter 0 is 'a'.
    """

    low: Floats
    high: Floats
    letters: Letters
    levels: Integers  # the number of letters of each row's alphabet

    def rows(self, chosen: Mask | Integers) -> "Release":
        """Return the release with the chosen rows only."""
        return Release(
            self.low[chosen], self.high[chosen], self.letters[chosen], self.levels[chosen]
        )


@dataclass(frozen=True)
class LetterBounds:
    """For each row, and each letter, the range in which values with this letter must lie.

    ``consistent`` says for each row whether any series fits both the ranges and the letters.
    """

    lower: Floats
    upper: Floats
    consistent: Mask


class EstimatedRanges(NamedTuple):
    """Ranges with estimates, which cells are estimates, and which rows are consistent."""

    low: Floats
    high: Floats
    is_estimate: Mask
    consistent: Mask


class EstimatedLetters(NamedTuple):
    """Letters with estimates, which cells are estimates, and which rows are consistent."""

    letters: Letters
    is_estimate: Mask
    consistent: Mask


def _limits_of_breaks(release: Release, level: int) -> tuple[Floats, Floats]:
    """Return the limits of mean + b * deviation for each row and break point b.

    The lower limit is the largest ``low`` of a letter below b, the upper limit is the smallest
    ``high`` of a letter above b. Only positions that show both range and letter count.
    """
    shows_both = ~np.isnan(release.low) & (release.letters != WITHHELD)
    low = np.where(shows_both, release.low, -np.inf)
    high = np.where(shows_both, release.high, np.inf)
    low_of_letter = np.empty((low.shape[0], level))
    high_of_letter = np.empty_like(low_of_letter)
    for letter in range(level):
        has_letter = release.letters == letter
        low_of_letter[:, letter] = np.where(has_letter, low, -np.inf).max(axis=1)
        high_of_letter[:, letter] = np.where(has_letter, high, np.inf).min(axis=1)
    lower = np.maximum.accumulate(low_of_letter, axis=1)[:, :-1]
    upper = np.minimum.accumulate(high_of_letter[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return lower, upper


def _deviation_range(lower: Floats, upper: Floats, breaks: Floats) -> tuple[Floats, Floats, Mask]:
    """Return the smallest and largest possible deviation of each row, and whether one exists.

    A deviation is possible if some mean satisfies lower <= mean + b * deviation <= upper for
    every break point b.
    """
    gaps = breaks[:, None] - breaks[None, :]
    spans = lower[:, :, None] - upper[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = spans / gaps
    smallest = np.where(gaps > 0, quotients, 0.0).max(axis=(1, 2), initial=0.0)
    largest = np.where(gaps < 0, quotients, np.inf).min(axis=(1, 2), initial=np.inf)
    feasible = (lower <= upper).all(axis=1) & (smallest <= largest)
    return smallest, largest, feasible


def _vertex_deviations(limits: Floats, breaks: Floats, smallest: Floats, largest: Floats) -> Floats:
    """Return the deviations of all vertices of the linear programme, one row per release row.

    An optimum is at the smallest or largest deviation, or where two limits cross.
    """
    first, second = np.triu_indices(breaks.size, 1)
    with np.errstate(invalid="ignore"):
        crossings = (limits[:, second] - limits[:, first]) / (breaks[second] - breaks[first])
    crossings[~np.isfinite(crossings)] = 0.0
    ends = np.stack([smallest, np.where(np.isinf(largest), smallest, largest)], axis=1)
    candidates = np.concatenate([ends, crossings], axis=1)
    inside: Floats = np.clip(candidates, smallest[:, None], largest[:, None])
    return inside


def _minimum(
    lower: Floats, breaks: Floats, smallest: Floats, largest: Floats, factors: Floats
) -> Floats:
    """Return for each row and factor the minimum of mean + factor * deviation.

    The mean is at least lower - b * deviation for each break point b, and the deviation is
    between ``smallest`` and ``largest``. The minimum is -inf if the programme is unbounded.
    """
    deviations = _vertex_deviations(lower, breaks, smallest, largest)
    means = (lower[:, None, :] - breaks * deviations[:, :, None]).max(axis=2)
    values = (means[:, :, None] + factors * deviations[:, :, None]).min(axis=1)
    lowest_limited_break = np.where(np.isfinite(lower), breaks, np.inf).min(axis=1)
    is_unbounded = np.isinf(largest)[:, None] & (factors < lowest_limited_break[:, None])
    minimum: Floats = np.where(is_unbounded, -np.inf, values)
    return minimum


def _solve_programme(lower: Floats, upper: Floats, level: int, points: int) -> LetterBounds:
    """Return the range of each letter from the limits of all break points.

    ``points`` is the number of positions of a series.
    """
    breaks = break_points(level)
    smallest, largest, feasible = _deviation_range(lower, upper, breaks)
    largest = np.where(feasible, largest, smallest)
    # None of n values is further than (n - 1) / sqrt(n) sample deviations from their mean.
    furthest = (points - 1) / np.sqrt(points)
    lower_factors = np.concatenate([[-furthest], breaks])
    upper_factors = np.concatenate([breaks, [furthest]])
    letter_lower = _minimum(lower, breaks, smallest, largest, lower_factors)
    # The maximum is the negative minimum of the mirrored programme, with all signs changed.
    negative_upper = _minimum(-upper[:, ::-1], -breaks[::-1], smallest, largest, -upper_factors)
    return LetterBounds(letter_lower, -negative_upper, feasible)


def _bounds_without_normalization(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return the range of each letter from the two break points next to it alone."""
    unbounded = np.full((lower.shape[0], 1), np.inf)
    return np.hstack([-unbounded, lower]), np.hstack([upper, unbounded])


def _bounds_of_level(release: Release, level: int) -> LetterBounds:
    """Return the bounds of each letter, for a release whose rows all have this level."""
    rows, points = release.low.shape
    if level == 1:
        unbounded = np.full((rows, 1), np.inf)
        return LetterBounds(-unbounded, unbounded, np.ones(rows, dtype=bool))
    break_lower, break_upper = _limits_of_breaks(release, level)
    solved = _solve_programme(break_lower, break_upper, level, points)
    lower, upper = _bounds_without_normalization(break_lower, break_upper)
    usable = solved.consistent[:, None]
    lower = np.where(usable, np.maximum(lower, solved.lower), lower)
    upper = np.where(usable, np.minimum(upper, solved.upper), upper)
    is_empty = lower > upper
    lower, upper = np.where(is_empty, -np.inf, lower), np.where(is_empty, np.inf, upper)
    magnitudes = np.abs(np.hstack([release.low, release.high]))
    largest = np.nan_to_num(np.fmax.reduce(magnitudes, axis=1))[:, None]
    return LetterBounds(
        lower - WIDENING * np.maximum(largest, np.abs(lower)),
        upper + WIDENING * np.maximum(largest, np.abs(upper)),
        solved.consistent,
    )


def letter_bounds(release: Release) -> LetterBounds:
    """Return for each row and letter the range in which values with this letter must lie.

    Columns of letters beyond the level of a row are NaN.
    """
    rows, highest_level = release.low.shape[0], int(release.levels.max(initial=1))
    lower, upper = np.full((rows, highest_level), np.nan), np.full((rows, highest_level), np.nan)
    consistent = np.ones(rows, dtype=bool)
    for level in np.unique(release.levels):
        check()
        rows_of_level = np.flatnonzero(release.levels == level)
        step = max(1, CELLS_AT_ONCE // int(level) ** 3)
        for start in range(0, rows_of_level.size, step):
            check()
            block = rows_of_level[start : start + step]
            bounds = _bounds_of_level(release.rows(block), int(level))
            lower[block, :level], upper[block, :level] = bounds.lower, bounds.upper
            consistent[block] = bounds.consistent
    return LetterBounds(lower, upper, consistent)


def estimate_withheld_ranges(release: Release) -> EstimatedRanges:
    """Fill in each withheld range whose letter is published, with the range of this letter."""
    bounds = letter_bounds(release)
    is_estimate = np.isnan(release.low) & (release.letters != WITHHELD)
    row, position = np.nonzero(is_estimate)
    letter = release.letters[row, position]
    low, high = release.low.copy(), release.high.copy()
    low[row, position], high[row, position] = bounds.lower[row, letter], bounds.upper[row, letter]
    return EstimatedRanges(low, high, is_estimate, bounds.consistent)


def estimate_letters(release: Release) -> EstimatedLetters:
    """Fill in each withheld letter whose range is published.

    The estimate is the letter whose range overlaps most with the published range.
    """
    bounds = letter_bounds(release)
    is_estimate = ~np.isnan(release.low) & (release.letters == WITHHELD)
    letters = release.letters.copy()
    row, position = np.nonzero(is_estimate)
    step = max(1, CELLS_AT_ONCE // bounds.lower.shape[1])
    for start in range(0, row.size, step):
        check()
        rows, positions = row[start : start + step], position[start : start + step]
        end = np.minimum(release.high[rows, positions, None], bounds.upper[rows])
        begin = np.maximum(release.low[rows, positions, None], bounds.lower[rows])
        # If ranges do not overlap, the overlap is negative. So a published range of width 0
        # between two letters gets the nearer letter.
        overlap = np.nan_to_num(end - begin, nan=-np.inf)
        letters[rows, positions] = overlap.argmax(axis=1)
    return EstimatedLetters(letters, is_estimate, bounds.consistent)
