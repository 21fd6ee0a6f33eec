"""Counts the frequent pairs of items.

``count_pairs`` chooses one of three ways, by the shape of the data: bit columns if a fifth of all
(row, item) pairs exist, a table of all pairs if it is small, and sorting otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import count_common, packed_columns
from .runs import parts, running
from .transactions import Flags, Integers, RankedRows, Ranks, run_starts

PAIRS_AT_ONCE = 1 << 20
# Cells of a table of all pairs, or of all ranks and rows. It limits the memory.
LARGEST_TABLE = 1 << 26
# A table with more cells than this for each pair that occurs would be mostly empty.
CELLS_PER_PAIR = 4
# Rows are dense if they contain at least this share of the frequent items.
DENSE_SHARE = 0.2


@dataclass(frozen=True)
class FrequentPairs:
    """The frequent pairs and their supports.

    The code of a pair is rank * n_ranks + larger rank. ``codes`` are sorted, ``counts`` are the
    supports. ``table`` marks the codes of frequent pairs, if the table was small enough.
    """

    n_ranks: int
    codes: Integers
    counts: Integers
    table: Flags | None

    def contains(self, codes: Integers) -> Flags:
        """Return which of the codes are of frequent pairs."""
        if self.table is not None:
            return self.table[codes]
        if not self.codes.size:
            return np.zeros(codes.shape, dtype=np.bool_)
        found = self.codes[np.minimum(self.locate(codes), self.codes.size - 1)]
        return np.asarray(found == codes)

    def locate(self, codes: Integers) -> Integers:
        """Return the position of each code in ``codes``."""
        return np.searchsorted(self.codes, codes)


def count_pairs(ranked: RankedRows, min_count: int) -> FrequentPairs:
    """Return the pairs that at least ``min_count`` rows contain."""
    size = ranked.n_ranks * ranked.n_ranks
    _, lengths = ranked.spans()
    n_occurrences = int((lengths * (lengths - 1)).sum()) // 2
    if size > min(LARGEST_TABLE, CELLS_PER_PAIR * n_occurrences):
        codes, counts = _count_sparsely(ranked, min_count)
        return FrequentPairs(ranked.n_ranks, codes, counts, None)
    square = _count_in_bit_columns(ranked) if is_dense(ranked) else _count_in_table(ranked)
    totals = np.triu(square, 1).ravel()
    table = totals >= min_count
    codes = np.flatnonzero(table)
    return FrequentPairs(ranked.n_ranks, codes, totals[codes], table)


def is_dense(ranked: RankedRows) -> bool:
    """Return whether a table of ranks and rows is small enough, and not mostly empty."""
    size = ranked.n_rows * ranked.n_ranks
    return size <= LARGEST_TABLE and ranked.ranks.size >= size * DENSE_SHARE


def _count_in_bit_columns(ranked: RankedRows) -> Integers:
    """Return the supports of all pairs in the upper triangle of a matrix."""
    bits = packed_columns(ranked.table())
    totals = np.zeros((ranked.n_ranks, ranked.n_ranks), dtype=np.int64)
    later = np.arange(ranked.n_ranks - 1, -1, -1)
    for block in parts(later, PAIRS_AT_ONCE):
        check()
        left = np.repeat(np.arange(ranked.n_ranks)[block], later[block])
        right = left + 1 + running(later[block])
        totals[left, right] = count_common(bits, left, right)
    return totals


def _count_in_table(ranked: RankedRows) -> Integers:
    """Return the supports of all pairs as a symmetric matrix, adding up row by row."""
    size = ranked.n_ranks * ranked.n_ranks
    totals = np.zeros(size, dtype=np.int64)
    for left, right in _pair_chunks(ranked, max(PAIRS_AT_ONCE, size)):
        check()
        totals += np.bincount(_codes(left, right, ranked.n_ranks).ravel(), minlength=size)
    square = totals.reshape(ranked.n_ranks, ranked.n_ranks)
    return np.asarray(square + square.T)


def _count_sparsely(ranked: RankedRows, min_count: int) -> tuple[Integers, Integers]:
    """Return the codes of frequent pairs, and their supports, without a table of all pairs.

    A few very long rows have most of the pairs. They are looked up instead of counted: each
    frequent pair is in another row too, if there are fewer than ``min_count`` such rows.
    """
    rest, long_rows = _separate_long_rows(ranked, min_count - 1)
    codes, counts = _count_by_sorting(rest)
    is_in_row = np.zeros(ranked.n_ranks, dtype=np.bool_)
    for ranks in long_rows:
        check()
        is_in_row[:] = False
        is_in_row[ranks] = True
        counts += is_in_row[codes // ranked.n_ranks] & is_in_row[codes % ranked.n_ranks]
    frequent = counts >= min_count
    return codes[frequent], counts[frequent]


def _separate_long_rows(ranked: RankedRows, most: int) -> tuple[RankedRows, list[Ranks]]:
    """Return the rows without the longest ones, and the ranks of each of these.

    They are at most ``most`` rows, and only rows with very many pairs.
    """
    starts, lengths = ranked.spans()
    long = np.flatnonzero(lengths * (lengths - 1) > PAIRS_AT_ONCE << 4)
    if not long.size:
        return ranked, []
    separated = long[np.argsort(-lengths[long], kind="stable")[:most]]
    wanted = np.ones(lengths.size, dtype=np.bool_)
    wanted[separated] = False
    others = np.flatnonzero(np.repeat(wanted, lengths))
    rest = replace(ranked, rows=ranked.rows[others], ranks=ranked.ranks[others])
    return rest, [ranked.ranks[starts[row] : starts[row] + lengths[row]] for row in separated]


def _count_by_sorting(ranked: RankedRows) -> tuple[Integers, Integers]:
    """Return the codes of all pairs that occur, sorted, and their supports."""
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
    """Return the codes left * n_ranks + right."""
    codes: Integers = np.multiply(left, n_ranks, dtype=np.int64)
    codes += right
    return codes


def _pair_chunks(ranked: RankedRows, at_once: int) -> Iterator[tuple[Ranks, Ranks]]:
    """Yield the two ranks of each pair of items of each row, with the axes pairs and rows."""
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
