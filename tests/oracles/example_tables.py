"""Small and random tables of series that several suites share."""

import numpy as np

# The incomes of eight people over six years and, last, the year nobody may learn.
INCOMES = np.array(
    [
        [170, 175, 188, 197, 213, 221, 200],
        [145, 157, 165, 177, 204, 196, 180],
        [176, 181, 147, 134, 125, 112, 160],
        [98, 120, 125, 132, 151, 161, 110],
        [117, 107, 87, 74, 51, 56, 85],
        [32, 54, 59, 67, 96, 101, 90],
        [88, 93, 56, 43, 20, 25, 55],
        [71, 63, 47, 38, 43, 20, 46],
    ],
    dtype=np.float64,
)


def normal_walk(n, seed=None, m=11):
    """Walks of standard normal steps."""
    steps = np.random.default_rng(n if seed is None else seed).normal(size=(n, m))
    return np.round(steps.cumsum(axis=1), 6)


def unit_walk(n, m=11):
    """Walks from U(0,1) with steps N(0, 0.1), brought to [0,1] over 100,000 of them."""
    rng = np.random.default_rng(20260107)
    x = rng.random((100_000, 1)) + np.cumsum(rng.normal(0, 0.1, (100_000, m)), axis=1)
    return np.round((x - x.min()) / (x.max() - x.min()), 6)[:n]


def random_series(kind, n, m, seed):
    """Return n series of m points of one of the shapes that break careless code."""
    rng = np.random.default_rng(seed)
    if kind == "walk":
        return rng.normal(size=(n, m)).cumsum(axis=1)
    if kind == "integer":
        return rng.integers(0, 4, size=(n, m)).astype(float)
    if kind == "decimal":
        return np.round(rng.uniform(0, 3, size=(n, m)), 1)
    if kind == "constant":
        flat = np.repeat(rng.integers(0, 3, size=(n, 1)).astype(float), m, axis=1)
        flat[rng.random(n) < 0.4] += np.round(rng.normal(size=m), 1)
        return flat
    if kind == "geometric":
        return 1.7 ** rng.permutation(n)[:, None] * (1.0 + 0.01 * np.arange(m))
    raise ValueError(kind)


SERIES_KINDS = ("walk", "integer", "decimal", "constant", "geometric")
