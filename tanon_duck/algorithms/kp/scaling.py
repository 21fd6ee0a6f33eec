"""Bringing values of any magnitude and offset near zero without changing which is larger."""

import numpy as np

from tanon_duck.algorithms.sax import Floats


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
