"""Inference channels: supports that together reveal a pattern of fewer than k rows.

A channel base -> top stands for the rows with every item of the base and no other item of the
top; it is open where their number lies strictly between 0 and k. Only channels whose top is a
maximal itemset are listed: every other channel is weaker than one of them. An itemset that is
itself in fewer than k rows is listed as a channel to itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets, MissingItemsetError, keep_maximal, require_enumerable
from .transactions import Codes, Flags, Integers, Transactions, run_starts

CELLS_AT_ONCE = 1 << 20
BITS = 62
FEW_ITEMS = 14


@dataclass(frozen=True)
class Channels:
    """Bases and tops as item codes padded with -1, ordered by top, then base."""

    base: Codes
    top: Codes
    frequency: Integers

    def __len__(self) -> int:
        return int(self.frequency.size)

    def select(self, chosen: Integers) -> Channels:
        """The channels at these places."""
        return Channels(self.base[chosen], self.top[chosen], self.frequency[chosen])

    def lists(self) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """Every channel as (base, top, frequency)."""
        return [
            (tuple(i for i in base if i >= 0), tuple(i for i in top if i >= 0), frequency)
            for base, top, frequency in zip(
                self.base.tolist(), self.top.tolist(), self.frequency.tolist(), strict=True
            )
        ]


def channels_of_collection(collection: Itemsets, k: int) -> Channels:
    """What a reader of the supports alone can work out, by inclusion-exclusion.

    The collection must be closed under subsets. A negative frequency is listed too: no rows can
    have such supports, so a reader knows that something was changed.
    """
    return channels_below(collection, keep_maximal(collection), k)


def channels_below(collection: Itemsets, maximal: Itemsets, k: int) -> Channels:
    """The channels below the given maximal itemsets, by inclusion-exclusion."""
    parts: list[Channels] = []
    for size, tops in enumerate(maximal.levels):
        check()
        if not tops.shape[0]:
            continue
        require_enumerable(size)
        step = max(1, CELLS_AT_ONCE >> size)
        chunks = (tops[at : at + step] for at in range(0, tops.shape[0], step))
        parts.extend(_open_minterms(collection, chunk, k) for chunk in chunks)
    return _gathered(parts)


def _open_minterms(collection: Itemsets, tops: Codes, k: int) -> Channels:
    size = tops.shape[1]
    rows = _subset_supports(collection, tops)
    for bit in range(size):
        check()
        halves = rows.reshape(tops.shape[0], -1, 2, 1 << bit)
        halves[:, :, 0] -= halves[:, :, 1]
    opened = (rows < k) & (rows != 0)
    which, mask = np.nonzero(opened)
    inside = (mask[:, None] >> np.arange(size)) & 1 == 1
    top = tops[which]
    return Channels(_shifted(top, inside), top, rows[which, mask])


def _subset_supports(collection: Itemsets, tops: Codes) -> Integers:
    """Supports of all subsets of each top; bit b of the column number is the top's b-th item."""
    size = tops.shape[1]
    place = np.zeros((tops.shape[0], 1 << size), dtype=np.int64)
    supports = np.empty_like(place)
    supports[:, 0] = collection.n_rows
    masks = np.arange(1 << size)
    sizes = np.bitwise_count(masks.astype(np.uint32))
    for bit in range(size):
        check()
        for below in range(bit + 1):
            check()
            parents = np.flatnonzero(sizes[: 1 << bit] == below)
            item = np.broadcast_to(tops[:, bit, None], (tops.shape[0], parents.size))
            found = collection.trie.child(below, place[:, parents], item)
            if (found < 0).any():
                raise MissingItemsetError(_first_missing(tops, found, parents, bit))
            place[:, parents + (1 << bit)] = found
            supports[:, parents + (1 << bit)] = collection.supports[below + 1][found]
    return supports


def _first_missing(tops: Codes, found: Integers, parents: Integers, bit: int) -> list[int]:
    row, column = np.argwhere(found < 0)[0]
    mask = int(parents[column]) | 1 << bit
    return [int(item) for place, item in enumerate(tops[row]) if mask >> place & 1]


def _shifted(top: Codes, inside: Flags) -> Codes:
    """The items flagged, moved to the left and padded with -1."""
    order = np.argsort(~inside, axis=1, kind="stable")
    chosen = np.where(inside, top, -1)
    return np.take_along_axis(chosen, order, axis=1).astype(np.int32)


def channels_of_rows(transactions: Transactions, maximal: Itemsets, k: int) -> Channels:
    """One grouping of the rows by what they share with each maximal itemset."""
    columns = _ItemColumns(transactions)
    return _gathered([_grouped(columns, top, k) for tops in maximal.levels for top in tops])


class _ItemColumns:
    """For each item the rows that hold it."""

    def __init__(self, transactions: Transactions) -> None:
        order = np.argsort(transactions.items, kind="stable")
        self.rows = transactions.rows[order]
        self.n_rows = transactions.n_rows
        counts = np.bincount(transactions.items, minlength=transactions.n_items)
        self.starts = np.concatenate([[0], np.cumsum(counts)])

    def shared(self, items: Codes) -> Integers:
        """What each row holds of the items: bit b of word w is item 62 w + b; (words, rows)."""
        words = np.zeros((-(-max(items.size, 1) // BITS), self.n_rows), dtype=np.int64)
        for place, item in enumerate(items):
            check()
            own = self.rows[self.starts[item] : self.starts[item + 1]]
            words[place // BITS, own] |= 1 << place % BITS
        return words


def _grouped(columns: _ItemColumns, top: Codes, k: int) -> Channels:
    words = columns.shared(top)
    if top.size <= FEW_ITEMS:
        counts = np.bincount(words[0], minlength=1 << top.size)
        shared = np.flatnonzero(counts)[None, :]
        frequency = counts[shared[0]]
    elif words.shape[0] == 1:
        rows = np.sort(words[0])
        starts = np.flatnonzero(run_starts(rows))
        shared, frequency = rows[None, starts], np.diff(starts, append=rows.size)
    else:
        shared, frequency = np.unique(words, axis=1, return_counts=True)
    bits = np.arange(top.size)
    inside = (shared[bits // BITS].T >> (bits % BITS)) & 1 == 1
    opened = frequency < k
    tops = np.broadcast_to(top, (int(opened.sum()), top.size))
    return Channels(_shifted(tops, inside[opened]), tops, frequency[opened].astype(np.int64))


def _gathered(parts: list[Channels]) -> Channels:
    parts = [part for part in parts if len(part)]
    width = max((part.top.shape[1] for part in parts), default=0)
    base, top = (
        np.concatenate(
            [np.empty((0, width), np.int32), *(_padded(side, width) for side in sides)]
        ).astype(np.int32)
        for sides in ([part.base for part in parts], [part.top for part in parts])
    )
    frequency = np.concatenate([np.empty(0, np.int64), *(part.frequency for part in parts)])
    order = canonical_order(top, base)
    return Channels(base[order], top[order], frequency[order])


def canonical_order(*sides: Codes) -> Integers:
    """By the size of the first side, its items, the size of the second side, its items."""
    keys: list[Integers | Codes] = []
    for side in sides:
        keys.append((side >= 0).sum(axis=1))
        keys.extend(side.T)
    order: Integers = np.lexsort(keys[::-1])
    return order


def _padded(rows: Codes, width: int) -> Codes:
    missing = width - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing)), constant_values=-1)


def split(channels: Channels) -> Iterator[tuple[Codes, Codes]]:
    """Each channel's base and top without the padding."""
    for base, top in zip(channels.base, channels.top, strict=True):
        yield base[base >= 0], top[top >= 0]
