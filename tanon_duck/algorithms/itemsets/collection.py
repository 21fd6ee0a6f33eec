"""A collection of itemsets with supports, in one canonical order, and look-ups in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

from .transactions import Codes, Flags, Integers

LONGEST_ITEMSET = 24


class CollectionError(ValueError):
    """A collection that does not say what its reader must know, or says too much to work with."""


class MissingItemsetError(CollectionError):
    """A subset that a collection must hold is not there."""

    def __init__(self, itemset: list[int]) -> None:
        super().__init__(f"collection must be closed under subsets, got none for {itemset}")
        self.itemset = itemset


def require_enumerable(size: int) -> None:
    """Raise if an itemset has more subsets than can be worked through one by one."""
    if size > LONGEST_ITEMSET:
        raise CollectionError(
            f"itemsets must have at most {LONGEST_ITEMSET} items for all their subsets to be "
            f"worked through, got one of {size}: it has 2^{size} subsets; a higher min_support or "
            "a max_length keeps itemsets short"
        )


@dataclass(frozen=True)
class Itemsets:
    """`levels[s]` are the itemsets of s items: codes ascending, rows in lexicographic order."""

    n_items: int
    levels: tuple[Codes, ...]
    supports: tuple[Integers, ...]

    @classmethod
    def from_padded(cls, n_items: int, items: NDArray[Any], supports: Integers) -> Itemsets:
        """One itemset per row, padded with -1, in any order."""
        if (supports < 0).any():
            raise CollectionError(f"support must be at least 0, got {supports.min()}")
        sizes = (items >= 0).sum(axis=1)
        ordered = np.sort(np.where(items < 0, n_items, items), axis=1).astype(np.int32)
        levels, counts = [], []
        for size in range(int(sizes.max(initial=-1)) + 1):
            check()
            own = sizes == size
            level, support = ordered[own, :size], supports[own]
            if size > 1 and (level[:, 1:] == level[:, :-1]).any():
                raise CollectionError("itemset must name no item twice, got one that does")
            order = lexicographic_order(level, n_items)
            level = level[order]
            if bool((level[1:] == level[:-1]).all(axis=1).any()):
                raise CollectionError("collection must hold each itemset once, got one twice")
            levels.append(level)
            counts.append(support[order])
        return cls(n_items, tuple(levels), tuple(counts))

    @classmethod
    def from_lists(
        cls, n_items: int, itemsets: Sequence[Sequence[int]], supports: Sequence[int]
    ) -> Itemsets:
        """One sequence of item codes per itemset."""
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
        """The support of the empty set, 0 if the collection has none."""
        return int(self.supports[0][0]) if self.supports and self.supports[0].size else 0

    def with_supports(self, supports: Sequence[Integers]) -> Itemsets:
        """The same itemsets with other supports; what depends on the itemsets alone is kept."""
        other = Itemsets(self.n_items, self.levels, tuple(supports))
        for known in ("trie", "is_maximal"):
            if known in self.__dict__:
                other.__dict__[known] = self.__dict__[known]
        return other

    def select(self, kept: Sequence[Flags]) -> Itemsets:
        """The itemsets flagged, level by level."""
        pairs = list(zip(self.levels, self.supports, kept, strict=True))
        return Itemsets(
            self.n_items,
            tuple(level[flags] for level, _, flags in pairs),
            tuple(support[flags] for _, support, flags in pairs),
        )

    def flat(self) -> tuple[Integers, Integers, Integers]:
        """Offsets, item codes and supports, the way a list column keeps them."""
        sizes = np.repeat(np.arange(len(self.levels)), [s.size for s in self.supports])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        codes = [level.ravel() for level in self.levels] or [np.empty(0, np.int32)]
        supports = list(self.supports) or [np.empty(0, np.int64)]
        return offsets, np.concatenate(codes).astype(np.int64), np.concatenate(supports)

    def lists(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every itemset as a tuple with its support."""
        for level, support in zip(self.levels, self.supports, strict=True):
            yield from zip(map(tuple, level.tolist()), support.tolist(), strict=True)

    @cached_property
    def trie(self) -> Trie:
        """Look-ups by prefix; the collection must be closed under subsets."""
        return Trie(self)

    @cached_property
    def is_maximal(self) -> list[Flags]:
        """Which itemsets have no superset here; the collection must be closed under subsets."""
        return _without_superset(self, equal_support=False)


class Trie:
    """`keys[s]` are parent * n_items + last item of the itemsets of s items, ascending."""

    def __init__(self, collection: Itemsets) -> None:
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
        prefix = level[:, :-1]
        changes = np.ones(prefix.shape[0], dtype=np.bool_)
        changes[1:] = (prefix[1:] != prefix[:-1]).any(axis=1)
        found = self.find(prefix[changes])
        if (found < 0).any():
            missing = prefix[changes][found < 0][0].tolist()
            raise MissingItemsetError(missing)
        return np.asarray(found[np.cumsum(changes) - 1])

    def find(self, itemsets: Codes) -> Integers:
        """Where each itemset (all of one size, items ascending) stands in its level, or -1."""
        place = np.zeros(itemsets.shape[0], dtype=np.int64)
        for depth in range(itemsets.shape[1]):
            check()
            place = self.child(depth, place, itemsets[:, depth])
        return place

    def child(self, size: int, place: Integers, item: NDArray[Any]) -> Integers:
        """Where the itemset at `place` with a later item added stands, or -1."""
        if size + 1 >= len(self.keys) or not self.keys[size + 1].size:
            return np.full(place.shape, -1, dtype=np.int64)
        keys = self.keys[size + 1]
        wanted = place * self.n_items + item
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        return np.where((keys[found] == wanted) & (place >= 0), found, -1)


def lexicographic_order(rows: NDArray[Any], n_items: int) -> Integers:
    """The order that sorts rows of item codes, several codes packed into each sort key."""
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
    """For every itemset of `size` items, where it stands without its first, second, ... item.

    `above` is the answer for the parents' level; -1 marks a subset the collection lacks.
    """
    trie, level = collection.trie, collection.levels[size]
    parents = trie.parents[size]
    result = np.empty((level.shape[0], size), dtype=np.int64)
    result[:, -1] = parents
    if above is not None:
        for place in range(size - 1):
            check()
            result[:, place] = trie.child(size - 2, above[parents, place], level[:, -1])
    return result


def subset_levels(collection: Itemsets) -> Iterator[tuple[int, Integers]]:
    """`immediate_subsets` of every level from size 1 up."""
    above: Integers | None = None
    for size in range(1, len(collection.levels)):
        check()
        above = immediate_subsets(collection, size, above if size > 1 else None)
        yield size, above


def require_subsets(collection: Itemsets) -> None:
    """Raise unless the empty set and every subset of every itemset are in the collection."""
    if len(collection) and not collection.supports[0].size:
        raise CollectionError(
            "collection must hold the empty itemset, whose support is the number of transactions, "
            "got none"
        )
    for size, subsets in subset_levels(collection):
        lacking = np.argwhere(subsets < 0)
        if lacking.size:
            row, place = lacking[0]
            missing = np.delete(collection.levels[size][row], place).tolist()
            raise MissingItemsetError(missing)


def require_closed_form(collection: Itemsets) -> None:
    """Raise unless one itemset, the empty one as a rule, is within all the others."""
    filled = [level for level in collection.levels if level.shape[0]]
    if not filled:
        return
    least = filled[0][0]
    within = all((level[:, :, None] == least).any(axis=1).all() for level in filled)
    if filled[0].shape[0] > 1 or not within:
        raise CollectionError(
            "collection must hold the empty itemset, whose support is the number of transactions, "
            "or the items that every transaction has, got neither"
        )


def keep_closed(collection: Itemsets) -> Itemsets:
    """Leave out itemsets with a superset of equal support (the collection closed under subsets)."""
    return collection.select(_without_superset(collection, equal_support=True))


def keep_maximal(collection: Itemsets) -> Itemsets:
    """Leave out itemsets with any superset (the collection closed under subsets)."""
    return collection.select(collection.is_maximal)


def _without_superset(collection: Itemsets, equal_support: bool) -> list[Flags]:
    kept = [np.ones(support.size, dtype=np.bool_) for support in collection.supports]
    for size, subsets in subset_levels(collection):
        check()
        hit = subsets >= 0
        if equal_support:
            own = collection.supports[size][:, None]
            hit &= collection.supports[size - 1][np.maximum(subsets, 0)] == own
        kept[size - 1][subsets[hit]] = False
    return kept


def complete(collection: Itemsets) -> Itemsets:
    """All subsets of the itemsets; one that was not listed has the largest support above it."""
    require_enumerable(len(collection.levels) - 1)
    levels = list(collection.levels)
    supports = list(collection.supports)
    for size in range(len(levels) - 1, 0, -1):
        check()
        derived = np.concatenate([np.delete(levels[size], place, axis=1) for place in range(size)])
        inherited = np.tile(supports[size], size)
        levels[size - 1], supports[size - 1] = _merge(
            (levels[size - 1], supports[size - 1]), (derived, inherited), collection.n_items
        )
    return Itemsets(collection.n_items, tuple(levels), tuple(supports))


def _merge(
    own: tuple[Codes, Integers], derived: tuple[Codes, Integers], n_items: int
) -> tuple[Codes, Integers]:
    rows = np.concatenate([own[0], derived[0]])
    supports = np.concatenate([own[1], derived[1]])
    order = lexicographic_order(rows, n_items)
    rows, supports = rows[order], supports[order]
    starts = np.ones(rows.shape[0], dtype=np.bool_)
    starts[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    first = np.flatnonzero(starts)
    largest = np.maximum.reduceat(supports, first) if first.size else supports
    listed = order[first] < own[0].shape[0]
    return rows[first], np.where(listed, supports[first], largest)
