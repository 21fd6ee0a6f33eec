"""The coordinates in which series are compared: ``for_distances`` returns them.

The argument ``scale`` of the SQL functions chooses them: 'none', 'position' or 'series'.
``near_zero`` brings values of any magnitude near zero. ``log_sizes`` and ``size_bands`` divide
series by their size.
"""

import numpy as np

from tanon_duck.algorithms.sax import Floats, Integers

SCALES = ("none", "position", "series")
# The largest series of a band of sizes is about a quarter larger than the smallest.
WIDTH_OF_BAND = 0.25
# A band has at least 40 P series, so that many of them have equal words.
ROWS_IN_BAND = 40


def near_zero(series: Floats) -> Floats:
    """Return the series shifted and scaled so that squares of values are finite.

    Each position has a shift of its own; all have the same scale, a power of two. A shift is a
    multiple of a power of two, so that integers are still exact.
    """
    if not series.size:
        return series
    low, high = series.min(axis=0), series.max(axis=0)
    middle = low / 2 + high / 2
    _, exponent = np.frexp(np.max(high / 4 - low / 4))
    scale_exponent = int(exponent) + 2
    is_near_zero = np.abs(middle) < np.ldexp(1.0, min(scale_exponent, 1023))
    shift = np.where(is_near_zero, 0.0, middle)
    step = np.ldexp(1.0, max(scale_exponent - 4, -1000))
    shift = np.where(np.abs(shift / step) < 2**52, np.rint(shift / step) * step, shift)
    shifted: Floats = np.ldexp(series / 4 - shift / 4, 2 - scale_exponent)
    return shifted


def for_distances(series: Floats, scale: str) -> Floats:
    """Return for each series a point. Series with near points are to be in one group.

    - 'none': the values themselves, so that ranges are narrow in the unit of the values.
    - 'position': each position divided by its standard deviation, so that all positions count
      equally.
    - 'series': each series divided by its size, and the logarithm of the size as one more
      coordinate. Its weight is the root of the number of positions: a size that is larger by 1 %
      counts as much as all values being larger by 1 %.

    Equal series have equal points, and different series have different points.
    """
    scaled = near_zero(series)
    if not scaled.size or scale == "none":
        return scaled
    if scale == "position":
        deviation = scaled.std(axis=0)
        deviation[deviation == 0.0] = 1.0
        return near_zero(scaled / deviation)
    log_size = log_sizes(series)
    # The factor 1 / size is applied in two steps, because it may overflow for a tiny size.
    root_of_factor = np.exp(-log_size / 2)[:, None]
    relative = series * root_of_factor * root_of_factor
    weighted = np.sqrt(series.shape[1]) * log_size[:, None]
    return near_zero(np.hstack((relative, weighted)))


def log_sizes(series: Floats) -> Floats:
    """Return the logarithm of the size, the root mean square, of each series.

    For a series of zeros it is 1 below the smallest logarithm of the other series.
    """
    largest = np.abs(series).max(axis=1)
    is_zero = largest == 0.0
    largest[is_zero] = 1.0
    # Summed column by column, equal series have exactly equal sizes.
    squares = np.zeros(series.shape[0])
    for column in series.T:
        squares += np.square(column / largest)
    squares[is_zero] = series.shape[1]
    log_size: Floats = np.log(largest) + np.log(squares / series.shape[1]) / 2
    log_size[is_zero] = log_size[~is_zero].min(initial=0.0) - 1.0
    return log_size


def size_bands(series: Floats, p: int) -> Integers:
    """Return the band of sizes of each series, from 0; bands have about equally many series.

    A word does not depend on the size. If P-groups were made from all series, one P-group could
    hold sizes of different orders of magnitude. Within a band sizes are similar, but equal words
    are rarer.
    """
    log_size = log_sizes(series)
    spread = float(np.diff(np.quantile(log_size, (0.05, 0.95)))[0])
    most_by_rows = series.shape[0] // (ROWS_IN_BAND * p)
    count = max(1, min(most_by_rows, int(np.ceil(spread / WIDTH_OF_BAND))))
    borders = np.quantile(log_size, np.arange(1, count) / count)
    bands: Integers = np.searchsorted(borders, log_size, side="right").astype(np.int64)
    return bands
