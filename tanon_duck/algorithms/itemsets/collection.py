"""Collections of itemsets with their supports, in one canonical order.

``Itemsets`` is a collection. A level of it is all itemsets with the same number of items. ``Trie``
finds itemsets and their extensions. ``require_subsets`` checks collections from
users. ``keep_closed`` and ``keep_maximal`` return the closed and the maximal itemsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

from .transactions import Codes, Flags, Integers

# An itemset of n items has 2^n subsets.
LONGEST_ITEMSET = 24


class CollectionError(ValueError):
    """A collection is incomplete, contradictory or too large."""


class MissingItemsetError(CollectionError):
    """A collection lacks a subset of one of its itemsets."""

    def __init__(self, itemset: list[int]) -> None:
        super().__init__(f"release must be closed under subsets, got none for {itemset}")
        self.itemset = itemset


def require_enumerable(size: int) -> None:
    """Raise CollectionError if an itemset of this size has too many subsets to list them."""
    if size > LONGEST_ITEMSET:
        raise CollectionError(
            f"itemsets must have at most {LONGEST_ITEMSET} items for all their subsets to be "
            f"worked through, got one of {size}: it has 2^{size} subsets; a higher min_support or "
            "a max_length keeps itemsets short"
        )


@dataclass(frozen=True)
class Itemsets:
    """A collection of itemsets and their supports.

    ``levels[s]`` has the itemsets of s items as rows, in lexicographic order, with ascending items.
    ``supports[s]`` has their supports.
    """

    n_items: int
    levels: tuple[Codes, ...]
    supports: tuple[Integers, ...]

    @classmethod
    def from_padded(cls, n_items: int, items: NDArray[Any], supports: Integers) -> Itemsets:
        """Return a collection from one itemset per row, padded with -1, in any order.

        Raise CollectionError if a support is negative, or an item or itemset occurs twice.
        """
        if (supports < 0).any():
            raise CollectionError(f"support must be at least 0, got {supports.min()}")
        sizes = (items >= 0).sum(axis=1)
        ordered = np.sort(np.where(items < 0, n_items, items), axis=1).astype(np.int32)
        levels, counts = [], []
        for size in range(int(sizes.max(initial=-1)) + 1):
            check()
            has_size = sizes == size
            level, support = ordered[has_size, :size], supports[has_size]
            if size > 1 and (level[:, 1:] == level[:, :-1]).any():
                raise CollectionError("itemset must name no item twice, got one that does")
            order = lexicographic_order(level, n_items)
            level = level[order]
            if bool((level[1:] == level[:-1]).all(axis=1).any()):
                raise CollectionError("release must hold each itemset once, got one twice")
            levels.append(level)
            counts.append(support[order])
        return cls(n_items, tuple(levels), tuple(counts))

    @classmethod
    def from_lists(
        cls, n_items: int, itemsets: Sequence[Sequence[int]], supports: Sequence[int]
    ) -> Itemsets:
        """Return a collection from one sequence of items per itemset, in any order."""
        longest = max((len(items) for items in itemsets), default=0)
        padded = np.full((len(itemsets), longest), -1, dtype=np.int32)
        for row, items in enumerate(itemsets):
            check()
            padded[row, : len(items)] = items
        return cls.from_padded(n_items, padded, np.asarray(supports, dtype=np.int64))

    def __len__(self) -> int:
        return sum(support.size for support in self.supports)

    @property
    def n_rows(self) -> int:
        """The support of the empty itemset, which is the number of rows; 0 if there is none."""
        return int(self.supports[0][0]) if self.supports and self.supports[0].size else 0

    def with_supports(self, supports: Sequence[Integers]) -> Itemsets:
        """Return the same itemsets with other supports, one array for each level."""
        other = Itemsets(self.n_items, self.levels, tuple(supports))
        # These properties do not depend on the supports.
        for name in ("trie", "is_maximal"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def select(self, selected: Sequence[Flags]) -> Itemsets:
        """Return the marked itemsets; there is one array of flags for each level."""
        levels = list(zip(self.levels, self.supports, selected, strict=True))
        return Itemsets(
            self.n_items,
            tuple(level[flags] for level, _, flags in levels),
            tuple(support[flags] for _, support, flags in levels),
        )

    def flat(self) -> tuple[Integers, Integers, Integers]:
        """Return offsets, items and supports of all itemsets, as in an Arrow column of lists.

        Itemset i has the items from ``offsets[i]`` to ``offsets[i + 1]``.
        """
        sizes = np.repeat(np.arange(len(self.levels)), [s.size for s in self.supports])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        codes = [level.ravel() for level in self.levels] or [np.empty(0, np.int32)]
        supports = list(self.supports) or [np.empty(0, np.int64)]
        return offsets, np.concatenate(codes).astype(np.int64), np.concatenate(supports)

    def lists(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield each itemset as a tuple of items, and its support."""
        for level, support in zip(self.levels, self.supports, strict=True):
            yield from zip(map(tuple, level.tolist()), support.tolist(), strict=True)

    @cached_property
    def trie(self) -> Trie:
        """The trie of the collection, which must contain all subsets of its itemsets."""
        return Trie(self)

    @cached_property
    def is_maximal(self) -> list[Flags]:
        """For each level, which itemsets have no superset in the collection.

        The release must contain all subsets of its itemsets.
        """
        return _without_superset(self, equal_support=False)


class Trie:
    """Finds the position of itemsets in their level, item by item.

    The parent of an itemset is the itemset without its last item. ``parents[s]`` has the positions
    of the parents of level s, and ``keys[s]`` has parent * n_items + last item, which ascend.
    """

    def __init__(self, collection: Itemsets) -> None:
        """Find the parents of all itemsets; raise MissingItemsetError if one does not exist."""
        self.n_items = max(collection.n_items, 1)
        self.keys: list[Integers] = [np.zeros(1, dtype=np.int64)]
        self.parents: list[Integers] = [np.zeros(0, dtype=np.int64)]
        for size in range(1, len(collection.levels)):
            check()
            level = collection.levels[size]
            parents = self._parents(level)
            self.parents.append(parents)
            self.keys.append(parents * self.n_items + level[:, -1])

    def _parents(self, level: Codes) -> Integers:
        """Return the position of each parent; raise MissingItemsetError if one does not exist."""
        prefix = level[:, :-1]
        is_new = np.ones(prefix.shape[0], dtype=np.bool_)
        is_new[1:] = (prefix[1:] != prefix[:-1]).any(axis=1)
        found = self.find(prefix[is_new])
        if (found < 0).any():
            missing = prefix[is_new][found < 0][0].tolist()
            raise MissingItemsetError(missing)
        return np.asarray(found[np.cumsum(is_new) - 1])

    def find(self, itemsets: Codes) -> Integers:
        """Return the position of each itemset in its level, -1 if it does not exist.

        All itemsets have the same size, and ascending items.
        """
        position = np.zeros(itemsets.shape[0], dtype=np.int64)
        for depth in range(itemsets.shape[1]):
            check()
            position = self.child(depth, position, itemsets[:, depth])
        return position

    def child(self, size: int, position: Integers, item: NDArray[Any]) -> Integers:
        """Return the positions of itemsets with one later item added, -1 if they do not exist.

        The itemsets have this size, and these positions in their level.
        """
        if size + 1 >= len(self.keys) or not self.keys[size + 1].size:
            return np.full(position.shape, -1, dtype=np.int64)
        keys = self.keys[size + 1]
        wanted = position * self.n_items + item
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        return np.where((keys[found] == wanted) & (position >= 0), found, -1)


def lexicographic_order(rows: NDArray[Any], n_items: int) -> Integers:
    """Return the order that sorts rows of items; several items are packed into one sort key."""
    if rows.shape[1] == 0:
        return np.arange(rows.shape[0])
    width = max(1, int(n_items).bit_length())
    per_key = 62 // width
    keys = []
    for start in range(0, rows.shape[1], per_key):
        check()
        key = np.zeros(rows.shape[0], dtype=np.int64)
        for column in rows[:, start : start + per_key].T:
            check()
            key = (key << width) | column
        keys.append(key)
    return np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")


def immediate_subsets(collection: Itemsets, size: int, above: Integers | None) -> Integers:
    """Return the positions of all subsets with one item less, -1 if they do not exist.

    Column i is for the itemset without its i-th item. ``above`` is the result for size - 1.
    """
    trie, level = collection.trie, collection.levels[size]
    parents = trie.parents[size]
    result = np.empty((level.shape[0], size), dtype=np.int64)
    result[:, -1] = parents
    if above is not None:
        for column in range(size - 1):
            check()
            result[:, column] = trie.child(size - 2, above[parents, column], level[:, -1])
    return result


def subset_levels(collection: Itemsets) -> Iterator[tuple[int, Integers]]:
    """Yield each size from 1 on, and the ``immediate_subsets`` of its level."""
    above: Integers | None = None
    for size in range(1, len(collection.levels)):
        check()
        above = immediate_subsets(collection, size, above if size > 1 else None)
        yield size, above


def require_subsets(collection: Itemsets) -> None:
    """Raise unless the collection contains the empty itemset and all subsets of its itemsets."""
    if len(collection) and not collection.supports[0].size:
        raise CollectionError(
            "release must hold the empty itemset, whose support is the number of transactions, "
            "got none"
        )
    for size, subsets in subset_levels(collection):
        missing = np.argwhere(subsets < 0)
        if missing.size:
            row, column = missing[0]
            raise MissingItemsetError(np.delete(collection.levels[size][row], column).tolist())


def keep_closed(collection: Itemsets) -> Itemsets:
    """Return the itemsets without a superset of equal support.

    The release must contain all subsets of its itemsets.
    """
    return collection.select(_without_superset(collection, equal_support=True))


def keep_maximal(collection: Itemsets) -> Itemsets:
    """Return the itemsets without a superset.

    The release must contain all subsets of its itemsets.
    """
    return collection.select(collection.is_maximal)


def _without_superset(collection: Itemsets, equal_support: bool) -> list[Flags]:
    """Mark for each level the itemsets without a superset, or without one of equal support."""
    is_largest = [np.ones(support.size, dtype=np.bool_) for support in collection.supports]
    for size, subsets in subset_levels(collection):
        check()
        counts = subsets >= 0
        if equal_support:
            support = collection.supports[size][:, None]
            counts &= collection.supports[size - 1][np.maximum(subsets, 0)] == support
        is_largest[size - 1][subsets[counts]] = False
    return is_largest
