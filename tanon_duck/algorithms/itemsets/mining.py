"""Finds the frequent, closed and maximal itemsets of transactions.

- A frequent itemset is in at least ``min_count`` rows, its support.
- A closed itemset is frequent, and each larger itemset has a smaller support.
- A maximal itemset is frequent, and no larger itemset is.

``rank_frequent`` numbers the frequent items by rank, ``count_pairs`` finds the frequent pairs,
``buckets`` makes bit columns, and ``search`` extends the pairs. All data are in memory. The bit
columns take at most 32 MB at a time, and 256 MB for dense rows. ``_Limit`` refuses a search whose
result would be too large.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import CollectionError, Itemsets, keep_closed, keep_maximal
from .columns import buckets
from .goal import Found, Goal
from .pairs import count_pairs
from .search import search
from .size_estimate import estimate_if_too_many
from .transactions import Codes, Integers, RankedRows, Transactions, rank_frequent

UNBOUNDED = 1 << 30
# A larger result would take too much memory.
MOST_ITEMSETS = 30_000_000
# A search for maximal itemsets examines all closed ones. More would take too long.
MOST_EXAMINED = 300_000_000
# After this many examined itemsets the total number is estimated.
ESTIMATED_AFTER = 1 << 16
# The pairs of a row with more items than this take long to count, so that the number of itemsets is
# estimated before. The pairs of a row with more items than LONGEST_ROW need too much memory.
LONG_ROW = 1 << 10
LONGEST_ROW = 1 << 13


def minimum_count(share: float, n_rows: int) -> int:
    """Return the smallest number of rows that is at least this share of all rows."""
    return max(1, math.ceil(round(share * n_rows, 9)))


def frequent_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """Return the itemsets that at least ``min_count`` rows contain, including the empty one."""
    return _mine(transactions, Goal(min_count, False, False, max_length))


def closed_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """Return the closed itemsets.

    With ``max_length``, only larger itemsets of at most this length count.
    """
    if max_length < UNBOUNDED:
        return keep_closed(frequent_itemsets(transactions, min_count, max_length))
    return _mine(transactions, Goal(min_count, True, False, max_length))


def maximal_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """Return the maximal itemsets.

    With ``max_length``, only larger itemsets of at most this length count.
    """
    if max_length < UNBOUNDED:
        return keep_maximal(frequent_itemsets(transactions, min_count, max_length))
    return _mine(transactions, Goal(min_count, True, True, max_length))


def _mine(transactions: Transactions, goal: Goal) -> Itemsets:
    ranked = rank_frequent(transactions, goal.min_count)
    found = [empty_set(transactions.n_rows, ranked.supports, goal), *search_branches(ranked, goal)]
    padded, supports = concatenate_found(found)
    items = np.append(ranked.items, -1).astype(np.int32)[padded]
    return Itemsets.from_padded(transactions.n_items, items, supports)


def search_branches(ranked: RankedRows, goal: Goal, branches: int | None = None) -> list[Found]:
    """Return the itemsets that the goal describes, without the empty one.

    If ``branches`` is a number, return only those with one of the first ``branches`` ranks.
    """
    found: list[Found] = []
    limit = _Limit(ranked, goal, branches)
    if goal.max_length > 1:
        limit.check_row_lengths()
    pairs = count_pairs(ranked, goal.min_count)
    if goal.max_length >= 1:
        for bucket in buckets(ranked, pairs, both_ways=goal.closed, branches=branches):
            check()
            found.extend(limit.checked(search(bucket, ranked.supports, pairs, goal)))
    return found


def concatenate_found(found: list[Found]) -> tuple[Codes, Integers]:
    """Return all itemsets as one array, padded with -1, and their supports."""
    width = max((part.ranks.shape[1] for part in found), default=0)
    padded = np.full((sum(part.supports.size for part in found), width), -1, dtype=np.int32)
    start = 0
    for part in found:
        check()
        stop = start + part.supports.size
        padded[start:stop, : part.ranks.shape[1]] = part.ranks
        start = stop
    return padded, np.concatenate([np.empty(0, np.int64), *(part.supports for part in found)])


class _Limit:
    """Raises CollectionError if a search would find or examine too many itemsets."""

    def __init__(self, ranked: RankedRows, goal: Goal, branches: int | None) -> None:
        self.ranked, self.goal, self.branches = ranked, goal, branches
        self.total = self.examined = 0
        self.is_estimated = False

    def checked(self, parts: Iterator[Found]) -> Iterator[Found]:
        """Yield the parts of a result, and raise if they have become too many."""
        for part in parts:
            check()
            self.total += part.supports.size
            self.examined += part.examined
            require_few(self.total)
            if self.examined > ESTIMATED_AFTER and not self.is_estimated:
                self._check_estimate()
            yield part

    def check_row_lengths(self) -> None:
        """Raise if a row is so long that its pairs, or its itemsets, are too many."""
        longest = int(self.ranked.spans()[1].max(initial=0))
        if longest > LONGEST_ROW:
            raise _too_many(LONGEST_ROW, "frequent items in a transaction", f"{longest:,}")
        if longest > LONG_ROW:
            self._check_estimate()

    def _check_estimate(self) -> None:
        """Raise if the estimated number of itemsets is too large."""
        self.is_estimated = True
        about = estimate_if_too_many(self.ranked, self.goal, MOST_ITEMSETS, self.branches)
        if about is not None:
            raise _too_many(MOST_ITEMSETS, "itemsets", f"about {about:.1g}")
        if self.goal.maximal:
            closed = replace(self.goal, maximal=False)
            about = estimate_if_too_many(self.ranked, closed, MOST_EXAMINED, self.branches)
            if about is not None:
                what = "closed itemsets, which all have to be looked at"
                raise _too_many(MOST_EXAMINED, what, f"about {about:.1g}")


def require_few(total: int) -> None:
    """Raise CollectionError if there are more itemsets than a result may have."""
    if total > MOST_ITEMSETS:
        raise _too_many(MOST_ITEMSETS, "itemsets", "more")


def _too_many(most: int, what: str, got: str) -> CollectionError:
    return CollectionError(
        f"min_support must be high enough (or max_length low enough) for at most "
        f"{most:,} {what}, got {got}"
    )


def empty_set(n_rows: int, supports: Integers, goal: Goal) -> Found:
    """Return the empty itemset if the goal includes it, otherwise no itemset.

    ``supports`` are those of the frequent items.
    """
    frequent = n_rows >= goal.min_count and n_rows > 0
    closed = not goal.closed or not bool((supports == n_rows).any())
    maximal = not goal.maximal or not supports.size
    count = int(frequent and closed and maximal)
    return Found(np.empty((count, 0), dtype=np.int32), np.full(count, n_rows, dtype=np.int64))
