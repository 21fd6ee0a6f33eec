"""Frequent pairs of items, counted row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import count_common, packed_columns
from .runs import parts, running
from .transactions import Flags, Integers, RankedRows, Ranks, run_starts

PAIRS_AT_ONCE = 1 << 20
LARGEST_TABLE = 1 << 26
CELLS_PER_PAIR = 4
DENSE_SHARE = 0.2


@dataclass(frozen=True)
class FrequentPairs:
    """Codes `rank * n + larger rank` of the frequent pairs, sorted, and their supports."""

    n_ranks: int
    codes: Integers
    counts: Integers
    table: Flags | None

    def contains(self, codes: Integers) -> Flags:
        """Which of the codes are frequent pairs."""
        if self.table is not None:
            return self.table[codes]
        if not self.codes.size:
            return np.zeros(codes.shape, dtype=np.bool_)
        found = self.codes[np.minimum(self.locate(codes), self.codes.size - 1)]
        return np.asarray(found == codes)

    def locate(self, codes: Integers) -> Integers:
        """Where each code stands in `codes`."""
        return np.searchsorted(self.codes, codes)


def count_pairs(ranked: RankedRows, min_count: int) -> FrequentPairs:
    """Supports of all pairs that reach `min_count`; few pairs are not worth a table of all."""
    size = ranked.n_ranks * ranked.n_ranks
    _, lengths = ranked.spans()
    found = int((lengths * (lengths - 1)).sum()) // 2
    if size > min(LARGEST_TABLE, CELLS_PER_PAIR * found):
        codes, counts = _count_sparsely(ranked, min_count)
        return FrequentPairs(ranked.n_ranks, codes, counts, None)
    square = _counted_in_bits(ranked) if is_dense(ranked) else _added_up(ranked)
    totals = np.triu(square, 1).ravel()
    table = totals >= min_count
    codes = np.flatnonzero(table)
    return FrequentPairs(ranked.n_ranks, codes, totals[codes], table)


def is_dense(ranked: RankedRows) -> bool:
    """Whether a table of which rank is in which row is small, and not mostly empty."""
    size = ranked.n_rows * ranked.n_ranks
    return size <= LARGEST_TABLE and ranked.ranks.size >= size * DENSE_SHARE


def _counted_in_bits(ranked: RankedRows) -> Integers:
    bits = packed_columns(ranked.held())
    totals = np.zeros((ranked.n_ranks, ranked.n_ranks), dtype=np.int64)
    later = np.arange(ranked.n_ranks - 1, -1, -1)
    for block in parts(later, PAIRS_AT_ONCE):
        check()
        left = np.repeat(np.arange(ranked.n_ranks)[block], later[block])
        right = left + 1 + running(later[block])
        totals[left, right] = count_common(bits, left, right)
    return totals


def _added_up(ranked: RankedRows) -> Integers:
    size = ranked.n_ranks * ranked.n_ranks
    totals = np.zeros(size, dtype=np.int64)
    for left, right in _pair_chunks(ranked, max(PAIRS_AT_ONCE, size)):
        check()
        totals += np.bincount(_codes(left, right, ranked.n_ranks).ravel(), minlength=size)
    square = totals.reshape(ranked.n_ranks, ranked.n_ranks)
    return np.asarray(square + square.T)


def _count_sparsely(ranked: RankedRows, min_count: int) -> tuple[Integers, Integers]:
    """Count the pairs of all rows but a few long ones, and look those pairs up in the long ones."""
    rest, long_rows = _set_aside(ranked, min_count - 1)
    codes, counts = _counted_by_sorting(rest)
    held = np.zeros(ranked.n_ranks, dtype=np.bool_)
    for ranks in long_rows:
        check()
        held[:] = False
        held[ranks] = True
        counts += held[codes // ranked.n_ranks] & held[codes % ranked.n_ranks]
    frequent = counts >= min_count
    return codes[frequent], counts[frequent]


def _set_aside(ranked: RankedRows, most: int) -> tuple[RankedRows, list[Ranks]]:
    """Take out at most so many rows, of those with more pairs than are counted at once.

    A pair in one row more than these is in another row too.
    """
    starts, lengths = ranked.spans()
    long = np.flatnonzero(lengths * (lengths - 1) > PAIRS_AT_ONCE << 4)
    if not long.size:
        return ranked, []
    aside = long[np.argsort(-lengths[long], kind="stable")[:most]]
    wanted = np.ones(lengths.size, dtype=np.bool_)
    wanted[aside] = False
    kept = np.flatnonzero(np.repeat(wanted, lengths))
    rest = replace(ranked, rows=ranked.rows[kept], ranks=ranked.ranks[kept])
    return rest, [ranked.ranks[starts[row] : starts[row] + lengths[row]] for row in aside]


def _counted_by_sorting(ranked: RankedRows) -> tuple[Integers, Integers]:
    codes = np.zeros(0, dtype=np.int64)
    counts = np.zeros(0, dtype=np.int64)
    for left, right in _pair_chunks(ranked, PAIRS_AT_ONCE << 3):
        check()
        chunk = _codes(np.minimum(left, right), np.maximum(left, right), ranked.n_ranks)
        new_codes = np.sort(chunk, axis=None)
        merged = np.concatenate([codes, new_codes])
        order = np.argsort(merged, kind="stable")
        starts = np.flatnonzero(run_starts(merged[order]))
        weights = np.concatenate([counts, np.ones(new_codes.size, dtype=np.int64)])[order]
        codes = merged[order[starts]]
        counts = np.add.reduceat(weights, starts)
    return codes, counts


def _codes(left: Ranks, right: Ranks, n_ranks: int) -> Integers:
    codes: Integers = np.multiply(left, n_ranks, dtype=np.int64)
    codes += right
    return codes


def _pair_chunks(ranked: RankedRows, at_once: int) -> Iterator[tuple[Ranks, Ranks]]:
    """The two ranks of every pair of items of a row, laid out (pairs, rows)."""
    for ranks in ranked.by_length():
        check()
        later = np.arange(ranks.shape[0] - 1, 0, -1)
        for block in parts(later, at_once):
            check()
            first = np.repeat(np.arange(later.size)[block], later[block])
            second = first + 1 + running(later[block])
            step = max(1, at_once // first.size)
            for start in range(0, ranks.shape[1], step):
                check()
                part = ranks[:, start : start + step]
                yield part[first], part[second]
