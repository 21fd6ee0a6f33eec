"""Closes inference channels by repeating existing rows, or by removing some.

The rows of a channel base -> top are those that contain the base and no other item of the top. The
channel is open if they are fewer than k.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .channels import Channels, channels_of_collection, split
from .collection import Itemsets
from .counting import ItemColumns, count_supports
from .mining import frequent_itemsets
from .transactions import Flags, Integers, Transactions

# The search one by one ends after about this many examined subsets.
MAX_WORK = 1 << 25
# It tries this many channels in each step.
MAX_TRIED = 16


def repeat_rows(
    transactions: Transactions, channels: Channels, k: int
) -> tuple[Transactions, Integers]:
    """Return rows to repeat, and how often, so that every channel has k rows.

    Each open channel repeats the one of its rows that belongs to most open channels.
    """
    rows_of_channels = _rows_of_channels(transactions, channels)
    all_rows = np.unique(np.concatenate([np.empty(0, np.int64), *rows_of_channels]))
    is_selected = np.zeros(transactions.n_rows, dtype=np.bool_)
    is_selected[all_rows] = True
    distinct, number_of = distinct_rows(transactions.select_rows(is_selected))
    distinct_of_channels = [
        np.unique(number_of[np.searchsorted(all_rows, rows)]) for rows in rows_of_channels
    ]
    return distinct, _copies(distinct_of_channels, channels.frequency, distinct.n_rows, k)


def _copies(rows_of_channels: list[Integers], frequency: Integers, n_rows: int, k: int) -> Integers:
    """Return how often each distinct row is repeated.

    ``rows_of_channels`` has the distinct rows of each channel, ``frequency`` its number of rows.
    """
    copies = np.zeros(n_rows, dtype=np.int64)
    reached = frequency.copy()
    channels_of_rows: list[list[int]] = [[] for _ in range(n_rows)]
    for channel, rows in enumerate(rows_of_channels):
        check()
        for row in rows:
            check()
            channels_of_rows[row].append(channel)
    n_open = np.array([len(channels) for channels in channels_of_rows], dtype=np.int64)
    for channel, rows in enumerate(rows_of_channels):
        check()
        if reached[channel] >= k:
            continue
        row = int(rows[np.argmax(n_open[rows])])
        added = k - reached[channel]
        copies[row] += added
        changed = np.asarray(channels_of_rows[row])
        is_closed_now = (reached[changed] < k) & (reached[changed] + added >= k)
        reached[changed] += added
        for closed in changed[is_closed_now]:
            check()
            n_open[rows_of_channels[closed]] -= 1
    return copies


def remove_rows(
    transactions: Transactions, min_count: int, k: int, max_length: int
) -> tuple[Flags, Itemsets]:
    """Return which rows remain so that no channel is open, and their frequent itemsets.

    To close a channel, all of its rows are removed. This may open other channels, so it is repeated
    until none is open. Removing one channel at a time usually loses fewer itemsets, but takes
    longer. So it is limited, and the remaining channels are removed together. The result is that
    with the most itemsets, with or without the first phase.
    """
    frequent = frequent_itemsets(transactions, min_count, max_length)
    all_rows = np.ones(transactions.n_rows, dtype=np.bool_)
    after_first_phase = _remove_one_by_one(transactions, frequent, min_count, k)
    careful = _remove_together(transactions, *after_first_phase, min_count, k)
    quick = _remove_together(transactions, all_rows, frequent, min_count, k)
    return min(careful, quick, key=lambda result: (-len(result[1]), int((~result[0]).sum())))


def _remove_together(
    transactions: Transactions, remains: Flags, frequent: Itemsets, min_count: int, k: int
) -> tuple[Flags, Itemsets]:
    """Remove the rows of all open channels, the rarest first, until no channel is open.

    ``remains`` marks the rows at the beginning. Return the rows and the itemsets that remain.
    """
    remains = remains.copy()
    while len(channels := channels_of_collection(frequent, k)):
        check()
        current = transactions.select_rows(remains)
        stays = np.ones(current.n_rows, dtype=np.bool_)
        rows_of_channels = _rows_of_channels(current, channels)
        for channel in np.argsort(channels.frequency, kind="stable"):
            check()
            rows = rows_of_channels[channel][stays[rows_of_channels[channel]]]
            if rows.size < k:
                stays[rows] = False
        remains[np.flatnonzero(remains)] = stays
        frequent = _frequent_without(frequent, current.select_rows(~stays), min_count)
    return remains, frequent


def _remove_one_by_one(
    transactions: Transactions, frequent: Itemsets, min_count: int, k: int
) -> tuple[Flags, Itemsets]:
    """Remove the rows of one channel at a time, until no channel is open or the work is too much.

    Each step tries the rarest channels. It removes the one that leaves the most itemsets, then the
    fewest open channels, then the most rows. Return the rows and the itemsets that remain.
    """
    remains, work = np.ones(transactions.n_rows, dtype=np.bool_), 0
    while len(channels := channels_of_collection(frequent, k)):
        subsets = sum(int(flags.sum()) << size for size, flags in enumerate(frequent.is_maximal))
        rarest = np.argsort(channels.frequency, kind="stable")[:MAX_TRIED]
        work += rarest.size * subsets
        if work > MAX_WORK:
            break
        current = transactions.select_rows(remains)
        trials = []
        for rows in _rows_of_channels(current, channels.select(rarest)):
            check()
            is_removed = np.isin(np.arange(current.n_rows), rows)
            after = _frequent_without(frequent, current.select_rows(is_removed), min_count)
            n_open = len(channels_of_collection(after, k))
            trials.append(((-len(after), n_open, rows.size), is_removed, after))
        _, is_removed, frequent = min(trials, key=lambda trial: trial[0])
        remains[np.flatnonzero(remains)[is_removed]] = False
    return remains, frequent


def _frequent_without(frequent: Itemsets, rows: Transactions, min_count: int) -> Itemsets:
    """Return the itemsets that are still frequent if these rows are removed."""
    removed = count_supports(frequent, rows)
    supports = [before - n for before, n in zip(frequent.supports, removed, strict=True)]
    after = frequent.with_supports(supports).select([each >= min_count for each in supports])
    n_levels = sum(bool(support.size) for support in after.supports)
    return Itemsets(after.n_items, after.levels[:n_levels], after.supports[:n_levels])


def _rows_of_channels(transactions: Transactions, channels: Channels) -> list[Integers]:
    """Return the rows of each channel."""
    items = np.unique(channels.top[channels.top >= 0]).astype(np.int64)
    columns = ItemColumns(transactions, items)
    return [
        columns.rows_with(base.astype(np.int64), np.setdiff1d(top, base).astype(np.int64))
        for base, top in split(channels)
    ]


def distinct_rows(transactions: Transactions) -> tuple[Transactions, Integers]:
    """Return the distinct rows, sorted by their items, and which of them each row is."""
    lengths = np.bincount(transactions.rows, minlength=transactions.n_rows)
    ends = np.cumsum(lengths) * 8
    # With the highest byte first, the order of bytes is the order of numbers.
    item_bytes = transactions.items.astype(">i8").tobytes()
    keys = [item_bytes[start:end] for start, end in pairwise([0, *ends.tolist()])]
    distinct_keys = sorted(set(keys))
    number_of = {key: number for number, key in enumerate(distinct_keys)}
    items = np.frombuffer(b"".join(distinct_keys), dtype=">i8").astype(np.int64)
    rows = np.repeat(np.arange(len(distinct_keys)), [len(key) // 8 for key in distinct_keys])
    distinct = Transactions(len(distinct_keys), transactions.n_items, rows, items)
    return distinct, np.array([number_of[key] for key in keys], dtype=np.int64)
