"""TGA, perturbation-driven k-anonymization of trajectories (Nergiz, Atzori, Saygin 2007).

A baseline, for series that share their time points: grow groups of k around random members,
each time adding the series that raises the log cost of the group's boxes least; publish, for
every member, one random point of each box.  The fewer than k series left over are suppressed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Perturbed:
    """Group of each series (-1: suppressed), the boxes of each group, the published series."""

    group: Integers
    low: Floats
    high: Floats
    published: Floats


def log_costs(low: Floats, high: Floats, series: Floats, resolution: float) -> Floats:
    """Return for each series the log cost of the boxes once it has joined the group."""
    width = np.maximum(high, series) - np.minimum(low, series)
    costs: Floats = np.log(np.maximum(width, resolution)).sum(axis=1)
    return costs


def anonymize(series: Floats, k: int, seed: int = 0) -> Perturbed:
    """Publish perturbed series in groups of k."""
    rng = np.random.default_rng(seed)
    rows = series.shape[0]
    # A box no wider than this counts as one point; the logarithm needs a floor.
    resolution = max(float(np.ptp(series, axis=0).max()) * 1e-3, 1e-12) if rows else 1.0
    group = np.full(rows, -1, dtype=np.int64)
    left = rng.permutation(rows)
    lows: list[Floats] = []
    highs: list[Floats] = []
    while left.size >= k:
        members, left = [left[0]], left[1:]
        low, high = series[members[0]].copy(), series[members[0]].copy()
        while len(members) < k:
            best = int(log_costs(low, high, series[left], resolution).argmin())
            members.append(left[best])
            low, high = np.minimum(low, series[left[best]]), np.maximum(high, series[left[best]])
            left = np.delete(left, best)
        group[members] = len(lows)
        lows.append(low)
        highs.append(high)
    low = np.array(lows).reshape(len(lows), series.shape[1])
    high = np.array(highs).reshape(low.shape)
    published = low[group] + rng.random(series.shape) * (high[group] - low[group])
    published[group < 0] = np.nan
    return Perturbed(group, low, high, published)
