"""Supports without inference channels: four ways to get there, and a check of the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, channels_below, channels_of_collection, channels_of_rows
from .collection import CollectionError, Itemsets, complete, keep_closed, keep_maximal
from .counting import count_supports
from .merging import merge_channels
from .mining import UNBOUNDED, frequent_itemsets, maximal_itemsets
from .rows_to_change import leave_out_rows, repeat_rows
from .transactions import Flags, Integers, Transactions

SUBSET_TO_ROW = 8
DrawCopies = Callable[[Transactions], Integers]
METHODS = ("additive", "paper", "real_rows", "suppressive")


class ChannelsLeftError(ValueError):
    """A collection about to be published still has inference channels."""

    def __init__(self, channels: Channels) -> None:
        super().__init__(f"{len(channels)} inference channels are left")
        self.channels = channels


@dataclass(frozen=True)
class Sanitized:
    """What may be published, what it was made from, and the rows that would explain it.

    `published` are closed itemsets for the method 'paper', all frequent ones otherwise; `added`
    are rows thought to be added `copies` times each, `kept` flags the rows that were left in.
    """

    method: str
    original: Itemsets
    published: Itemsets
    added: Transactions
    copies: Integers
    kept: Flags

    @property
    def rows_added(self) -> int:
        """How many rows were thought to be added."""
        return int(self.copies.sum())

    @property
    def rows_removed(self) -> int:
        """How many rows were left out."""
        return int((~self.kept).sum())

    def original_supports(self) -> list[Integers]:
        """The true support of every published itemset, level by level."""
        return [
            self.original.supports[size][self.original.trie.find(level)]
            for size, level in enumerate(self.published.levels)
        ]


def violations(collection: Itemsets, k: int, closed: bool = False) -> Channels:
    """The channels a reader finds in a collection; `closed` says it holds closed itemsets only."""
    return channels_of_collection(complete(collection) if closed else collection, k)


def require_no_channels(collection: Itemsets, k: int, closed: bool = False) -> None:
    """Raise if a reader would find a channel, or supports that no rows can have."""
    left = violations(collection, k, closed)
    if len(left):
        raise ChannelsLeftError(left)


def sanitize(
    transactions: Transactions,
    min_count: int,
    k: int,
    method: str = "additive",
    max_length: int = UNBOUNDED,
    draw: DrawCopies | None = None,
) -> Sanitized:
    """Frequent itemsets with supports that open no channel below k; the outcome is checked.

    `draw` says how often each imagined row of the method 'additive' is added, k times at least.
    """
    require_thresholds(transactions.n_rows, min_count, k)
    result = sanitize_unchecked(transactions, min_count, k, method, max_length, draw)
    require_no_channels(result.published, k, closed=method == "paper")
    return result


def sanitize_collection(
    original: Itemsets, n_rows: int, k: int, draw: DrawCopies | None = None
) -> Sanitized:
    """The same by the method 'additive' for all frequent itemsets of rows that are elsewhere."""
    result = _changed("additive", original, np.ones(n_rows, dtype=np.bool_), k, draw)
    require_no_channels(result.published, k)
    return result


def require_thresholds(n_rows: int, min_count: int, k: int) -> None:
    """k rows protect somebody only from two up, and only if no published support is below k."""
    if k < 2:
        raise CollectionError(f"k must be at least 2, got {k}")
    if n_rows and min_count < k:
        raise CollectionError(
            f"min_support must be at least k = {k} transactions, because an itemset of fewer would "
            f"itself be published, got {min_count}"
        )


def inference_channels(
    transactions: Transactions, min_count: int, k: int, max_length: int = UNBOUNDED
) -> Channels:
    """The maximal channels below k, by rows or by supports, whichever is less work."""
    require_thresholds(transactions.n_rows, min_count, k)
    maximal = maximal_itemsets(transactions, min_count, max_length)
    counts = [support.size for support in maximal.supports]
    by_supports = sum(count << size for size, count in enumerate(counts))
    if sum(counts) * transactions.n_rows < by_supports * SUBSET_TO_ROW:
        return channels_of_rows(transactions, maximal, k)
    return channels_below(frequent_itemsets(transactions, min_count, max_length), maximal, k)


def sanitize_unchecked(
    transactions: Transactions,
    min_count: int,
    k: int,
    method: str,
    max_length: int = UNBOUNDED,
    draw: DrawCopies | None = None,
) -> Sanitized:
    """The outcome of a method whether or not it is free of channels."""
    if method not in METHODS:
        raise CollectionError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    original = frequent_itemsets(transactions, min_count, max_length)
    if method == "suppressive":
        none, no_copies = Transactions.from_pairs([], [], 0, transactions.n_items), _zeros(0)
        kept, left = leave_out_rows(transactions, min_count, k, max_length)
        return Sanitized(method, original, left, none, no_copies, kept)
    everything = np.ones(transactions.n_rows, dtype=np.bool_)
    return _changed(method, original, everything, k, draw, transactions)


def _changed(
    method: str,
    original: Itemsets,
    everything: Flags,
    k: int,
    draw: DrawCopies | None,
    transactions: Transactions | None = None,
) -> Sanitized:
    """Rows are added, those of a table or imagined ones, and supports rise."""
    maximal = keep_maximal(original)
    channels = channels_below(original, maximal, k)
    if transactions is not None and method == "real_rows":
        added, copies = repeat_rows(transactions, channels, k)
    else:
        frequent = maximal if method == "additive" else None
        added = merge_channels(channels, original.n_items, frequent)
        copies = np.full(added.n_rows, k, dtype=np.int64)
        if draw is not None and method == "additive":
            copies = draw(added)
    published = _raised(original, added, copies)
    if method == "paper":
        published = _closed_in(original, published)
    return Sanitized(method, original, published, added, copies, everything)


def _raised(collection: Itemsets, added: Transactions, copies: Integers) -> Itemsets:
    gains = count_supports(collection, added, copies)
    return collection.with_supports(
        [own + gain for own, gain in zip(collection.supports, gains, strict=True)]
    )


def _closed_in(original: Itemsets, published: Itemsets) -> Itemsets:
    """Of the published itemsets those that were closed before."""
    closed = keep_closed(original)
    kept = []
    for size, support in enumerate(published.supports):
        check()
        flags = np.zeros(support.size, dtype=np.bool_)
        if size < len(closed.levels):
            flags[original.trie.find(closed.levels[size])] = True
        kept.append(flags)
    return published.select(kept)


def _zeros(size: int) -> Integers:
    return np.zeros(size, dtype=np.int64)


def changed_rows(transactions: Transactions, result: Sanitized) -> Transactions:
    """The rows whose supports the sanitized collection shows."""
    remaining = transactions.select_rows(result.kept)
    copies = np.repeat(np.arange(result.added.n_rows), result.copies)
    lengths = np.bincount(result.added.rows, minlength=result.added.n_rows)
    starts = np.cumsum(lengths) - lengths
    own = lengths[copies]
    place = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own)
    items = result.added.items[np.repeat(starts[copies], own) + place]
    rows = np.repeat(np.arange(copies.size), own) + remaining.n_rows
    return Transactions(
        remaining.n_rows + copies.size,
        transactions.n_items,
        np.concatenate([remaining.rows, rows]),
        np.concatenate([remaining.items, items]),
    )
