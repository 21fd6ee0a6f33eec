"""Merging inference channels, so that one added row serves several of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from .channels import Channels, canonical_order
from .collection import Itemsets
from .pairs import Words
from .transactions import Codes, Flags, Integers, Transactions


class _Groups:
    """Merged channels: the items their base wants and the items it forbids, as packed bits."""

    def __init__(self, capacity: int, n_words: int) -> None:
        self.size = 0
        self.wanted = np.zeros((capacity, n_words), dtype=np.uint64)
        self.forbidden = np.zeros((capacity, n_words), dtype=np.uint64)

    def mergeable(self, wanted: Words, forbidden: Words) -> Integers:
        """The groups that want nothing the channel forbids, nor forbid what it wants."""
        clash = (self.forbidden[: self.size] & wanted) | (self.wanted[: self.size] & forbidden)
        return np.flatnonzero(~clash.any(axis=1))

    def merge(self, place: int, wanted: Words, forbidden: Words) -> None:
        """Add a channel to a group; the place after the last opens a new one."""
        self.wanted[place] |= wanted
        self.forbidden[place] |= forbidden
        self.size = max(self.size, place + 1)


class _FrequentUnions:
    """Whether the union of a channel's base with a group's is a frequent itemset."""

    def __init__(self, collection: Itemsets) -> None:
        self.collection = collection
        items = collection.levels[1][:, 0]
        pairs = collection.levels[2] if len(collection.levels) > 2 else np.empty((0, 2), np.int32)
        ends = np.concatenate([pairs, pairs[:, ::-1], np.column_stack([items, items])])
        self.partner = ends[np.argsort(ends[:, 0], kind="stable"), 1]
        counts = np.bincount(ends[:, 0], minlength=collection.n_items)
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.known: dict[bytes, bool] = {}

    def companions(self, base: Codes) -> Words:
        """The items that are frequent together with every single item of the base."""
        items = base[base >= 0]
        lists = [self.partner[self.starts[item] : self.starts[item + 1]] for item in items]
        met = np.bincount(
            np.concatenate([np.empty(0, np.int32), *lists]), minlength=self.collection.n_items
        )
        return np.asarray(_packed((met == items.size)[None, :])[0])

    def frequent_ones(self, groups: _Groups, places: Integers, wanted: Words) -> Iterator[int]:
        """The groups whose base stays frequent with the wanted items added."""
        return (int(place) for place in places if self.holds(groups.wanted[place] | wanted))

    def holds(self, wanted: Words) -> bool:
        """Remembered, because greedy merging asks for the same unions again and again."""
        key = wanted.tobytes()
        if key not in self.known:
            items = np.flatnonzero(np.unpackbits(wanted.view(np.uint8), bitorder="little"))
            found = self.collection.trie.find(items[None, :].astype(np.int32))
            self.known[key] = bool(found[0] >= 0)
        return self.known[key]


def merge_channels(
    channels: Channels, n_items: int, frequent: Itemsets | None = None
) -> Transactions:
    """The merged bases as rows, greedily and the same for any order of the rows.

    With `frequent` (all frequent itemsets), large bases come first, and a channel joins the group
    whose base it enlarges least among those whose base stays frequent. Without, it joins the
    first group whose items agree, as the algorithm was printed; the channel that excludes most
    items comes first.
    """
    wanted = pack_items(channels.base, n_items)
    forbidden = pack_items(channels.top, n_items) & ~wanted
    groups = _Groups(len(channels), wanted.shape[1])
    unions = _FrequentUnions(frequent) if frequent is not None and len(channels) else None
    for number in _merging_order(channels, unions is not None):
        own_wanted, own_forbidden = wanted[number], forbidden[number]
        agreeing = groups.mergeable(own_wanted, own_forbidden)
        places: Iterable[int] = agreeing
        if unions is not None:
            companions = unions.companions(channels.base[number])
            nearest = _least_growth(groups, agreeing, own_wanted, companions)
            places = unions.frequent_ones(groups, nearest, own_wanted)
        groups.merge(int(next(iter(places), groups.size)), own_wanted, own_forbidden)
    return _as_rows(groups.wanted[: groups.size], n_items)


def _merging_order(channels: Channels, largest_base_first: bool) -> Integers:
    base_size = (channels.base >= 0).sum(axis=1)
    excluded = (channels.top >= 0).sum(axis=1) - base_size
    order = canonical_order(channels.base, channels.top)
    first = base_size if largest_base_first else excluded
    return order[np.argsort(-first[order], kind="stable")]


def _least_growth(groups: _Groups, places: Integers, wanted: Words, companions: Words) -> Integers:
    """Groups whose items all go with the channel's, those that grow least first."""
    bases = groups.wanted[places]
    possible = ~(bases & ~companions).any(axis=1)
    growth = np.bitwise_count(wanted & ~bases[possible]).sum(axis=1)
    return places[possible][np.argsort(growth, kind="stable")]


def pack_items(items: Codes, n_items: int) -> Words:
    """Padded item codes as bits, one row of words each."""
    flags = np.zeros((items.shape[0], n_items), dtype=np.bool_)
    row = np.repeat(np.arange(items.shape[0]), items.shape[1])
    code = items.ravel()
    flags[row[code >= 0], code[code >= 0]] = True
    return _packed(flags)


def _packed(flags: Flags) -> Words:
    """Flags as bits, filled up to whole words."""
    missing = -flags.shape[1] % 64 if flags.shape[1] else 64
    filled = np.pad(flags, ((0, 0), (0, missing)))
    return np.packbits(filled, axis=1, bitorder="little").view(np.uint64)


def _as_rows(wanted: Words, n_items: int) -> Transactions:
    flags = np.unpackbits(wanted.view(np.uint8), axis=1, bitorder="little")
    rows, items = np.nonzero(flags)
    return Transactions.from_pairs(rows, items, wanted.shape[0], n_items)
