"""SAX words of series, the series that a word stands for, and the losses of a release.

SAX describes the shape of a series by letters. The series is z-normalized to mean 0 and deviation
1. Break points divide the normal distribution into equally probable intervals, one per letter. The
level is the number of letters: at level 3 'a' means low, 'b' medium, 'c' high.

- ``z_normalize``, ``segment_means``: the series before letters are assigned.
- ``letters``, ``words``, ``letters_of``: from series to letters, and between letters and texts.
- ``reconstruct``: from letters back to a normalized series.
- ``value_loss``, ``pattern_loss``, ``mean_loss``: the losses of a release.

A matrix of series has one row for each series and one column for each point. Letter 0 is 'a'.
"""

from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check

Floats = npt.NDArray[np.float64]
Letters = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 26
# The break point 0 is the only one that a normalized value can hit exactly. Values this little
# below a break point count as on it, so that the rounding of the mean does not decide the letter.
TOLERANCE = 1e-12
# Values of a block of series: 512 KB, which fit in the cache of a processor.
VALUES_AT_ONCE = 1 << 16
# Below this length numpy is faster if the series are columns instead of rows.
SHORT_SERIES = 24
# Deviations between these are safe to square and to divide by.
SMALLEST_DEVIATION, LARGEST_DEVIATION = 1e-140, 1e140
# A deviation below this share of the mean has lost too many digits to rounding.
SMALLEST_RELATIVE_DEVIATION = 1e-9


@cache
def _quantiles(level: int, offset: int) -> tuple[float, ...]:
    """Return the quantiles of the normal distribution at (2j + offset) / (2 level), j from 0.

    Offset 0 gives the borders of intervals, offset 1 their middles. Negative quantiles are exactly
    the positive ones with the other sign.
    """
    normal = NormalDist()
    numerators = [2 * j + offset for j in range(level) if 0 < 2 * j + offset < 2 * level]
    upper = {n: -normal.inv_cdf((2 * level - n) / (2 * level)) for n in numerators if n > level}
    lower = {2 * level - n: -value for n, value in upper.items()}
    return tuple({**lower, level: 0.0, **upper}[n] for n in numerators)


def break_points(level: int) -> Floats:
    """Return the level - 1 values that separate the letters of a level."""
    return np.array(_quantiles(level, 0)[: level - 1], dtype=np.float64)


def letter_values(level: int) -> Floats:
    """Return for each letter of a level the normalized value that stands for it."""
    return np.array(_quantiles(level, 1), dtype=np.float64)


def _scaled_near_one(series: Floats) -> Floats:
    """Return each series times a power of two, so that its largest value is near 1.

    This changes no letter. It is done in two steps, because the power itself may overflow.
    """
    _, exponents = np.frexp(np.abs(series).max(axis=-1, keepdims=True))
    halfway = np.ldexp(series, -(exponents // 2))
    scaled: Floats = np.ldexp(halfway, -(exponents - exponents // 2))
    return scaled


def _deviations(series: Floats, axis: int) -> tuple[Floats, Floats, Floats]:
    """Return the differences from the mean, the mean and the sample standard deviation.

    ``axis`` is the axis of the points of a series: 1 if series are rows, 0 if they are columns.
    """
    points = series.shape[axis]
    mean = np.add.reduce(series, axis=axis, keepdims=True) / points
    differences = series - mean
    sums = np.einsum("rp,rp->r" if axis else "pr,pr->r", differences, differences)
    deviation = np.sqrt(np.expand_dims(sums, axis) / (points - 1))
    return differences, mean, deviation


def _normalize_block(series: Floats) -> Floats:
    """Return the z-normalized rows of one block.

    The result of a row does not depend on the other rows of its block. Rows for which the plain
    formula is inexact go through ``_normalize_extreme``.
    """
    is_short = series.shape[1] < SHORT_SERIES
    block, axis = (np.ascontiguousarray(series.T), 0) if is_short else (series, 1)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        differences, mean, deviation = _deviations(block, axis)
        is_exact = (deviation > SMALLEST_DEVIATION) & (deviation < LARGEST_DEVIATION)
        is_exact &= deviation > SMALLEST_RELATIVE_DEVIATION * np.abs(mean)
    extreme = np.flatnonzero(~is_exact)
    deviation.flat[extreme] = 1.0
    np.divide(differences, deviation, out=differences)
    normalized = np.ascontiguousarray(differences.T) if is_short else differences
    if extreme.size:
        normalized[extreme] = _normalize_extreme(series[extreme])
    return normalized


def _normalize_extreme(series: Floats) -> Floats:
    """Return z-normalized rows that are constant, nearly constant or of extreme magnitude."""
    is_constant = series.max(axis=1) == series.min(axis=1)
    scaled = _scaled_near_one(series)
    scaled -= scaled[:, :1]
    scaled = _scaled_near_one(scaled)
    differences, _, deviation = _deviations(scaled, 1)
    deviation[is_constant] = 1.0
    normalized: Floats = differences / deviation
    normalized[is_constant] = 0.0
    return normalized


def _blocks(rows: int, points: int) -> list[slice]:
    """Return slices that divide the rows into blocks of at most VALUES_AT_ONCE values."""
    step = max(1, VALUES_AT_ONCE // max(points, 1))
    return [slice(start, start + step) for start in range(0, rows, step)]


def z_normalize(series: Floats) -> Floats:
    """Return each series with mean 0 and sample standard deviation 1; a constant one becomes 0."""
    normalized = np.empty_like(series, dtype=np.float64)
    for block in _blocks(*series.shape):
        check()
        normalized[block] = _normalize_block(series[block])
    return normalized


def segment_means(series: Floats, segments: int) -> Floats:
    """Return the means of this many equally long segments of each series.

    If a border of segments lies within a point, the point counts partly in both segments.
    """
    rows, points = series.shape
    if points % segments == 0:
        means: Floats = series.reshape(rows, segments, points // segments).mean(axis=2)
        return means
    # One unit of length is 1 / (points * segments) of the series.
    borders = np.arange(segments + 1) * points
    segment_starts, segment_ends = borders[:-1, None], borders[1:, None]
    point_starts = np.arange(points) * segments
    point_ends = point_starts + segments
    overlap = np.minimum(segment_ends, point_ends) - np.maximum(segment_starts, point_starts)
    weights = np.maximum(overlap, 0) / points
    weighted: Floats = np.einsum("rp,sp->rs", series, weights)
    return weighted


def letters(series: Floats, level: int, segments: int | None = None) -> Letters:
    """Return the letters of each series, one for each segment.

    If ``segments`` is None, each point gets a letter. A value on a break point gets the higher
    letter.
    """
    rows, points = series.shape
    width = points if segments is None else segments
    found = np.zeros((rows, width), dtype=np.uint8)
    thresholds = break_points(level) - TOLERANCE
    for block in _blocks(rows, points):
        check()
        normalized = _normalize_block(series[block])
        if segments is not None:
            normalized = segment_means(normalized, segments)
        add_thresholds_reached(normalized, thresholds, found[block])
    return found


def add_thresholds_reached(values: Floats, thresholds: Floats, counts: Letters) -> None:
    """Add to each of ``counts``, in place, the number of thresholds that its value reaches."""
    is_reached = np.empty(values.shape, dtype=bool)
    for threshold in thresholds:
        np.greater_equal(values, threshold, out=is_reached)
        np.add(counts, is_reached.view(np.uint8), out=counts)


def words(letter_rows: Letters) -> list[str]:
    """Return each row of letters as a text, for example 'aab' for 0, 0, 1."""
    rows, width = letter_rows.shape
    text = (letter_rows + np.uint8(ord("a"))).tobytes().decode("ascii")
    return [text[start : start + width] for start in range(0, rows * width, width)]


def letters_of(texts: list[str]) -> Letters:
    """Return words of equal length as rows of letters, for example 0, 0, 1 for 'aab'."""
    flat = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
    return (flat - np.uint8(ord("a"))).reshape(len(texts), -1)


@cache
def _letter_table() -> Floats:
    """Return a matrix with the value of each letter (column) at each level (row), else NaN."""
    table = np.full((HIGHEST_LEVEL + 1, HIGHEST_LEVEL), np.nan)
    for level in range(LOWEST_LEVEL, HIGHEST_LEVEL + 1):
        table[level, :level] = letter_values(level)
    return table


def reconstruct(letter_rows: Letters, levels: int | Integers) -> Floats:
    """Return the normalized series that letters stand for.

    ``levels`` is one level for all rows, or one for each row.
    """
    level_of_row = np.broadcast_to(np.asarray(levels, dtype=np.int64), (letter_rows.shape[0],))
    series: Floats = _letter_table()[level_of_row[:, None], letter_rows]
    return series


def value_loss(low: Floats, high: Floats) -> Floats:
    """Return for each envelope the root mean square of its ranges, high minus low.

    The result is finite even if a range or a square is too large for a float.
    """
    with np.errstate(over="ignore"):
        ranges = high - low
    is_halved = ~np.isfinite(ranges).all(axis=1)
    ranges[is_halved] = high[is_halved] / 2 - low[is_halved] / 2
    # Scaled by a power of two, the largest range is between 1/2 and 1.
    _, exponents = np.frexp(ranges.max(axis=1, initial=0.0))
    squares = np.square(np.ldexp(ranges, -exponents[:, None]))
    loss: Floats = np.ldexp(np.sqrt(squares.mean(axis=1)), exponents + is_halved)
    return loss


def mean_loss(losses: Floats) -> float:
    """Return the mean of losses, even if their sum is too large for a float."""
    with np.errstate(over="ignore"):
        mean = float(losses.mean())
    return mean if np.isfinite(mean) else float((losses / losses.size).sum())


def pattern_loss(series: Floats, letter_rows: Letters, levels: int | Integers) -> Floats:
    """Return for each series one minus its correlation with the series of its letters.

    The (k,P) model defines the loss by the cosine of all pairwise differences, which equals the
    correlation. Two constant series have the loss 0.
    """
    published = z_normalize(reconstruct(letter_rows, levels))
    original = z_normalize(series)
    is_constant = ~original.any(axis=1) & ~published.any(axis=1)
    correlation = np.multiply(original, published).sum(axis=1) / (series.shape[1] - 1)
    correlation[is_constant] = 1.0
    loss: Floats = np.clip(1.0 - correlation, 0.0, 2.0)
    return loss
