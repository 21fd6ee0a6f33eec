"""Runs: several ranges of numbers in one array, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .transactions import Integers


def running(widths: Integers) -> Integers:
    """Return 0, 1, 2, ... within each run. For example, widths 2, 3 give 0, 1, 0, 1, 2."""
    starts = np.cumsum(widths) - widths
    return np.arange(int(widths.sum())) - np.repeat(starts, widths)


def parts(widths: Integers, at_once: int) -> Iterator[slice]:
    """Yield slices of consecutive runs whose widths sum up to at most ``at_once``.

    A slice has at least one run, even if this is wider.
    """
    total = np.cumsum(widths)
    start = 0
    while start < widths.size:
        check()
        before = int(total[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(total, before + at_once, side="right")))
        yield slice(start, stop)
        start = stop
