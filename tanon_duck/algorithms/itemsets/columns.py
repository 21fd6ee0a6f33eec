"""Packed bit columns for every branch: which of the rows that hold one item hold another too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import packed_columns
from .pairs import LARGEST_TABLE, FrequentPairs, is_dense
from .runs import parts
from .transactions import Integers, RankedRows, Ranks, Words

FLAGS_AT_ONCE = 1 << 28
FLAGS_IN_CACHE = 1 << 22
CELLS_AT_ONCE = 1 << 17
WIDEST_TO_NARROWEST = 1.5
LIKE_LENGTHS = 0.25


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


def buckets(
    ranked: RankedRows, pairs: FrequentPairs, both_ways: bool, branches: int | None = None
) -> Iterator[Bucket]:
    """Every branch once, or the first ones; `both_ways` adds the columns of rarer partners."""
    n_ranks = ranked.n_ranks
    low, high = np.divmod(pairs.codes, max(n_ranks, 1))
    paired = np.zeros(n_ranks, dtype=np.bool_)
    paired[low] = paired[high] = True
    codes, counts = pairs.codes, pairs.counts
    if both_ways:
        codes = np.concatenate([codes, high * n_ranks + low])
        order = np.argsort(codes)
        codes, counts = codes[order], np.concatenate([counts, counts])[order]
    owners = np.searchsorted(codes, np.arange(n_ranks + 1) * n_ranks)
    rows = ranked.only(paired)
    columns = _LookedUp(rows) if is_dense(rows) else _Scattered(rows)
    for start, stop, width in _bucket_ranges(owners, columns.widths()[:branches]):
        check()
        own = slice(owners[start], owners[stop])
        starts = owners[start : stop + 1] - owners[start]
        item = codes[own] % n_ranks
        bits = columns.bits(start, starts, item, width)
        yield Bucket(np.arange(start, stop), starts, item, counts[own], bits)


def _bucket_ranges(owners: Integers, widths: Integers) -> Iterator[tuple[int, int, int]]:
    low = 0
    while low < widths.size:
        widest = int(widths[low] * WIDEST_TO_NARROWEST) + 2
        high = int(np.searchsorted(widths, widest, side="right"))
        room = FLAGS_AT_ONCE // (64 * int(widths[high - 1])) + owners[low]
        high = min(high, max(low + 1, int(np.searchsorted(owners, room, side="right")) - 1))
        yield low, high, int(widths[high - 1])
        low = high


def _widths(holders: Integers) -> Integers:
    """Words for the rows of each rank, never fewer than a rarer rank has."""
    return np.maximum.accumulate(np.maximum(-(-holders // 64), 1))


class _LookedUp:
    """A table of which rank is in which row, for dense rows."""

    def __init__(self, rows: RankedRows) -> None:
        self.held = rows.held()

    def widths(self) -> Integers:
        return _widths(np.count_nonzero(self.held, axis=1))

    def bits(self, low: int, starts: Integers, item: Integers, width: int) -> Words:
        """The columns of consecutive branches from `low`, laid out (words, columns)."""
        flags = np.zeros((item.size, width * 64), dtype=np.bool_)
        for number in range(starts.size - 1):
            check()
            own = slice(starts[number], starts[number + 1])
            rows = np.flatnonzero(self.held[low + number])
            flags[own, : rows.size] = self.held[item[own]].take(rows, axis=1)
        return packed_columns(flags)


@dataclass(frozen=True)
class _Entries:
    """Where the ranks occur in rows of like lengths: `row` is sorted by rank.

    `ranks` are the rows, (length, rows), filled up with `n_ranks`; rank r occurs in the rows
    from `starts[r]` to `starts[r + 1]`, and `before[r]` times in the groups before this one.
    """

    ranks: Ranks
    row: Integers
    starts: Integers
    before: Integers


class _Scattered:
    """Flags set one by one for what the rows hold, few enough at a time to stay in the cache."""

    def __init__(self, rows: RankedRows) -> None:
        self.n_ranks = rows.n_ranks
        self.holders = np.zeros(rows.n_ranks, dtype=np.int64)
        self.groups: list[_Entries] = []
        for ranks in rows.by_length(LIKE_LENGTHS):
            if ranks.shape[0] > 1:
                self._add(ranks)

    def _add(self, ranks: Ranks) -> None:
        flat = ranks.T.ravel()
        counts = np.bincount(flat, minlength=self.n_ranks + 1)[: self.n_ranks]
        starts = np.concatenate([[0], np.cumsum(counts)])
        row = np.argsort(flat, kind="stable")[: starts[-1]] // ranks.shape[0]
        self.groups.append(_Entries(ranks, row, starts, self.holders))
        self.holders = self.holders + counts

    def widths(self) -> Integers:
        return _widths(self.holders)

    def bits(self, low: int, starts: Integers, item: Integers, width: int) -> Words:
        """The columns of consecutive branches from `low`, laid out (words, columns)."""
        bits = np.zeros((width, item.size), dtype=np.uint64)
        n_columns = np.diff(starts)
        has_table = self.n_ranks * self.n_ranks <= LARGEST_TABLE
        cells = n_columns * width * 64 + (self.n_ranks + 1 if has_table else 0)
        for part in parts(cells, FLAGS_IN_CACHE):
            check()
            own = slice(starts[part.start], starts[part.stop])
            if own.start == own.stop:
                continue
            codes = _codes(n_columns[part], item[own], self.n_ranks)
            unit = _Unit(low + part.start, low + part.stop, self.n_ranks, codes, has_table)
            window = max(FLAGS_IN_CACHE // codes.size // 64, 1)
            for begin in range(0, width, window):
                check()
                end = min(begin + window, width)
                bits[begin:end, own] = unit.bits(self.groups, begin * 64, end * 64)
        return bits


def _codes(n_columns: Integers, item: Integers, n_ranks: int) -> Integers:
    """One number for each (branch of the unit, partner) that has a column, ascending."""
    return np.repeat(np.arange(n_columns.size), n_columns) * (n_ranks + 1) + item


@dataclass(frozen=True)
class _Unit:
    """Branches low to high: as many as have room for their flags in the cache, one at least."""

    low: int
    high: int
    n_ranks: int
    codes: Integers
    has_table: bool

    def bits(self, groups: list[_Entries], begin: int, end: int) -> Words:
        """The columns over the rows from number `begin` to `end` of each branch."""
        arena = np.zeros((self.codes.size + 1) * (end - begin), dtype=np.bool_)
        starts_of = self._starts_of(end - begin)
        for group in groups:
            check()
            for branch, position, row in self._holders(group, begin, end):
                check()
                target = starts_of(branch, group.ranks.take(row, axis=1))
                target += position
                arena[target] = True
        return packed_columns(arena.reshape(-1, end - begin)[: self.codes.size])

    def _starts_of(self, window: int) -> Callable[[Integers, Ranks], Integers]:
        """Where the flags of (branch, partner) start; pairs without a column share the last."""
        codes, stride = self.codes, self.n_ranks + 1
        offsets = np.arange(codes.size + 1) * window
        if self.has_table:
            table = np.full((self.high - self.low) * stride, offsets[-1])
            table[codes] = offsets[:-1]
            return lambda branch, partner: table.take(branch * stride + partner)

        def located(branch: Integers, partner: Ranks) -> Integers:
            wanted = branch * stride + partner
            at = np.searchsorted(codes, wanted)
            known = codes[np.minimum(at, codes.size - 1)] == wanted
            return np.asarray(offsets[np.where(known, at, codes.size)])

        return located

    def _holders(
        self, group: _Entries, begin: int, end: int
    ) -> Iterator[tuple[Integers, Integers, Integers]]:
        """The rows of the group that hold a branch, and their numbers among its rows."""
        branches = slice(self.low, self.high)
        first, last = group.starts[branches], group.starts[self.low + 1 : self.high + 1]
        before = group.before[branches]
        left = np.clip(first + begin - before, first, last)
        counts = np.clip(first + end - before, left, last) - left
        total, start = int(counts.sum()), int(left[0])
        branch = np.repeat(np.arange(counts.size), counts)
        shift = np.repeat(start - first + before - begin, counts)
        position = np.arange(total) + shift
        rows = group.row[start : start + total]
        step = max(1, CELLS_AT_ONCE // group.ranks.shape[0])
        for at in range(0, total, step):
            check()
            part = slice(at, at + step)
            yield branch[part], position[part], rows[part]
