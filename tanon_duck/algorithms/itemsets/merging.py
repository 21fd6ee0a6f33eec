"""Merging inference channels, so that one added row serves several of them."""

from __future__ import annotations

from functools import reduce

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, canonical_order
from .collection import Itemsets
from .transactions import Codes, Flags, Integers, Transactions, Words

CELLS_AT_ONCE = 1 << 18


class _Groups:
    """Merged channels: the items their base wants and those it excludes, bits (words, groups)."""

    def __init__(self, capacity: int, n_words: int) -> None:
        self.size = 0
        self.wanted = np.zeros((n_words, capacity), dtype=np.uint64)
        self.excluded = np.zeros((n_words, capacity), dtype=np.uint64)

    def accepting(self, wanted: Words) -> Integers:
        """The groups that exclude nothing of what a channel wants."""
        return np.flatnonzero(~_some(self.excluded[:, : self.size] & wanted[:, None]))

    def merge(self, places: Integers, wanted: Words, excluded: Words) -> None:
        """Add channels of one base, each to its group; the place after the last opens a new one."""
        for word in range(wanted.size):
            self.wanted[word, places] |= wanted[word]
            np.bitwise_or.at(self.excluded[word], places, excluded[word])
        self.size = max(self.size, int(places.max()) + 1)


def merge_channels(
    channels: Channels, n_items: int, frequent: Itemsets | None = None
) -> Transactions:
    """The merged bases as rows, greedily and the same for any order of the rows.

    With `frequent` (the maximal frequent itemsets are enough), large bases come first, and the
    channels of a base join groups whose base holds it already, or else those that it enlarges
    least while they stay frequent. Without, a channel joins the first group whose items agree, as
    the algorithm was printed; the channel that excludes most items comes first.
    """
    # Only items of channels can be wanted or excluded: there may be thousands of others.
    known = np.unique(channels.top[channels.top >= 0])
    place_of = np.full(n_items + 1, -1)
    place_of[known] = np.arange(known.size)
    wanted = pack_items(place_of[channels.base], known.size).T
    excluded = pack_items(place_of[channels.top], known.size).T & ~wanted
    groups = _Groups(len(channels), wanted.shape[0])
    order = _merging_order(channels, frequent is not None)
    if frequent is None:
        for number in order:
            check()
            places = groups.accepting(wanted[:, number])
            agrees = ~_some(groups.wanted[:, places] & excluded[:, [number]])
            place = places[agrees][:1] if agrees.any() else np.array([groups.size])
            groups.merge(place, wanted[:, number], excluded[:, [number]])
    elif len(channels):
        packed = [pack_items(place_of[level], known.size).T for level in frequent.levels]
        lacking = ~np.concatenate(packed, axis=1)
        changes = (wanted[:, order[1:]] != wanted[:, order[:-1]]).any(axis=0)
        for numbers in np.split(order, np.flatnonzero(changes) + 1):
            check()
            _merge_base(groups, lacking, wanted[:, numbers[0]], excluded[:, numbers])
    return _as_rows(np.ascontiguousarray(groups.wanted[:, : groups.size].T), known, n_items)


def _merge_base(groups: _Groups, lacking: Words, wanted: Words, excluded: Words) -> None:
    """Find groups for all channels of one base; each goes to the first that agrees.

    `lacking` are the items that each of the maximal frequent itemsets does not have.
    A new group holds them all without enlarging anything: if one of them needs it, others that
    would enlarge a group go there too.
    """
    places, growth = _least_growth(groups, lacking, wanted)
    agrees = ~_common(groups.wanted[:, places], excluded)
    taken = agrees.any(axis=0)
    if not taken.all():
        places, agrees = places[growth == 0], agrees[growth == 0]
        taken = agrees.any(axis=0)
    place = np.full(taken.size, groups.size)
    if places.size:
        place = np.where(taken, places[agrees.argmax(axis=0)], place)
    groups.merge(place, wanted, excluded)


def _least_growth(groups: _Groups, lacking: Words, wanted: Words) -> tuple[Integers, Integers]:
    """The groups that stay frequent with the base, and by how many items it enlarges them."""
    own = wanted[:, None]
    outside = lacking[:, ~_some(own & lacking)]
    places = groups.accepting(wanted)
    strangers = np.bitwise_and.reduce(outside, axis=1)
    places = places[~_some(groups.wanted[:, places] & strangers[:, None])]
    bases = groups.wanted[:, places]
    together = np.zeros(places.size, dtype=np.bool_)
    step = max(1, CELLS_AT_ONCE // max(bases.size, 1))
    for start in range(0, outside.shape[1] if places.size else 0, step):
        check()
        together |= ~_common(bases, outside[:, start : start + step]).all(axis=1)
    growth = np.bitwise_count(own & ~bases[:, together]).sum(axis=0)
    order = np.argsort(growth, kind="stable")
    return places[together][order], growth[order]


def _some(words: Words) -> Flags:
    """Whether any word has a bit set; numpy reduces so short an axis slowly."""
    return np.asarray(reduce(np.bitwise_or, words) != 0)


def _common(left: Words, right: Words) -> Flags:
    """Which columns on the left have a bit in common with which on the right."""
    pairs = zip(left, right, strict=True)
    return np.asarray(reduce(np.bitwise_or, (own[:, None] & other for own, other in pairs)) != 0)


def _merging_order(channels: Channels, largest_base_first: bool) -> Integers:
    base_size = (channels.base >= 0).sum(axis=1)
    excluded = (channels.top >= 0).sum(axis=1) - base_size
    order = canonical_order(channels.base, channels.top)
    first = base_size if largest_base_first else excluded
    return order[np.argsort(-first[order], kind="stable")]


def pack_items(items: Integers, n_items: int) -> Words:
    """Item codes, -1 where there is none, as bits: one row of words each."""
    words = np.zeros((items.shape[0], max(1, -(-n_items // 64))), dtype=np.uint64)
    rows = np.arange(items.shape[0])
    for column in items.T:
        check()
        bits = np.left_shift(np.uint64(1), (column & 63).astype(np.uint64))
        words[rows, column >> 6] |= np.where(column < 0, np.uint64(0), bits)
    return words


def _as_rows(wanted: Words, known: Codes, n_items: int) -> Transactions:
    flags = np.unpackbits(wanted.view(np.uint8), axis=1, bitorder="little")
    rows, places = np.nonzero(flags)
    return Transactions.from_pairs(rows, known[places], wanted.shape[0], n_items)
