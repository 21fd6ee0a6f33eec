"""Transactions as integer arrays.

``Transactions`` has all items. ``RankedRows`` has only the frequent items, numbered by rank: rank 0
is the rarest item. A row is a transaction. An item is a number from 0.
"""

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
    """Mark the first entry of each value in a sorted array, much faster than np.unique does."""
    starts = np.ones(values.size, dtype=np.bool_)
    starts[1:] = values[1:] != values[:-1]
    return starts


@dataclass(frozen=True)
class Transactions:
    """Distinct pairs (row, item), sorted by row and then by item."""

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
        """Return the transactions of pairs in any order; repeated pairs count once."""
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
        """Return transactions from one list of items per row."""
        lengths = [len(items) for items in lists]
        flat = [item for items in lists for item in items]
        rows = np.repeat(np.arange(len(lists)), lengths)
        return cls.from_pairs(rows, np.asarray(flat, dtype=np.int64), len(lists), n_items)

    def item_supports(self) -> Integers:
        """Return the number of rows that contain each item."""
        return np.bincount(self.items, minlength=self.n_items).astype(np.int64)

    def select_rows(self, selected: Flags) -> Transactions:
        """Return the marked rows, renumbered from 0."""
        new_codes = np.cumsum(selected) - 1
        chosen = selected[self.rows]
        return Transactions(
            int(selected.sum()), self.n_items, new_codes[self.rows[chosen]], self.items[chosen]
        )


@dataclass(frozen=True)
class RankedRows:
    """Pairs (row, rank) of the frequent items, sorted by row.

    ``items`` and ``supports`` have the item and the support of each rank.
    """

    items: Integers
    supports: Integers
    rows: Integers
    ranks: Ranks

    @property
    def n_ranks(self) -> int:
        """The number of frequent items."""
        return int(self.items.size)

    @property
    def n_rows(self) -> int:
        """The number of rows that contain a frequent item."""
        return int(np.count_nonzero(run_starts(self.rows)))

    def spans(self) -> tuple[Integers, Integers]:
        """Return where each row starts in the pairs, and its number of frequent items."""
        starts = np.flatnonzero(run_starts(self.rows))
        return starts, np.diff(starts, append=self.rows.size)

    def table(self) -> Flags:
        """Return a table that marks which rank (first axis) is in which row (second axis)."""
        flags = np.zeros((self.n_ranks, self.n_rows), dtype=np.bool_)
        flags[self.ranks, np.cumsum(run_starts(self.rows)) - 1] = True
        return flags

    def only(self, wanted: Flags) -> RankedRows:
        """Return the rows with the marked ranks only; ranks are not renumbered."""
        if bool(wanted.all()):
            return self
        chosen = np.flatnonzero(wanted[self.ranks])
        return replace(self, rows=self.rows[chosen], ranks=self.ranks[chosen])

    def by_length(self, step: float = 0.0) -> Iterator[Ranks]:
        """Yield arrays of rows with equal lengths, with one row in each column.

        If ``step`` is 0.25, lengths that differ by up to 25 % are in one array. Then ``n_ranks``
        fills up the columns of shorter rows.
        """
        starts, lengths = self.spans()
        lengths_left = np.flatnonzero(np.bincount(lengths))
        while lengths_left.size:
            check()
            longest = int(lengths_left[-1])
            shortest = int(lengths_left[lengths_left >= longest - int(longest * step)][0])
            lengths_left = lengths_left[lengths_left < shortest]
            chosen = np.flatnonzero((lengths >= shortest) & (lengths <= longest))
            ranks = np.empty((longest, chosen.size), dtype=self.ranks.dtype)
            for position in range(longest):
                check()
                self.ranks.take(starts[chosen] + position, out=ranks[position], mode="clip")
                if position >= shortest:
                    ranks[position, lengths[chosen] <= position] = self.n_ranks
            yield ranks


def rank_frequent(transactions: Transactions, min_count: int) -> RankedRows:
    """Return the rows without infrequent items, and with the others ranked by support.

    An itemset is searched from its rarest item on, so that this order keeps searches short.
    """
    supports = transactions.item_supports()
    frequent = np.flatnonzero(supports >= min_count)
    ranked = frequent[np.lexsort((frequent, supports[frequent]))]
    rank_type = np.uint16 if ranked.size < np.iinfo(np.uint16).max else np.uint32
    rank_of: Ranks = np.full(transactions.n_items, ranked.size, dtype=rank_type)
    rank_of[ranked] = np.arange(ranked.size)
    ranks = rank_of[transactions.items]
    rows = transactions.rows
    if frequent.size < transactions.n_items:
        is_frequent = np.flatnonzero(ranks < ranked.size)
        rows, ranks = rows[is_frequent], ranks[is_frequent]
    return RankedRows(ranked, supports[ranked], rows, ranks)
