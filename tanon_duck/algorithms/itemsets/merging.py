"""Merges inference channels, so that one added row closes several of them.

A row closes a channel base -> top if it contains the base and no other item of the top. So several
channels can be merged if no base contains an excluded item of another. Their merged base is the
row to add.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, canonical_order
from .collection import Itemsets
from .transactions import Codes, Flags, Integers, Transactions, Words

CELLS_AT_ONCE = 1 << 18


class _Groups:
    """Groups of merged channels.

    ``wanted`` has the items of the merged base of each group, ``excluded`` the items that the row
    must not contain, as bits with the axes words and groups.
    """

    def __init__(self, capacity: int, n_words: int) -> None:
        self.size = 0
        self.wanted = np.zeros((n_words, capacity), dtype=np.uint64)
        self.excluded = np.zeros((n_words, capacity), dtype=np.uint64)

    def accepting(self, wanted: Words) -> Integers:
        """Return the groups that exclude none of these items."""
        return np.flatnonzero(~_any_bit(self.excluded[:, : self.size] & wanted[:, None]))

    def add(self, groups: Integers, wanted: Words, excluded: Words) -> None:
        """Add channels with the same base, channel i to ``groups[i]``.

        The number of groups means a new group.
        """
        for word in range(wanted.size):
            self.wanted[word, groups] |= wanted[word]
            np.bitwise_or.at(self.excluded[word], groups, excluded[word])
        self.size = max(self.size, int(groups.max()) + 1)


def merge_channels(
    channels: Channels, n_items: int, frequent: Itemsets | None = None
) -> Transactions:
    """Return the merged bases as rows; the result does not depend on the order of the source.

    If ``frequent`` has the maximal frequent itemsets, merged bases stay frequent. Large bases come
    first, and join the group whose base they enlarge least. If it is None, a channel joins the
    first possible group, as printed in the paper, and channels that exclude most items come first.
    """
    # Bits are only for items of channels: there may be thousands of other items.
    known = np.unique(channels.top[channels.top >= 0])
    bit_of = np.full(n_items + 1, -1)
    bit_of[known] = np.arange(known.size)
    wanted = pack_items(bit_of[channels.base], known.size).T
    excluded = pack_items(bit_of[channels.top], known.size).T & ~wanted
    groups = _Groups(len(channels), wanted.shape[0])
    order = _merging_order(channels, frequent is not None)
    if frequent is None:
        for number in order:
            check()
            candidates = groups.accepting(wanted[:, number])
            fits = ~_any_bit(groups.wanted[:, candidates] & excluded[:, [number]])
            group = candidates[fits][:1] if fits.any() else np.array([groups.size])
            groups.add(group, wanted[:, number], excluded[:, [number]])
    elif len(channels):
        packed = [pack_items(bit_of[level], known.size).T for level in frequent.levels]
        lacking = ~np.concatenate(packed, axis=1)
        base_changes = (wanted[:, order[1:]] != wanted[:, order[:-1]]).any(axis=0)
        for numbers in np.split(order, np.flatnonzero(base_changes) + 1):
            check()
            _merge_base(groups, lacking, wanted[:, numbers[0]], excluded[:, numbers])
    return _as_rows(np.ascontiguousarray(groups.wanted[:, : groups.size].T), known, n_items)


def _merge_base(groups: _Groups, lacking: Words, wanted: Words, excluded: Words) -> None:
    """Add all channels with one base to groups, each to the possible group that grows least.

    ``lacking`` has the items that each maximal frequent itemset does not contain. If a channel
    needs a new group, the other channels join it too, unless they fit a group that does not grow.
    """
    candidates, growth = _frequent_groups(groups, lacking, wanted)
    fits = ~_share_bit(groups.wanted[:, candidates], excluded)
    has_group = fits.any(axis=0)
    if not has_group.all():
        candidates, fits = candidates[growth == 0], fits[growth == 0]
        has_group = fits.any(axis=0)
    group = np.full(has_group.size, groups.size)
    if candidates.size:
        group = np.where(has_group, candidates[fits.argmax(axis=0)], group)
    groups.add(group, wanted, excluded)


def _frequent_groups(groups: _Groups, lacking: Words, wanted: Words) -> tuple[Integers, Integers]:
    """Return the groups whose base stays frequent with the items ``wanted`` added.

    Return them in the order of growth, and by how many items each grows.
    """
    added = wanted[:, None]
    outside = lacking[:, ~_any_bit(added & lacking)]
    candidates = groups.accepting(wanted)
    never_frequent = np.bitwise_and.reduce(outside, axis=1)
    has_none = ~_any_bit(groups.wanted[:, candidates] & never_frequent[:, None])
    candidates = candidates[has_none]
    bases = groups.wanted[:, candidates]
    is_frequent = np.zeros(candidates.size, dtype=np.bool_)
    step = max(1, CELLS_AT_ONCE // max(bases.size, 1))
    for start in range(0, outside.shape[1] if candidates.size else 0, step):
        check()
        is_frequent |= ~_share_bit(bases, outside[:, start : start + step]).all(axis=1)
    growth = np.bitwise_count(added & ~bases[:, is_frequent]).sum(axis=0)
    order = np.argsort(growth, kind="stable")
    return candidates[is_frequent][order], growth[order]


def _any_bit(words: Words) -> Flags:
    """Return for each column whether any of its words has a bit set.

    For the few words of a column, ``reduce`` of Python is faster than that of numpy.
    """
    return np.asarray(reduce(np.bitwise_or, words) != 0)


def _share_bit(left: Words, right: Words) -> Flags:
    """Return which columns on the left (first axis) share a bit with which on the right."""
    pairs = zip(left, right, strict=True)
    common = (left_word[:, None] & right_word for left_word, right_word in pairs)
    return np.asarray(reduce(np.bitwise_or, common) != 0)


def _merging_order(channels: Channels, largest_base_first: bool) -> Integers:
    """Return the channels by falling size of the base, or by falling number of excluded items."""
    base_size = (channels.base >= 0).sum(axis=1)
    excluded = (channels.top >= 0).sum(axis=1) - base_size
    order = canonical_order(channels.base, channels.top)
    key = base_size if largest_base_first else excluded
    return order[np.argsort(-key[order], kind="stable")]


def pack_items(items: Integers, n_items: int) -> Words:
    """Return rows of items, padded with -1, as rows of bits."""
    words = np.zeros((items.shape[0], max(1, -(-n_items // 64))), dtype=np.uint64)
    rows = np.arange(items.shape[0])
    for column in items.T:
        check()
        bits = np.left_shift(np.uint64(1), (column & 63).astype(np.uint64))
        words[rows, column >> 6] |= np.where(column < 0, np.uint64(0), bits)
    return words


def _as_rows(wanted: Words, known: Codes, n_items: int) -> Transactions:
    """Return rows of bits as transactions; ``known`` has the item of each bit."""
    flags = np.unpackbits(wanted.view(np.uint8), axis=1, bitorder="little")
    rows, bits = np.nonzero(flags)
    return Transactions.from_pairs(rows, known[bits], wanted.shape[0], n_items)
