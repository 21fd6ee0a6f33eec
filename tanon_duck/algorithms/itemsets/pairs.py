"""Frequent pairs of items, and packed bit columns for every branch (rows that hold one item)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .runs import parts, running
from .transactions import Flags, Integers, RankedRows, run_starts

Words = NDArray[np.uint64]

PAIRS_AT_ONCE = 1 << 20
LARGEST_TABLE = 1 << 26
FLAGS_AT_ONCE = 1 << 28
WIDEST_TO_NARROWEST = 1.5
DENSE_SHARE = 0.2
_NOTHING = np.zeros(0, dtype=np.bool_)


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
    """Supports of all pairs that reach `min_count`."""
    size = ranked.n_ranks * ranked.n_ranks
    if size > LARGEST_TABLE:
        codes, counts = _count_sparsely(ranked, min_count)
        return FrequentPairs(ranked.n_ranks, codes, counts, None)
    totals = np.zeros(size, dtype=np.int64)
    for chunk, _, _ in _pair_chunks(ranked, max(PAIRS_AT_ONCE, size)):
        totals += np.bincount(chunk.ravel(), minlength=size)
    table = totals >= min_count
    codes = np.flatnonzero(table)
    return FrequentPairs(ranked.n_ranks, codes, totals[codes], table)


def _count_sparsely(ranked: RankedRows, min_count: int) -> tuple[Integers, Integers]:
    codes = np.zeros(0, dtype=np.int64)
    counts = np.zeros(0, dtype=np.int64)
    for chunk, _, _ in _pair_chunks(ranked, PAIRS_AT_ONCE << 3):
        new_codes = np.sort(chunk, axis=None)
        merged = np.concatenate([codes, new_codes])
        order = np.argsort(merged, kind="stable")
        starts = np.flatnonzero(run_starts(merged[order]))
        weights = np.concatenate([counts, np.ones(new_codes.size, dtype=np.int64)])[order]
        codes = merged[order[starts]]
        counts = np.add.reduceat(weights, starts)
    frequent = counts >= min_count
    return codes[frequent], counts[frequent]


def _pair_chunks(
    ranked: RankedRows, at_once: int
) -> Iterator[tuple[Integers, tuple[Integers, Integers], Integers]]:
    """Pair codes (pairs of a row, rows), which columns they pair, and the columns' positions."""
    for length, (ranks, positions) in ranked.of_length.items():
        later = np.arange(length - 1, 0, -1)
        for block in parts(later, at_once):
            first = np.repeat(np.arange(length - 1)[block], later[block])
            second = first + 1 + running(later[block])
            step = max(1, at_once // first.size)
            for start in range(0, ranks.shape[1], step):
                part = ranks[:, start : start + step]
                codes = (part * ranked.n_ranks)[first] + part[second]
                yield codes, (first, second), positions[:, start : start + step]


@dataclass(frozen=True)
class Bucket:
    """Branches of similar width: one bit column per frequent (branch, partner) pair.

    Column c of `bits` (words, columns) flags, among the rows that hold item `branch[c]`, those
    that hold `item[c]` too. Columns are sorted by branch, then item; branch b of the bucket owns
    the columns from `starts[b]` to `starts[b + 1]`.
    """

    branches: Integers
    starts: Integers
    item: Integers
    count: Integers
    bits: Words


@dataclass(frozen=True)
class _Layout:
    """Where in the arena of flags each ordered pair keeps its column."""

    codes: Integers
    counts: Integers
    offsets: Integers
    buckets: list[tuple[int, int, int]]


def buckets(ranked: RankedRows, pairs: FrequentPairs, both_ways: bool) -> Iterator[Bucket]:
    """Every branch once; `both_ways` adds the columns of partners rarer than the branch."""
    codes, counts = pairs.codes, pairs.counts
    if both_ways:
        low, high = np.divmod(codes, max(ranked.n_ranks, 1))
        codes = np.concatenate([codes, high * ranked.n_ranks + low])
        counts = np.concatenate([counts, counts])
        order = np.argsort(codes)
        codes, counts = codes[order], counts[order]
    owners = np.searchsorted(codes, np.arange(ranked.n_ranks + 1) * ranked.n_ranks)
    widths = -(-ranked.supports // 64)
    held = ranked.held() if _is_dense(ranked) else None
    for layout in _layouts(codes, counts, owners, widths):
        arena = _fill(ranked, pairs, layout, both_ways) if held is None else _NOTHING
        start = 0
        for low_rank, high_rank, width in layout.buckets:
            first = int(owners[low_rank] - owners[layout.buckets[0][0]])
            n_columns = int(owners[high_rank] - owners[low_rank])
            own = slice(first, first + n_columns)
            stop = start + n_columns * width * 64
            starts = owners[low_rank : high_rank + 1] - owners[low_rank]
            item = layout.codes[own] % ranked.n_ranks
            if held is not None:
                flags = _gathered(held, low_rank, starts, item, width)
            else:
                flags = arena[start:stop].reshape(n_columns, width * 64)
            packed = np.packbits(flags, axis=1, bitorder="little").view(np.uint64)
            start = stop
            yield Bucket(
                np.arange(low_rank, high_rank),
                starts,
                item,
                layout.counts[own],
                np.ascontiguousarray(packed.T),
            )


def _is_dense(ranked: RankedRows) -> bool:
    """Whether looking up every cell is quicker than setting the cells that are held."""
    rows, entries = ranked.cells()
    size = rows * ranked.n_ranks
    return size <= LARGEST_TABLE and entries >= size * DENSE_SHARE


def _gathered(held: Flags, low_rank: int, starts: Integers, item: Integers, width: int) -> Flags:
    """The columns of a bucket's branches, looked up in the table of who holds what."""
    flags = np.zeros((item.size, width * 64), dtype=np.bool_)
    for number in range(starts.size - 1):
        own = slice(starts[number], starts[number + 1])
        rows = np.flatnonzero(held[low_rank + number])
        flags[own, : rows.size] = held[item[own]].take(rows, axis=1)
    return flags


def _layouts(
    codes: Integers, counts: Integers, owners: Integers, widths: Integers
) -> Iterator[_Layout]:
    """Ranges of branches whose flags fit in memory together, cut into buckets of like width."""
    planned: list[tuple[int, int, int]] = []
    used = 0
    for low, high, width in _bucket_ranges(owners, widths):
        size = int(owners[high] - owners[low]) * width * 64
        if planned and used + size > FLAGS_AT_ONCE:
            yield _layout(codes, counts, owners, planned)
            planned, used = [], 0
        planned.append((low, high, width))
        used += size
    if planned:
        yield _layout(codes, counts, owners, planned)


def _bucket_ranges(owners: Integers, widths: Integers) -> Iterator[tuple[int, int, int]]:
    low = 0
    while low < widths.size:
        widest = int(widths[low] * WIDEST_TO_NARROWEST) + 2
        high = int(np.searchsorted(widths, widest, side="right"))
        room = FLAGS_AT_ONCE // (64 * int(widths[high - 1])) + owners[low]
        high = min(high, max(low + 1, int(np.searchsorted(owners, room, side="right")) - 1))
        yield low, high, int(widths[high - 1])
        low = high


def _layout(
    codes: Integers, counts: Integers, owners: Integers, planned: list[tuple[int, int, int]]
) -> _Layout:
    own = slice(owners[planned[0][0]], owners[planned[-1][1]])
    widths = np.concatenate(
        [np.full(owners[high] - owners[low], width * 64) for low, high, width in planned]
    ).astype(np.int64)
    return _Layout(codes[own], counts[own], np.cumsum(widths) - widths, planned)


def _fill(ranked: RankedRows, pairs: FrequentPairs, layout: _Layout, both_ways: bool) -> Flags:
    """Set the flag of every occurrence of every pair the layout holds."""
    total = int(layout.offsets[-1]) + layout.buckets[-1][2] * 64 if layout.offsets.size else 0
    arena = np.zeros(total, dtype=np.bool_)
    forward, backward = _column_offsets(ranked.n_ranks, pairs, layout, both_ways)
    if not total:
        return arena
    number_of = np.cumsum(pairs.table, dtype=np.int32) - 1 if pairs.table is not None else None
    for codes, (first, second), positions in _pair_chunks(ranked, PAIRS_AT_ONCE):
        hit = pairs.contains(codes)
        column, row = np.nonzero(hit)
        hit_codes = codes[hit]
        number = pairs.locate(hit_codes) if number_of is None else number_of[hit_codes]
        for offsets, side in ((forward, first), (backward, second)):
            target = offsets[number]
            at = positions[side[column], row]
            inside = target >= 0
            if inside.all():
                arena[target + at] = True
            else:
                arena[target[inside] + at[inside]] = True
    return arena


def _column_offsets(
    n_ranks: int, pairs: FrequentPairs, layout: _Layout, both_ways: bool
) -> tuple[Integers, Integers]:
    """For each frequent pair where its two columns start; -1 where the layout has none."""
    low, high = np.divmod(pairs.codes, max(n_ranks, 1))
    found = []
    for codes in (pairs.codes, high * n_ranks + low):
        at = np.minimum(np.searchsorted(layout.codes, codes), max(layout.codes.size - 1, 0))
        known = layout.codes[at] == codes if layout.codes.size else np.zeros(codes.size, bool)
        found.append(np.where(known, layout.offsets[at] if layout.codes.size else -1, -1))
    return found[0], found[1] if both_ways else np.full(pairs.codes.size, -1, dtype=np.int64)
