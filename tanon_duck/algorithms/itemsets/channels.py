"""Finds inference channels: supports that together reveal a pattern of fewer than k rows.

A channel base -> top is the rows that contain all items of the base and no other item of the top.
Their number, the frequency, follows from the supports by inclusion-exclusion. The channel is open
if the frequency is between 1 and k - 1. For example, if 100 rows contain bread, and 99 bread and
milk, then one row contains bread without milk: the channel {bread} -> {bread, milk}.

Only channels whose top is a maximal itemset are listed, because each other channel is weaker than
one of them. An itemset of fewer than k rows is a channel to itself.

- ``channels_below`` and ``channels_of_collection`` compute channels from supports.
- ``channels_of_rows`` computes them from rows, which is faster for large itemsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets, MissingItemsetError, keep_maximal, require_enumerable
from .transactions import Codes, Flags, Integers, Transactions, run_starts

CELLS_AT_ONCE = 1 << 20
# Items in one word of 64 bits, so that words are not negative.
BITS = 62
# For tops of at most this many items, a table of all subsets is small.
FEW_ITEMS = 14


@dataclass(frozen=True)
class Channels:
    """Channels, sorted by top and then by base; both are items, padded with -1."""

    base: Codes
    top: Codes
    frequency: Integers

    def __len__(self) -> int:
        return int(self.frequency.size)

    def select(self, chosen: Integers) -> Channels:
        """Return the channels at these positions."""
        return Channels(self.base[chosen], self.top[chosen], self.frequency[chosen])

    def lists(self) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """Return each channel as a tuple (base, top, frequency)."""
        return [
            (tuple(i for i in base if i >= 0), tuple(i for i in top if i >= 0), frequency)
            for base, top, frequency in zip(
                self.base.tolist(), self.top.tolist(), self.frequency.tolist(), strict=True
            )
        ]


def channels_of_collection(collection: Itemsets, k: int) -> Channels:
    """Return the open channels of a collection, as a reader of the supports computes them.

    The release must contain all subsets of its itemsets. Negative frequencies are included: no
    rows can have such supports, so they reveal that supports were changed.
    """
    return channels_below(collection, keep_maximal(collection), k)


def channels_below(collection: Itemsets, maximal: Itemsets, k: int) -> Channels:
    """Return the open channels whose tops are the given maximal itemsets of a collection."""
    parts: list[Channels] = []
    for size, tops in enumerate(maximal.levels):
        check()
        if not tops.shape[0]:
            continue
        require_enumerable(size)
        step = max(1, CELLS_AT_ONCE >> size)
        chunks = (tops[start : start + step] for start in range(0, tops.shape[0], step))
        parts.extend(_channels_of_tops(collection, chunk, k) for chunk in chunks)
    return _concatenate(parts)


def _channels_of_tops(collection: Itemsets, tops: Codes, k: int) -> Channels:
    """Return the open channels of tops of equal size.

    Subtracting half of a table from the other half, once for each item, turns the supports of all
    subsets into frequencies (the Moebius transform).
    """
    size = tops.shape[1]
    rows = _subset_supports(collection, tops)
    for bit in range(size):
        check()
        halves = rows.reshape(tops.shape[0], -1, 2, 1 << bit)
        halves[:, :, 0] -= halves[:, :, 1]
    is_open = (rows < k) & (rows != 0)
    number, mask = np.nonzero(is_open)
    in_base = (mask[:, None] >> np.arange(size)) & 1 == 1
    top = tops[number]
    return Channels(_select_items(top, in_base), top, rows[number, mask])


def _subset_supports(collection: Itemsets, tops: Codes) -> Integers:
    """Return the supports of all subsets of each top.

    Column m is for the subset with the items whose bits are 1 in m: bit b is the b-th item.
    """
    size = tops.shape[1]
    position = np.zeros((tops.shape[0], 1 << size), dtype=np.int64)
    supports = np.empty_like(position)
    supports[:, 0] = collection.n_rows
    masks = np.arange(1 << size)
    sizes = np.bitwise_count(masks.astype(np.uint32))
    for bit in range(size):
        check()
        for below in range(bit + 1):
            check()
            parents = np.flatnonzero(sizes[: 1 << bit] == below)
            item = np.broadcast_to(tops[:, bit, None], (tops.shape[0], parents.size))
            found = collection.trie.child(below, position[:, parents], item)
            if (found < 0).any():
                raise MissingItemsetError(_first_missing(tops, found, parents, bit))
            position[:, parents + (1 << bit)] = found
            supports[:, parents + (1 << bit)] = collection.supports[below + 1][found]
    return supports


def _first_missing(tops: Codes, found: Integers, parents: Integers, bit: int) -> list[int]:
    """Return the items of the first subset that was not found."""
    row, column = np.argwhere(found < 0)[0]
    mask = int(parents[column]) | 1 << bit
    return [int(item) for number, item in enumerate(tops[row]) if mask >> number & 1]


def _select_items(items: Codes, selected: Flags) -> Codes:
    """Return the marked items of each row, moved to the left and padded with -1."""
    order = np.argsort(~selected, axis=1, kind="stable")
    chosen = np.where(selected, items, -1)
    return np.take_along_axis(chosen, order, axis=1).astype(np.int32)


def channels_of_rows(transactions: Transactions, maximal: Itemsets, k: int) -> Channels:
    """Return the open channels of maximal itemsets, computed from the rows.

    The frequencies of a top are the sizes of groups of rows that contain the same of its items.
    """
    columns = _ItemColumns(transactions)
    return _concatenate(
        [_channels_of_top(columns, top, k) for tops in maximal.levels for top in tops]
    )


class _ItemColumns:
    """The rows that contain each item."""

    def __init__(self, transactions: Transactions) -> None:
        order = np.argsort(transactions.items, kind="stable")
        self.rows = transactions.rows[order]
        self.n_rows = transactions.n_rows
        counts = np.bincount(transactions.items, minlength=transactions.n_items)
        self.starts = np.concatenate([[0], np.cumsum(counts)])

    def items_of_rows(self, items: Codes) -> Integers:
        """Return which of the items each row contains, as bits with the axes words and rows.

        Bit b of word w is item number 62 w + b of ``items``.
        """
        words = np.zeros((-(-max(items.size, 1) // BITS), self.n_rows), dtype=np.int64)
        for number, item in enumerate(items):
            check()
            rows = self.rows[self.starts[item] : self.starts[item + 1]]
            words[number // BITS, rows] |= 1 << number % BITS
        return words


def _channels_of_top(columns: _ItemColumns, top: Codes, k: int) -> Channels:
    """Return the open channels of one top."""
    words = columns.items_of_rows(top)
    if top.size <= FEW_ITEMS:
        counts = np.bincount(words[0], minlength=1 << top.size)
        distinct = np.flatnonzero(counts)[None, :]
        frequency = counts[distinct[0]]
    elif words.shape[0] == 1:
        rows = np.sort(words[0])
        starts = np.flatnonzero(run_starts(rows))
        distinct, frequency = rows[None, starts], np.diff(starts, append=rows.size)
    else:
        distinct, frequency = np.unique(words, axis=1, return_counts=True)
    bits = np.arange(top.size)
    in_base = (distinct[bits // BITS].T >> (bits % BITS)) & 1 == 1
    is_open = frequency < k
    tops = np.broadcast_to(top, (int(is_open.sum()), top.size))
    bases = _select_items(tops, in_base[is_open])
    return Channels(bases, tops, frequency[is_open].astype(np.int64))


def _concatenate(parts: list[Channels]) -> Channels:
    """Return the channels of all parts in canonical order, padded to the same width."""
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
    """Return the order that sorts pairs of itemsets.

    The keys are the size of the first itemset, its items, the size of the second, its items.
    """
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
    """Yield the base and the top of each channel without the padding."""
    for base, top in zip(channels.base, channels.top, strict=True):
        yield base[base >= 0], top[top >= 0]
