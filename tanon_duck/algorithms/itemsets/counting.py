"""Counts the supports of given itemsets in given rows, with bit columns."""

from __future__ import annotations

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets
from .transactions import Integers, Transactions, Words


class ItemColumns:
    """A bit column for each of some items: bit r is 1 if row r contains the item."""

    def __init__(self, transactions: Transactions, items: Integers) -> None:
        """Make the bit columns of these items, with one item in each row of ``words``."""
        self.n_rows = transactions.n_rows
        self.n_words = -(-transactions.n_rows // 64)
        self.column_of = np.full(transactions.n_items, -1, dtype=np.int64)
        self.column_of[items] = np.arange(items.size)
        columns = self.column_of[transactions.items]
        has_column = columns >= 0
        rows = transactions.rows[has_column]
        words = columns[has_column] * self.n_words + (rows >> 6)
        bits = np.left_shift(np.uint64(1), (rows & 63).astype(np.uint64))
        flat = np.zeros(items.size * self.n_words, dtype=np.uint64)
        np.bitwise_or.at(flat, words, bits)
        self.words: Words = flat.reshape(items.size, self.n_words)

    def of(self, items: Integers) -> Words:
        """Return the bit columns of these items, as rows of an array."""
        return np.asarray(self.words[self.column_of[items]])

    def rows_with(self, base: Integers, excluded: Integers) -> Integers:
        """Return the rows that contain all items of ``base`` and none of ``excluded``."""
        columns = np.full(self.n_words, ~np.uint64(0), dtype=np.uint64)
        if base.size:
            columns = np.bitwise_and.reduce(self.of(base), axis=0)
        if excluded.size:
            columns = columns & ~np.bitwise_or.reduce(self.of(excluded), axis=0)
        flags = np.unpackbits(columns.view(np.uint8), bitorder="little")[: self.n_rows]
        return np.flatnonzero(flags)


def count_supports(
    collection: Itemsets, transactions: Transactions, weights: Integers | None = None
) -> list[Integers]:
    """Return the support of each itemset in the rows, one array for each itemset length.

    A row counts as often as its weight says, by default once. The release must contain all
    subsets of its itemsets.
    """
    totals = [np.zeros(support.size, dtype=np.int64) for support in collection.supports]
    if not totals:
        return totals
    trie = collection.trie
    columns = ItemColumns(transactions, np.arange(transactions.n_items))
    planes = _weight_planes(transactions.n_rows, weights)
    for word in range(columns.n_words):
        check()
        shared = np.full(totals[0].size, ~np.uint64(0), dtype=np.uint64)
        for size, level in enumerate(collection.levels):
            check()
            if size:
                last_item = columns.words[:, word].take(level[:, -1])
                shared = shared.take(trie.parents[size]) & last_item
            for power, plane in enumerate(planes):
                check()
                common = np.bitwise_count(shared & plane[word]).astype(np.int64)
                totals[size] += common << power
    return totals


def _weight_planes(n_rows: int, weights: Integers | None) -> list[Words]:
    """Return one bit column for each binary digit of the weights, the lowest digit first."""
    ones = np.ones(n_rows, dtype=np.int64) if weights is None else weights
    padded = np.zeros(-(-n_rows // 64) * 64, dtype=np.int64)
    padded[:n_rows] = ones
    planes = []
    for power in range(int(ones.max(initial=0)).bit_length()):
        flags = (padded >> power) & 1 == 1
        planes.append(np.packbits(flags, bitorder="little").view(np.uint64))
    return planes
