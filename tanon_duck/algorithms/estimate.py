"""Bounds for values withheld from a customized release, and letters for withheld patterns.

With z = (value - mean) / deviation, a position whose letter lies below break point b has
value < mean + b * deviation, one above has value >= mean + b * deviation.  The published
ranges of the positions that show both a range and a letter therefore bound mean + b *
deviation for every b: a linear programme in (mean, deviation) for each published row.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.sax import Floats, Integers, Letters, break_points

WITHHELD = np.uint8(255)
BLOCK_CELLS = 2_000_000
# Bounds are rounded outwards, so that the last bit can never push the true value out.
OUTWARDS = 1e-9

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Release:
    """Ranges (NaN where withheld), letters (WITHHELD where withheld) and level of each row."""

    low: Floats
    high: Floats
    found: Letters
    levels: Integers

    def rows(self, chosen: Mask | Integers) -> "Release":
        """Return some of the rows."""
        return Release(self.low[chosen], self.high[chosen], self.found[chosen], self.levels[chosen])


@dataclass(frozen=True)
class LetterBounds:
    """For each row and letter the range its values must lie in; whether ranges and word agree."""

    lower: Floats
    upper: Floats
    consistent: Mask


def _known_limits(release: Release, level: int) -> tuple[Floats, Floats]:
    """Return for each break point the largest low below it and the smallest high above it."""
    both = ~np.isnan(release.low) & (release.found != WITHHELD)
    low = np.where(both, release.low, -np.inf)
    high = np.where(both, release.high, np.inf)
    own_low = np.empty((low.shape[0], level))
    own_high = np.empty_like(own_low)
    for letter in range(level):
        here = release.found == letter
        own_low[:, letter] = np.where(here, low, -np.inf).max(axis=1)
        own_high[:, letter] = np.where(here, high, np.inf).min(axis=1)
    below = np.maximum.accumulate(own_low, axis=1)[:, :-1]
    above = np.minimum.accumulate(own_high[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return below, above


def _deviation_range(below: Floats, above: Floats, breaks: Floats) -> tuple[Floats, Floats, Mask]:
    """Return the smallest and largest deviation for which some mean satisfies all limits."""
    gaps = breaks[:, None] - breaks[None, :]
    spans = below[:, :, None] - above[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = spans / gaps
    least = np.where(gaps > 0, quotients, 0.0).max(axis=(1, 2), initial=0.0)
    most = np.where(gaps < 0, quotients, np.inf).min(axis=(1, 2), initial=np.inf)
    feasible = (below <= above).all(axis=1) & (least <= most)
    return least, most, feasible


def _vertices(limits: Floats, breaks: Floats, least: Floats, most: Floats) -> Floats:
    """Return the deviations at which an optimum can lie: both ends and all crossings."""
    first, second = np.triu_indices(breaks.size, 1)
    with np.errstate(invalid="ignore"):
        crossings = (limits[:, second] - limits[:, first]) / (breaks[second] - breaks[first])
    crossings[~np.isfinite(crossings)] = 0.0
    ends = np.stack([least, np.where(np.isinf(most), least, most)], axis=1)
    candidates = np.concatenate([ends, crossings], axis=1)
    inside: Floats = np.clip(candidates, least[:, None], most[:, None])
    return inside


def _smallest(
    below: Floats, breaks: Floats, least: Floats, most: Floats, factors: Floats
) -> Floats:
    """Return for each factor the minimum of mean + factor * deviation (minus infinity if none)."""
    deviations = _vertices(below, breaks, least, most)
    means = (below[:, None, :] - breaks * deviations[:, :, None]).max(axis=2)
    values = (means[:, :, None] + factors * deviations[:, :, None]).min(axis=1)
    shallowest = np.where(np.isfinite(below), breaks, np.inf).min(axis=1)
    falls_for_ever = np.isinf(most)[:, None] & (factors < shallowest[:, None])
    minimum: Floats = np.where(falls_for_ever, -np.inf, values)
    return minimum


def _programme(below: Floats, above: Floats, level: int, points: int) -> LetterBounds:
    """Solve the linear programme of every row for every letter of one level."""
    breaks = break_points(level)
    least, most, feasible = _deviation_range(below, above, breaks)
    most = np.where(feasible, most, least)
    # No value of n lies further than (n - 1) / sqrt(n) sample deviations from the mean.
    furthest = (points - 1) / np.sqrt(points)
    lower = _smallest(below, breaks, least, most, np.concatenate([[-furthest], breaks]))
    mirrored = _smallest(
        -above[:, ::-1], -breaks[::-1], least, most, -np.concatenate([breaks, [furthest]])
    )
    return LetterBounds(lower, -mirrored, feasible)


def _lemma_bounds(below: Floats, above: Floats) -> tuple[Floats, Floats]:
    """Return the bounds that need no normalization: between the letters below and above."""
    unbounded = np.full((below.shape[0], 1), np.inf)
    return np.hstack([-unbounded, below]), np.hstack([above, unbounded])


def _level_bounds(release: Release, level: int) -> LetterBounds:
    """Return the bounds of each letter for rows of one level."""
    rows, points = release.low.shape
    if level == 1:
        unbounded = np.full((rows, 1), np.inf)
        return LetterBounds(-unbounded, unbounded, np.ones(rows, dtype=bool))
    below, above = _known_limits(release, level)
    solved = _programme(below, above, level, points)
    plain_low, plain_high = _lemma_bounds(below, above)
    usable = solved.consistent[:, None]
    lower = np.where(usable, np.maximum(plain_low, solved.lower), plain_low)
    upper = np.where(usable, np.minimum(plain_high, solved.upper), plain_high)
    contradicts = lower > upper
    lower, upper = np.where(contradicts, -np.inf, lower), np.where(contradicts, np.inf, upper)
    shown = np.abs(np.hstack([release.low, release.high]))
    size = np.nan_to_num(np.fmax.reduce(shown, axis=1))[:, None]
    return LetterBounds(
        lower - OUTWARDS * np.maximum(size, np.abs(lower)),
        upper + OUTWARDS * np.maximum(size, np.abs(upper)),
        solved.consistent,
    )


def letter_bounds(release: Release) -> LetterBounds:
    """Return for every row and every letter of its level the range its values must lie in."""
    rows, widest = release.low.shape[0], int(release.levels.max(initial=1))
    lower, upper = np.full((rows, widest), np.nan), np.full((rows, widest), np.nan)
    consistent = np.ones(rows, dtype=bool)
    for level in np.unique(release.levels):
        check()
        members = np.flatnonzero(release.levels == level)
        step = max(1, BLOCK_CELLS // int(level) ** 3)
        for start in range(0, members.size, step):
            check()
            block = members[start : start + step]
            bounds = _level_bounds(release.rows(block), int(level))
            lower[block, :level], upper[block, :level] = bounds.lower, bounds.upper
            consistent[block] = bounds.consistent
    return LetterBounds(lower, upper, consistent)


def estimate_withheld_ranges(release: Release) -> tuple[Floats, Floats, Mask, Mask]:
    """Fill in withheld ranges whose letter is published.

    Returns low, high, which cells are estimated, and which rows' ranges and words agree.
    """
    bounds = letter_bounds(release)
    missing = np.isnan(release.low) & (release.found != WITHHELD)
    row, position = np.nonzero(missing)
    letter = release.found[row, position]
    low, high = release.low.copy(), release.high.copy()
    low[row, position], high[row, position] = bounds.lower[row, letter], bounds.upper[row, letter]
    return low, high, missing, bounds.consistent


def estimate_letters(release: Release) -> tuple[Letters, Mask, Mask]:
    """Fill in withheld letters whose range is published: the letter with the largest overlap.

    Returns letters, which cells are estimated, and which rows' ranges and words agree.
    """
    bounds = letter_bounds(release)
    missing = ~np.isnan(release.low) & (release.found == WITHHELD)
    found = release.found.copy()
    row, position = np.nonzero(missing)
    step = max(1, BLOCK_CELLS // bounds.lower.shape[1])
    for start in range(0, row.size, step):
        check()
        rows, positions = row[start : start + step], position[start : start + step]
        ceiling = np.minimum(release.high[rows, positions, None], bounds.upper[rows])
        floor = np.maximum(release.low[rows, positions, None], bounds.lower[rows])
        # A gap counts as negative overlap, so that a degenerate range finds its letter too.
        overlap = np.nan_to_num(ceiling - floor, nan=-np.inf)
        found[rows, positions] = overlap.argmax(axis=1)
    return found, missing, bounds.consistent
