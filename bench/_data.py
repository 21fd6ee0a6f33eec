"""Generated inputs, the same on every machine: random walks, uniform series, streams, tables."""

from __future__ import annotations

from itertools import pairwise

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


def baskets(rows: int, items: int = 1000, patterns: int = 2000, seed: int = 7) -> list[Integers]:
    """Quest-like baskets as (basket, item) arrays: about 12 items, parts of frequent patterns."""
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=patterns)
    popularity = 1 / np.arange(1, items + 1) ** 0.6
    sizes = np.maximum(1, rng.poisson(4, patterns))
    drawn = [
        rng.choice(items, size, replace=False, p=popularity / popularity.sum()) for size in sizes
    ]
    for before, own in pairwise(drawn):
        shared = min(before.size, own.size) // 4
        own[:shared] = before[:shared]
    flat, starts = np.concatenate(drawn), np.cumsum(sizes) - sizes
    kept_share = np.clip(rng.normal(0.5, 0.1, patterns), 0, 1)
    chosen = rng.choice(patterns, size=(rows, 6), p=weights / weights.sum()).ravel()
    counts = sizes[chosen]
    place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    item = flat[np.repeat(starts[chosen], counts) + place]
    basket = np.repeat(np.repeat(np.arange(rows), 6), counts)
    kept = rng.random(item.size) < np.repeat(kept_share[chosen], counts)
    return list(np.divmod(np.unique(basket[kept] * items + item[kept]), items))


def correlated_categories(rows: int, columns: int = 22, seed: int = 5) -> list[Integers]:
    """A dense table as (row, item) arrays: one item per column, columns that follow each other.

    The last four columns say what others say in other words, so that many itemsets are not closed.
    """
    rng = np.random.default_rng(seed)
    choices = rng.integers(2, 7, columns)
    choices[-4:] = choices[:4]
    values = np.empty((rows, columns), dtype=np.int64)
    for column, n in enumerate(choices):
        skewed = rng.choice(n, rows, p=np.arange(n, 0, -1) ** 2 / (np.arange(n, 0, -1) ** 2).sum())
        follows = rng.random(rows) < 0.7
        values[:, column] = np.where(follows & (column > 0), values[:, column - 1] % n, skewed)
    values[:, -4:] = values[:, :4]
    offsets = np.cumsum(choices) - choices
    return [np.repeat(np.arange(rows), columns), (values + offsets).ravel()]
