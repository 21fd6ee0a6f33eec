"""Bit columns for each branch of the search.

A branch is the search for the itemsets whose first item is a given rank. A partner is another item
of a frequent pair with it. The bit column of a branch and a partner has one bit for each row that
contains the branch's item. The bit is 1 if the row contains the partner too. ``buckets`` yields
the columns of many branches at once. ``_TableColumns`` makes them for dense rows, and
``_SparseColumns`` for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import packed_columns
from .pairs import LARGEST_TABLE, FrequentPairs, is_dense
from .runs import parts
from .transactions import Integers, RankedRows, Ranks, Words

# Flags of one bucket, and of the branches whose flags are set at once. They limit the memory, and
# keep the flags in the processor's cache.
FLAGS_AT_ONCE = 1 << 28
FLAGS_IN_CACHE = 1 << 22
CELLS_AT_ONCE = 1 << 17
# All columns of a bucket have the width of its widest branch.
WIDEST_TO_NARROWEST = 1.5
# Rows whose lengths differ by up to this share are handled together.
LIKE_LENGTHS = 0.25


@dataclass(frozen=True)
class Bucket:
    """Branches with about equally many rows, and their bit columns.

    ``branches`` has the rank of each branch. Branch b has the columns from ``starts[b]`` to
    ``starts[b + 1]``, sorted by partner. ``item`` and ``count`` have the partner of each column
    and the support of the pair. ``bits`` has the columns (see ``bits``).
    """

    branches: Integers
    starts: Integers
    item: Integers
    count: Integers
    bits: Words


def buckets(
    ranked: RankedRows, pairs: FrequentPairs, both_ways: bool, branches: int | None = None
) -> Iterator[Bucket]:
    """Yield all branches, or the first ``branches`` ones, in buckets.

    Partners are the later ranks. If ``both_ways``, they are the earlier ranks too.
    """
    n_ranks = ranked.n_ranks
    low, high = np.divmod(pairs.codes, max(n_ranks, 1))
    is_in_pair = np.zeros(n_ranks, dtype=np.bool_)
    is_in_pair[low] = is_in_pair[high] = True
    codes, counts = pairs.codes, pairs.counts
    if both_ways:
        codes = np.concatenate([codes, high * n_ranks + low])
        order = np.argsort(codes)
        codes, counts = codes[order], np.concatenate([counts, counts])[order]
    branch_starts = np.searchsorted(codes, np.arange(n_ranks + 1) * n_ranks)
    rows = ranked.only(is_in_pair)
    columns = _TableColumns(rows) if is_dense(rows) else _SparseColumns(rows)
    for start, stop, width in _bucket_ranges(branch_starts, columns.widths()[:branches]):
        check()
        chosen = slice(branch_starts[start], branch_starts[stop])
        starts = branch_starts[start : stop + 1] - branch_starts[start]
        item = codes[chosen] % n_ranks
        bits = columns.bits(start, starts, item, width)
        yield Bucket(np.arange(start, stop), starts, item, counts[chosen], bits)


def _bucket_ranges(branch_starts: Integers, widths: Integers) -> Iterator[tuple[int, int, int]]:
    """Yield the first branch of each bucket, the one after its last, and its width in words.

    ``branch_starts`` is where the columns of each branch start, ``widths`` its number of words.
    """
    low = 0
    while low < widths.size:
        widest = int(widths[low] * WIDEST_TO_NARROWEST) + 2
        high = int(np.searchsorted(widths, widest, side="right"))
        room = FLAGS_AT_ONCE // (64 * int(widths[high - 1])) + branch_starts[low]
        high = min(high, max(low + 1, int(np.searchsorted(branch_starts, room, side="right")) - 1))
        yield low, high, int(widths[high - 1])
        low = high


def _widths(holders: Integers) -> Integers:
    """Return the words for the rows of each rank, never fewer than an earlier rank has."""
    return np.maximum.accumulate(np.maximum(-(-holders // 64), 1))


class _TableColumns:
    """Makes bit columns from a table of ranks and rows, for dense rows."""

    def __init__(self, rows: RankedRows) -> None:
        self.table = rows.table()

    def widths(self) -> Integers:
        return _widths(np.count_nonzero(self.table, axis=1))

    def bits(self, low: int, starts: Integers, item: Integers, width: int) -> Words:
        """Return the bit columns of the branches from ``low`` on, with ``width`` words each.

        Branch low + i has the columns from ``starts[i]`` on, with the partners ``item``.
        """
        flags = np.zeros((item.size, width * 64), dtype=np.bool_)
        for number in range(starts.size - 1):
            check()
            columns = slice(starts[number], starts[number + 1])
            rows = np.flatnonzero(self.table[low + number])
            flags[columns, : rows.size] = self.table[item[columns]].take(rows, axis=1)
        return packed_columns(flags)


@dataclass(frozen=True)
class _Entries:
    """A group of rows of similar lengths, and where each rank occurs in it.

    ``ranks`` has one row in each column, filled up with ``n_ranks``. Rank r is in the rows
    ``row[starts[r] : starts[r + 1]]`` of this group, and in ``before[r]`` rows of earlier groups.
    """

    ranks: Ranks
    row: Integers
    starts: Integers
    before: Integers


class _SparseColumns:
    """Makes bit columns by setting one flag for each item of each row."""

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
        """Return the bit columns of the branches from ``low`` on, with ``width`` words each.

        Branch low + i has the columns from ``starts[i]`` on, with the partners ``item``.
        """
        bits = np.zeros((width, item.size), dtype=np.uint64)
        n_columns = np.diff(starts)
        has_table = self.n_ranks * self.n_ranks <= LARGEST_TABLE
        cells = n_columns * width * 64 + (self.n_ranks + 1 if has_table else 0)
        for part in parts(cells, FLAGS_IN_CACHE):
            check()
            columns = slice(starts[part.start], starts[part.stop])
            if columns.start == columns.stop:
                continue
            codes = _codes(n_columns[part], item[columns], self.n_ranks)
            unit = _Unit(low + part.start, low + part.stop, self.n_ranks, codes, has_table)
            window = max(FLAGS_IN_CACHE // codes.size // 64, 1)
            for begin in range(0, width, window):
                check()
                end = min(begin + window, width)
                bits[begin:end, columns] = unit.bits(self.groups, begin * 64, end * 64)
        return bits


def _codes(n_columns: Integers, item: Integers, n_ranks: int) -> Integers:
    """Return an ascending code for each pair of a branch, numbered from 0, and a partner."""
    return np.repeat(np.arange(n_columns.size), n_columns) * (n_ranks + 1) + item


@dataclass(frozen=True)
class _Unit:
    """The branches ``low`` to ``high`` - 1, whose flags are set at once.

    ``codes`` are those of their columns. With ``has_table``, a table finds the column of a code.
    """

    low: int
    high: int
    n_ranks: int
    codes: Integers
    has_table: bool

    def bits(self, groups: list[_Entries], begin: int, end: int) -> Words:
        """Return the bit columns for the rows ``begin`` to ``end`` of each branch."""
        flags = np.zeros((self.codes.size + 1) * (end - begin), dtype=np.bool_)
        start_of = self._start_of_flags(end - begin)
        for group in groups:
            check()
            for branch, position, row in self._rows_of_branches(group, begin, end):
                check()
                target = start_of(branch, group.ranks.take(row, axis=1))
                target += position
                flags[target] = True
        return packed_columns(flags.reshape(-1, end - begin)[: self.codes.size])

    def _start_of_flags(self, window: int) -> Callable[[Integers, Ranks], Integers]:
        """Return a function from branches and partners to where the flags of their columns start.

        A column has ``window`` flags. All pairs without a column share the flags after the last.
        """
        codes, stride = self.codes, self.n_ranks + 1
        offsets = np.arange(codes.size + 1) * window
        if self.has_table:
            table = np.full((self.high - self.low) * stride, offsets[-1])
            table[codes] = offsets[:-1]
            return lambda branch, partner: table.take(branch * stride + partner)

        def located(branch: Integers, partner: Ranks) -> Integers:
            wanted = branch * stride + partner
            position = np.searchsorted(codes, wanted)
            is_known = codes[np.minimum(position, codes.size - 1)] == wanted
            return np.asarray(offsets[np.where(is_known, position, codes.size)])

        return located

    def _rows_of_branches(
        self, group: _Entries, begin: int, end: int
    ) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Yield branches, the number of a row among all rows of the branch, and the row.

        They are the rows of the group that contain the branch's item, and whose numbers are between
        ``begin`` and ``end``. Branches and numbers count from ``low`` and ``begin``.
        """
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
        for first_pair in range(0, total, step):
            check()
            part = slice(first_pair, first_pair + step)
            yield branch[part], position[part], rows[part]
