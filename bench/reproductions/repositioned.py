"""Streams of counts through the repositioning methods, and what is measured of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bench._data import Integers
from bench.baselines.figure_4_mended import mended
from tanon_duck.algorithms.reposition.stream import Repositioner
from tanon_duck.algorithms.reposition.window import Flow, Settings

MICRO = 1_000_000
BETA = 20
NAMES = {
    "paper": "as printed",
    "mended": "one line mended",
    "step": "step",
    "window": "whole window",
}


def settings_for(l: Fraction, w: int, values: int, beta: int = BETA) -> Settings:  # noqa: E741
    """Distance as cost, one suppression cost for every value."""
    return Settings(l, w, tuple(MICRO * d for d in range(w + 1)), (MICRO * beta,) * values)


def run_stream(counts: Integers, l: Fraction, w: int, method: str) -> list[Flow]:  # noqa: E741
    """Reposition a matrix of counts by one of the methods in NAMES; return the flows."""
    snapshot, value = np.nonzero(counts)
    settings = settings_for(l, w, counts.shape[1])
    stream = mended(settings) if method == "mended" else Repositioner(settings, method)
    return stream.advance(snapshot, value, counts[snapshot, value]) + stream.finish()


def measures(counts: Integers, flows: Sequence[Flow]) -> dict[str, float]:
    """Loss per record, suppressed share, moved share, mean distance of the moved."""
    total = int(counts.sum())
    suppressed = sum(n for _, _, slot, n in flows if slot is None)
    moved = [(slot - home, n) for _, home, slot, n in flows if slot is not None and slot > home]
    movers = sum(n for _, n in moved)
    loss = BETA * suppressed + sum(d * n for d, n in moved)
    return {
        "loss per record": loss / total,
        "suppressed %": 100 * suppressed / total,
        "moved %": 100 * movers / total,
        "mean distance of moved": sum(d * n for d, n in moved) / movers if movers else 0.0,
    }


def published(counts: Integers, flows: Sequence[Flow]) -> Integers:
    """Records per (slot, value) after repositioning."""
    result = np.zeros_like(counts)
    for value, _, slot, records in flows:
        if slot is not None:
            result[slot, value] += records
    return result


def window_error(before: Integers, after: Integers, length: int) -> float:
    """Mean relative error of all counts of one value over `length` snapshots that are not empty."""
    sums = [_window_sums(counts, length) for counts in (before, after)]
    asked = sums[0] > 0
    return float((np.abs(sums[1] - sums[0])[asked] / sums[0][asked]).mean())


def _window_sums(counts: Integers, length: int) -> NDArray[np.int64]:
    running = np.vstack([np.zeros((1, counts.shape[1]), dtype=np.int64), counts.cumsum(axis=0)])
    sums: NDArray[np.int64] = running[length:] - running[:-length]
    return sums
