"""Closing channels with rows there are: repeating some of them, or leaving some out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, channels_of_collection, split
from .collection import Itemsets
from .counting import ItemColumns, count_supports
from .mining import frequent_itemsets
from .transactions import Flags, Integers, Transactions

MOST_WORK = 1 << 25
MOST_TRIED = 16


def repeat_rows(
    transactions: Transactions, channels: Channels, k: int
) -> tuple[Transactions, Integers]:
    """Rows to repeat, and how often, so that every channel gets k rows.

    Each open channel repeats the row behind it that lies behind most channels still open.
    """
    behind = _rows_behind(transactions, channels)
    incident = np.unique(np.concatenate([np.empty(0, np.int64), *behind]))
    flags = np.zeros(transactions.n_rows, dtype=np.bool_)
    flags[incident] = True
    contents, class_of = distinct_rows(transactions.select_rows(flags))
    classes = [np.unique(class_of[np.searchsorted(incident, rows)]) for rows in behind]
    return contents, _copies(classes, channels.frequency, contents.n_rows, k)


def _copies(classes: list[Integers], frequency: Integers, n_classes: int, k: int) -> Integers:
    """How often each distinct row is repeated; the rows behind each channel are given."""
    copies = np.zeros(n_classes, dtype=np.int64)
    reached = frequency.copy()
    published_channels: list[list[int]] = [[] for _ in range(n_classes)]
    for channel, own in enumerate(classes):
        check()
        for row in own:
            check()
            published_channels[row].append(channel)
    open_channels = np.array([len(own) for own in published_channels], dtype=np.int64)
    for channel, own in enumerate(classes):
        check()
        if reached[channel] >= k:
            continue
        row = int(own[np.argmax(open_channels[own])])
        added = k - reached[channel]
        copies[row] += added
        touched = np.asarray(published_channels[row])
        closing = touched[(reached[touched] < k) & (reached[touched] + added >= k)]
        reached[touched] += added
        for closed in closing:
            check()
            open_channels[classes[closed]] -= 1
    return copies


def leave_out_rows(
    transactions: Transactions, min_count: int, k: int, max_length: int
) -> tuple[Flags, Itemsets]:
    """The rows to keep so that no channel is open, and what is still frequent in them.

    Rows behind a channel go together; that can open other channels, so it goes on until none is
    open. Going one channel at a time loses fewer itemsets as a rule, and takes longer: what it has
    no time for goes together.
    """
    frequent = frequent_itemsets(transactions, min_count, max_length)
    everything = np.ones(transactions.n_rows, dtype=np.bool_)
    begun = _one_by_one(transactions, frequent, min_count, k)
    careful = _all_at_once(transactions, *begun, min_count, k)
    quick = _all_at_once(transactions, everything, frequent, min_count, k)
    return min(careful, quick, key=lambda found: (-len(found[1]), int((~found[0]).sum())))


def _all_at_once(
    transactions: Transactions, kept: Flags, frequent: Itemsets, min_count: int, k: int
) -> tuple[Flags, Itemsets]:
    """The rows behind all channels that are open leave together, rarest channel first."""
    kept = kept.copy()
    while len(channels := channels_of_collection(frequent, k)):
        check()
        remaining = transactions.select_rows(kept)
        alive = np.ones(remaining.n_rows, dtype=np.bool_)
        behind = _rows_behind(remaining, channels)
        for channel in np.argsort(channels.frequency, kind="stable"):
            check()
            left = behind[channel][alive[behind[channel]]]
            if left.size < k:
                alive[left] = False
        kept[np.flatnonzero(kept)] = alive
        frequent = _frequent_without(frequent, remaining.select_rows(~alive), min_count)
    return kept, frequent


def _one_by_one(
    transactions: Transactions, frequent: Itemsets, min_count: int, k: int
) -> tuple[Flags, Itemsets]:
    """Each time the rows leave that cost fewest itemsets, then leave fewest channels, then rows.

    Of many channels the rarest are tried, and some stay open if even that were too much work.
    """
    kept, work = np.ones(transactions.n_rows, dtype=np.bool_), 0
    while len(channels := channels_of_collection(frequent, k)):
        subsets = sum(int(own.sum()) << size for size, own in enumerate(frequent.is_maximal))
        rarest = np.argsort(channels.frequency, kind="stable")[:MOST_TRIED]
        work += rarest.size * subsets
        if work > MOST_WORK:
            break
        remaining = transactions.select_rows(kept)
        tried = []
        for rows in _rows_behind(remaining, channels.select(rarest)):
            check()
            left = np.isin(np.arange(remaining.n_rows), rows)
            after = _frequent_without(frequent, remaining.select_rows(left), min_count)
            opened = len(channels_of_collection(after, k))
            tried.append(((-len(after), opened, rows.size), left, after))
        _, left, frequent = min(tried, key=lambda one: one[0])
        kept[np.flatnonzero(kept)[left]] = False
    return kept, frequent


def _frequent_without(frequent: Itemsets, rows: Transactions, min_count: int) -> Itemsets:
    """What stays frequent where these rows are no longer there."""
    gone = count_supports(frequent, rows)
    left = frequent.with_supports([s - g for s, g in zip(frequent.supports, gone, strict=True)])
    kept = left.select([support >= min_count for support in left.supports])
    longest = sum(bool(support.size) for support in kept.supports)
    return Itemsets(kept.n_items, kept.levels[:longest], kept.supports[:longest])


def _rows_behind(transactions: Transactions, channels: Channels) -> list[Integers]:
    items = np.unique(channels.top[channels.top >= 0]).astype(np.int64)
    columns = ItemColumns(transactions, items)
    return [
        columns.behind(base.astype(np.int64), np.setdiff1d(top, base).astype(np.int64))
        for base, top in split(channels)
    ]


def distinct_rows(transactions: Transactions) -> tuple[Transactions, Integers]:
    """The different rows ordered by content, and which of them each row is."""
    lengths = np.bincount(transactions.rows, minlength=transactions.n_rows)
    ends = np.cumsum(lengths) * 8
    # The highest byte first, so that rows sort as bytes the way they do as numbers.
    text = transactions.items.astype(">i8").tobytes()
    keys = [text[start:end] for start, end in pairwise([0, *ends.tolist()])]
    contents = sorted(set(keys))
    number_of = {key: number for number, key in enumerate(contents)}
    items = np.frombuffer(b"".join(contents), dtype=">i8").astype(np.int64)
    rows = np.repeat(np.arange(len(contents)), [len(key) // 8 for key in contents])
    distinct = Transactions(len(contents), transactions.n_items, rows, items)
    return distinct, np.array([number_of[key] for key in keys], dtype=np.int64)
