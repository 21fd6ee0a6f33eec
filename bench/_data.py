"""Generated inputs, the same on every machine: random walks, uniform series, streams, tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def normal_walks(rows: int, points: int = 11, seed: int | None = None) -> Floats:
    """Walks of standard normal steps; the first columns are the series, the last is sensitive."""
    chosen = np.random.default_rng(rows if seed is None else seed)
    walks: Floats = np.round(chosen.normal(size=(rows, points)).cumsum(axis=1), 6)
    return walks


def unit_walks(rows: int, points: int = 11) -> Floats:
    """Walks that start anywhere in [0, 1] with steps N(0, 0.1), scaled together to [0, 1]."""
    chosen = np.random.default_rng(20260107)
    most = max(rows, 100_000)
    walks = chosen.random((most, 1)) + chosen.normal(0, 0.1, (most, points)).cumsum(axis=1)
    scaled: Floats = np.round((walks - walks.min()) / (walks.max() - walks.min()), 6)[:rows]
    return scaled


def uniform_series(rows: int, points: int = 11, seed: int = 7) -> Floats:
    """Series without any shape: every value uniform in [0, 1]."""
    values: Floats = np.round(np.random.default_rng(seed).random((rows, points)), 6)
    return values


def daily_counts(
    snapshots: int,
    values: int,
    mean_records: float,
    skew: float = 1.0,
    drift: float = 0.02,
    spikes: float = 0.0,
    seed: int = 1,
) -> Integers:
    """Records per (snapshot, value): Zipf shares that drift, and days on which one value surges."""
    rng = np.random.default_rng(seed)
    logs = -skew * np.log(np.arange(1, values + 1))
    walk = rng.normal(0, drift, (snapshots, values)).cumsum(axis=0)
    weights = np.exp(logs + walk)
    surging = rng.random(snapshots) < spikes
    weights[surging, rng.integers(0, values, snapshots)[surging]] *= 20
    shares = weights / weights.sum(axis=1, keepdims=True)
    counts: Integers = rng.poisson(mean_records * shares).astype(np.int64)
    return counts
