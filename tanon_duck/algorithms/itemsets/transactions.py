"""Rows of items as integer arrays, and the frequent part of them that mining works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]


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
        keys = row_codes * max(item_total, 1) + item_codes
        if keys.size > 1 and not bool(np.all(keys[1:] > keys[:-1])):
            keys.sort()
            keys = keys[run_starts(keys)]
            row_codes, item_codes = np.divmod(keys, max(item_total, 1))
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
    """The frequent items of every row as ranks, the rarest item first.

    `of_length[L]` are the rows with L frequent items: ranks and, for each, the position of
    the row among the rows that hold the item; both laid out (L, rows).
    """

    items: Integers
    supports: Integers
    of_length: dict[int, tuple[Integers, Integers]]

    @property
    def n_ranks(self) -> int:
        """How many items are frequent."""
        return int(self.items.size)

    def cells(self) -> tuple[int, int]:
        """How many rows hold a frequent item, and how many items they hold in all."""
        rows = [ranks.shape[1] for ranks, _ in self.of_length.values()]
        return sum(rows), sum(ranks.size for ranks, _ in self.of_length.values())

    def held(self) -> Flags:
        """Which rank is in which row; rows in an order of their own."""
        flags = np.zeros((self.n_ranks, self.cells()[0]), dtype=np.bool_)
        start = 0
        for ranks, _ in self.of_length.values():
            stop = start + ranks.shape[1]
            flags[ranks, np.arange(start, stop)] = True
            start = stop
        return flags


def rank_frequent(transactions: Transactions, min_count: int) -> RankedRows:
    """Drop infrequent items and rank the others by support, so that branches stay short."""
    supports = transactions.item_supports()
    frequent = np.flatnonzero(supports >= min_count)
    ranked = frequent[np.lexsort((frequent, supports[frequent]))]
    rank_of = np.full(transactions.n_items, -1, dtype=np.int64)
    rank_of[ranked] = np.arange(ranked.size)
    ranks = rank_of[transactions.items]
    kept = ranks >= 0
    keys = transactions.rows[kept] * max(ranked.size, 1) + ranks[kept]
    keys.sort()
    rows, ranks = np.divmod(keys, max(ranked.size, 1))
    return RankedRows(
        ranked, supports[ranked], _by_length(rows, ranks, _positions(ranks, ranked.size))
    )


def _positions(ranks: Integers, n_ranks: int) -> Integers:
    """The running number of each entry among the entries of the same rank."""
    narrow = ranks.astype(np.uint16) if n_ranks <= 1 << 16 else ranks
    order = np.argsort(narrow, kind="stable")
    counts = np.bincount(ranks, minlength=n_ranks)
    positions = np.empty(ranks.size, dtype=np.int64)
    positions[order] = np.arange(ranks.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return positions


def _by_length(
    rows: Integers, ranks: Integers, positions: Integers
) -> dict[int, tuple[Integers, Integers]]:
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    lengths = np.diff(starts, append=rows.size)
    grouped = {}
    for length in np.flatnonzero(np.bincount(lengths)):
        where = starts[lengths == length] + np.arange(length)[:, None]
        grouped[int(length)] = (ranks[where], positions[where])
    return grouped
