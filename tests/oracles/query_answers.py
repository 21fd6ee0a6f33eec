"""Queries over series answered one row at a time, by their definitions."""

from statistics import NormalDist

import numpy as np


def normalize(values):
    """Return the series with mean 0 and sample standard deviation 1 (constant: zeros)."""
    values = np.asarray(values, dtype=float)
    if values.max() == values.min():
        return np.zeros(values.size)
    return (values - values.mean()) / values.std(ddof=1)


def rebuilt(word, level):
    """Return the values that stand for the letters of a word."""
    normal = NormalDist()
    return np.array([normal.inv_cdf((ord(c) - ord("a") + 0.5) / level) for c in word])


def pairwise(values):
    """Return all differences between later and earlier values."""
    n = len(values)
    return np.array([values[j] - values[i] for i in range(n) for j in range(i + 1, n)])


def distance(first, second):
    """Return the cosine distance of the two vectors of pairwise differences."""
    one, other = pairwise(normalize(first)), pairwise(normalize(second))
    if not one.any() and not other.any():
        return 0.0
    if not one.any() or not other.any():
        return 1.0
    return 1.0 - float(one @ other) / float(np.linalg.norm(one) * np.linalg.norm(other))


def share(low, high, least, most):
    """Return which share of a uniform range lies in [least, most]."""
    if low == high:
        return 1.0 if least <= low <= most else 0.0
    return max(0.0, min(high, most) - max(low, least)) / (high - low)


def chance(low, high, ranges):
    """Return the chance that a series of this envelope satisfies (position, least, most) ranges."""
    product = 1.0
    for position, least, most in ranges:
        product *= share(low[position], high[position], least, most)
    return product
