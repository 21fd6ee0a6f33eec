"""Changes the supports of frequent itemsets so that no inference channel is open.

There are four methods. Each of them gives the supports of changed rows:

- 'additive' adds rows that close channels, k times or more each (``merging``).
- 'paper' adds rows as printed in the paper, and publishes closed itemsets only. It may leave
  channels.
- 'real_rows' repeats existing rows (``rows_to_change``).
- 'suppressive' removes existing rows (``rows_to_change``).

``sanitize`` checks that its result has no open channel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, channels_below, channels_of_collection, channels_of_rows
from .closed_form import complete
from .collection import CollectionError, Itemsets, keep_closed, keep_maximal
from .counting import count_supports
from .merging import merge_channels
from .mining import UNBOUNDED, frequent_itemsets, maximal_itemsets
from .rows_to_change import remove_rows, repeat_rows
from .runs import running
from .transactions import Flags, Integers, Transactions

# To compute channels from one subset takes about 8 times as long as from one row.
SUBSET_TO_ROW = 8
# A function that returns for each added row how often it is added.
DrawCopies = Callable[[Transactions], Integers]
METHODS = ("additive", "paper", "real_rows", "suppressive")


class ChannelsLeftError(ValueError):
    """The result of a method still has inference channels."""

    def __init__(self, channels: Channels) -> None:
        super().__init__(f"{len(channels)} inference channels are left")
        self.channels = channels


@dataclass(frozen=True)
class Sanitized:
    """The result of a method.

    ``original`` has the frequent itemsets with true supports, ``published`` those to publish. The
    published supports are those of the source's rows marked in ``kept``, and of the rows ``added``,
    row i ``copies[i]`` times.
    """

    method: str
    original: Itemsets
    published: Itemsets
    added: Transactions
    copies: Integers
    kept: Flags

    @property
    def rows_added(self) -> int:
        """The number of added rows."""
        return int(self.copies.sum())

    @property
    def rows_removed(self) -> int:
        """The number of removed rows."""
        return int((~self.kept).sum())

    def original_supports(self) -> list[Integers]:
        """Return the true supports of the published itemsets, one array for each level."""
        return [
            self.original.supports[size][self.original.trie.find(level)]
            for size, level in enumerate(self.published.levels)
        ]


def violations(collection: Itemsets, k: int, closed: bool = False) -> Channels:
    """Return the open channels of a collection; ``closed`` says it has closed itemsets only."""
    return channels_of_collection(complete(collection) if closed else collection, k)


def require_no_channels(collection: Itemsets, k: int, closed: bool = False) -> None:
    """Raise ChannelsLeftError if a collection has an open channel."""
    channels = violations(collection, k, closed)
    if len(channels):
        raise ChannelsLeftError(channels)


def sanitize(
    transactions: Transactions,
    min_count: int,
    k: int,
    method: str = "additive",
    max_length: int = UNBOUNDED,
    draw: DrawCopies | None = None,
) -> Sanitized:
    """Return the frequent itemsets with supports that open no channel of fewer than k rows.

    ``draw`` returns how often the method 'additive' adds each row, at least k times. By default it
    is k times. Raise ChannelsLeftError if the result has an open channel.
    """
    require_thresholds(transactions.n_rows, min_count, k)
    result = sanitize_unchecked(transactions, min_count, k, method, max_length, draw)
    require_no_channels(result.published, k, closed=method == "paper")
    return result


def sanitize_collection(
    original: Itemsets, n_rows: int, k: int, draw: DrawCopies | None = None
) -> Sanitized:
    """Return sanitized supports of all frequent itemsets, without the transactions.

    The method is 'additive'. ``n_rows`` is the number of transactions. ``draw`` returns how often
    each row is added.
    """
    result = _add_rows("additive", original, np.ones(n_rows, dtype=np.bool_), k, draw)
    require_no_channels(result.published, k)
    return result


def require_thresholds(n_rows: int, min_count: int, k: int) -> None:
    """Raise CollectionError if k is below 2, or if itemsets of fewer than k rows are frequent."""
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
    """Return the open channels of the frequent itemsets.

    They are computed from the rows or from the supports, whichever is faster.
    """
    require_thresholds(transactions.n_rows, min_count, k)
    maximal = maximal_itemsets(transactions, min_count, max_length)
    counts = [support.size for support in maximal.supports]
    n_subsets = sum(count << size for size, count in enumerate(counts))
    if sum(counts) * transactions.n_rows < n_subsets * SUBSET_TO_ROW:
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
    """Return the result of a method, which may have open channels."""
    if method not in METHODS:
        raise CollectionError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    original = frequent_itemsets(transactions, min_count, max_length)
    if method == "suppressive":
        nothing_added = Transactions.from_pairs([], [], 0, transactions.n_items)
        no_copies = np.zeros(0, dtype=np.int64)
        kept, published = remove_rows(transactions, min_count, k, max_length)
        return Sanitized(method, original, published, nothing_added, no_copies, kept)
    all_rows = np.ones(transactions.n_rows, dtype=np.bool_)
    return _add_rows(method, original, all_rows, k, draw, transactions)


def _add_rows(
    method: str,
    original: Itemsets,
    all_rows: Flags,
    k: int,
    draw: DrawCopies | None,
    transactions: Transactions | None = None,
) -> Sanitized:
    """Return the result of a method that adds rows.

    ``all_rows`` marks all rows of the source. 'real_rows' needs the ``transactions``.
    """
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
    published = _with_added_rows(original, added, copies)
    if method == "paper":
        published = _select_closed(original, published)
    return Sanitized(method, original, published, added, copies, all_rows)


def _with_added_rows(collection: Itemsets, added: Transactions, copies: Integers) -> Itemsets:
    """Return the itemsets with the supports after rows are added."""
    gains = count_supports(collection, added, copies)
    return collection.with_supports(
        [support + gain for support, gain in zip(collection.supports, gains, strict=True)]
    )


def _select_closed(original: Itemsets, published: Itemsets) -> Itemsets:
    """Return the published itemsets that are closed among the original ones."""
    closed = keep_closed(original)
    selected = []
    for size, support in enumerate(published.supports):
        check()
        flags = np.zeros(support.size, dtype=np.bool_)
        if size < len(closed.levels):
            flags[original.trie.find(closed.levels[size])] = True
        selected.append(flags)
    return published.select(selected)


def changed_rows(transactions: Transactions, result: Sanitized) -> Transactions:
    """Return the changed rows: those with the published supports."""
    remaining = transactions.select_rows(result.kept)
    copies = np.repeat(np.arange(result.added.n_rows), result.copies)
    lengths = np.bincount(result.added.rows, minlength=result.added.n_rows)
    starts = np.cumsum(lengths) - lengths
    copy_lengths = lengths[copies]
    items = result.added.items[np.repeat(starts[copies], copy_lengths) + running(copy_lengths)]
    rows = np.repeat(np.arange(copies.size), copy_lengths) + remaining.n_rows
    return Transactions(
        remaining.n_rows + copies.size,
        transactions.n_items,
        np.concatenate([remaining.rows, rows]),
        np.concatenate([remaining.items, items]),
    )
