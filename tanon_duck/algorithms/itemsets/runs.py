"""Runs of given widths laid out one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .transactions import Integers


def running(widths: Integers) -> Integers:
    """0, 1, 2, ... within each run."""
    starts = np.cumsum(widths) - widths
    return np.arange(int(widths.sum())) - np.repeat(starts, widths)


def parts(widths: Integers, at_once: int) -> Iterator[slice]:
    """Slices of consecutive runs that sum up to about `at_once`, one run at least."""
    total = np.cumsum(widths)
    start = 0
    while start < widths.size:
        check()
        before = int(total[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(total, before + at_once, side="right")))
        yield slice(start, stop)
        start = stop
