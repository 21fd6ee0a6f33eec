"""Bringing values of any magnitude and offset near zero without changing which is larger, and
what series are compared by where positions or series differ in scale.
"""

import numpy as np

from tanon_duck.algorithms.sax import Floats, Integers

SCALES = ("none", "position", "series")
# Series of one band differ in size by about a quarter, unless there are too few of them for that.
BAND, ROWS_IN_BAND = 0.25, 40


def near_zero(series: Floats) -> Floats:
    """Shift each attribute and scale all alike by a power of two, so that squares stay finite.

    The shift is a coarse multiple of a power of two: whole numbers stay exact.
    """
    if not series.size:
        return series
    low, high = series.min(axis=0), series.max(axis=0)
    middle = low / 2 + high / 2
    _, exponent = np.frexp(np.max(high / 4 - low / 4))
    coarse = int(exponent) + 2
    shift = np.where(np.abs(middle) < np.ldexp(1.0, min(coarse, 1023)), 0.0, middle)
    grid = np.ldexp(1.0, max(coarse - 4, -1000))
    shift = np.where(np.abs(shift / grid) < 2**52, np.rint(shift / grid) * grid, shift)
    shifted: Floats = np.ldexp(series / 4 - shift / 4, 2 - coarse)
    return shifted


def for_distances(series: Floats, scale: str) -> Floats:
    """Return points whose distances are those that grouping is to keep small.

    'none': the readings, for ranges narrow in their own unit. 'position': each position in units
    of its standard deviation, so that none outweighs the others. 'series': each series in units of
    its own size, and the logarithm of that size as one more coordinate: a size that is off by a
    small share moves every reading by that share, hence its weight. Equal series have equal
    points, and different ones different points, under all three.
    """
    scaled = near_zero(series)
    if not scaled.size or scale == "none":
        return scaled
    if scale == "position":
        deviation = scaled.std(axis=0)
        deviation[deviation == 0.0] = 1.0
        return near_zero(scaled / deviation)
    logarithm = log_sizes(series)
    # Twice, as the size of a tiny series may have no reciprocal.
    half = np.exp(-logarithm / 2)[:, None]
    relative = series * half * half
    weighted = np.sqrt(series.shape[1]) * logarithm[:, None]
    return near_zero(np.hstack((relative, weighted)))


def log_sizes(series: Floats) -> Floats:
    """Return the logarithm of the root mean square of each series.

    A series of nothing but zeros has no size: it stands a unit below the smallest one.
    """
    largest = np.abs(series).max(axis=1)
    empty = largest == 0.0
    largest[empty] = 1.0
    # Column after column, so that equal series come to exactly the same size.
    squares = np.zeros(series.shape[0])
    for column in series.T:
        squares += np.square(column / largest)
    squares[empty] = series.shape[1]
    logarithm: Floats = np.log(largest) + np.log(squares / series.shape[1]) / 2
    logarithm[empty] = logarithm[~empty].min(initial=0.0) - 1.0
    return logarithm


def size_bands(series: Floats, p: int) -> Integers:
    """Number the band of sizes that each series is in: none has few series or spans much.

    Words know no size. Where sizes differ by orders of magnitude, a P-group of one word would hold
    any of them; within a band it holds like ones, at the price of poorer words.
    """
    logarithm = log_sizes(series)
    spread = float(np.diff(np.quantile(logarithm, (0.05, 0.95)))[0])
    count = max(1, min(series.shape[0] // (ROWS_IN_BAND * p), int(np.ceil(spread / BAND))))
    inner = np.quantile(logarithm, np.arange(1, count) / count)
    bands: Integers = np.searchsorted(inner, logarithm, side="right").astype(np.int64)
    return bands
