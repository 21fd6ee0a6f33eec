"""Rows of items as integer arrays, and the frequent part of them that mining works on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tanon_duck.algorithms.checkpoint import check

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Ranks = NDArray[np.unsignedinteger[Any]]
Words = NDArray[np.uint64]


def run_starts(values: NDArray[Any]) -> Flags:
    """Where a sorted array begins a new value; much quicker than np.unique on large codes."""
    starts = np.ones(values.size, dtype=np.bool_)
    starts[1:] = values[1:] != values[:-1]
    return starts


@dataclass(frozen=True)
class Transactions:
    """Distinct (row, item) pairs sorted by row, then item; rows and items are codes from 0."""

    n_rows: int
    n_items: int
    rows: Integers
    items: Integers

    @classmethod
    def from_pairs(
        cls,
        rows: ArrayLike,
        items: ArrayLike,
        n_rows: int | None = None,
        n_items: int | None = None,
    ) -> Transactions:
        """Pairs in any order; an item that comes twice in a row counts once."""
        row_codes = np.asarray(rows, dtype=np.int64).ravel()
        item_codes = np.asarray(items, dtype=np.int64).ravel()
        row_total = int(row_codes.max(initial=-1)) + 1 if n_rows is None else n_rows
        item_total = int(item_codes.max(initial=-1)) + 1 if n_items is None else n_items
        width = max(item_total - 1, 0).bit_length()
        keys = (row_codes << width) | item_codes
        if keys.size > 1 and not bool(np.all(keys[1:] > keys[:-1])):
            keys.sort()
            keys = keys[run_starts(keys)]
            row_codes, item_codes = keys >> width, keys & ((1 << width) - 1)
        return cls(row_total, item_total, row_codes, item_codes)

    @classmethod
    def from_lists(cls, lists: list[Any], n_items: int | None = None) -> Transactions:
        """One list of item codes per row."""
        lengths = [len(items) for items in lists]
        flat = [item for items in lists for item in items]
        rows = np.repeat(np.arange(len(lists)), lengths)
        return cls.from_pairs(rows, np.asarray(flat, dtype=np.int64), len(lists), n_items)

    def item_supports(self) -> Integers:
        """How many rows hold each item."""
        return np.bincount(self.items, minlength=self.n_items).astype(np.int64)

    def select_rows(self, kept: Flags) -> Transactions:
        """The rows flagged, renumbered from 0."""
        new_codes = np.cumsum(kept) - 1
        chosen = kept[self.rows]
        return Transactions(
            int(kept.sum()), self.n_items, new_codes[self.rows[chosen]], self.items[chosen]
        )


@dataclass(frozen=True)
class RankedRows:
    """(row, rank) pairs of the frequent items, the rarest item ranked first; rows ascending."""

    items: Integers
    supports: Integers
    rows: Integers
    ranks: Ranks

    @property
    def n_ranks(self) -> int:
        """How many items are frequent."""
        return int(self.items.size)

    @property
    def n_rows(self) -> int:
        """How many rows hold a frequent item."""
        return int(np.count_nonzero(run_starts(self.rows)))

    def spans(self) -> tuple[Integers, Integers]:
        """Where each row that holds any begins, and how long it is."""
        starts = np.flatnonzero(run_starts(self.rows))
        return starts, np.diff(starts, append=self.rows.size)

    def held(self) -> Flags:
        """Which rank is in which of the rows that hold any, laid out (ranks, rows)."""
        flags = np.zeros((self.n_ranks, self.n_rows), dtype=np.bool_)
        flags[self.ranks, np.cumsum(run_starts(self.rows)) - 1] = True
        return flags

    def only(self, wanted: Flags) -> RankedRows:
        """What the rows hold of the ranks flagged; the ranks keep their numbers."""
        if bool(wanted.all()):
            return self
        kept = np.flatnonzero(wanted[self.ranks])
        return replace(self, rows=self.rows[kept], ranks=self.ranks[kept])

    def by_length(self, step: float = 0.0) -> Iterator[Ranks]:
        """The ranks of rows of one length at a time, laid out (length, rows).

        With a step, lengths that differ by such a share go together; `n_ranks` fills up.
        """
        starts, lengths = self.spans()
        own_lengths = np.flatnonzero(np.bincount(lengths))
        while own_lengths.size:
            check()
            longest = int(own_lengths[-1])
            shortest = int(own_lengths[own_lengths >= longest - int(longest * step)][0])
            own_lengths = own_lengths[own_lengths < shortest]
            chosen = np.flatnonzero((lengths >= shortest) & (lengths <= longest))
            ranks = np.empty((longest, chosen.size), dtype=self.ranks.dtype)
            for place in range(longest):
                check()
                self.ranks.take(starts[chosen] + place, out=ranks[place], mode="clip")
                if place >= shortest:
                    ranks[place, lengths[chosen] <= place] = self.n_ranks
            yield ranks


def rank_frequent(transactions: Transactions, min_count: int) -> RankedRows:
    """Drop infrequent items and rank the others by support, so that branches stay short."""
    supports = transactions.item_supports()
    frequent = np.flatnonzero(supports >= min_count)
    ranked = frequent[np.lexsort((frequent, supports[frequent]))]
    narrow = np.uint16 if ranked.size < np.iinfo(np.uint16).max else np.uint32
    rank_of: Ranks = np.full(transactions.n_items, ranked.size, dtype=narrow)
    rank_of[ranked] = np.arange(ranked.size)
    ranks = rank_of[transactions.items]
    rows = transactions.rows
    if frequent.size < transactions.n_items:
        kept = np.flatnonzero(ranks < ranked.size)
        rows, ranks = rows[kept], ranks[kept]
    return RankedRows(ranked, supports[ranked], rows, ranks)
