"""Small random row sets of items, some items universal, some rows empty or repeated."""

import numpy as np


def random_rows(seed):
    """Rows as frozensets of item codes, and how many items there are."""
    rng = np.random.default_rng(seed)
    n_items = int(rng.integers(1, 7))
    n_rows = int(rng.integers(0, 41))
    shares = rng.choice([0.1, 0.3, 0.5, 0.7, 0.9, 1.0], size=n_items)
    held = rng.random((n_rows, n_items)) < shares
    return [frozenset(np.flatnonzero(row).tolist()) for row in held], n_items
