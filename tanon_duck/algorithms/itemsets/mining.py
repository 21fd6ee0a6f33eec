"""Frequent, closed and maximal itemsets of rows; everything is held in memory.

Beside the rows: one bit per row and frequent ordered pair of items (at most 32 MB at a time; a
byte, 256 MB, where rows hold a fifth of the items), one level of packed bit columns, the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import CollectionError, Itemsets, keep_closed, keep_maximal
from .columns import buckets
from .pairs import count_pairs
from .reckoning import surely_more
from .search import Found, Goal, search
from .transactions import Codes, Integers, RankedRows, Transactions, rank_frequent

UNBOUNDED = 1 << 30
MOST_ITEMSETS = 30_000_000
MOST_LOOKED_AT = 300_000_000
RECKONED_FROM = 1 << 16
# Items of one row from which pairs take long to count, so that it is reckoned before, and from
# which they take more memory than any result.
WIDE = 1 << 10
WIDEST = 1 << 13


def minimum_count(share: float, n_rows: int) -> int:
    """The smallest count of rows that reaches a share of them."""
    return max(1, math.ceil(round(share * n_rows, 9)))


def frequent_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """Every itemset in at least `min_count` rows, the empty set included."""
    return _mine(transactions, Goal(min_count, False, False, max_length))


def closed_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """The frequent itemsets (of at most `max_length` items) without a superset of equal support."""
    if max_length < UNBOUNDED:
        return keep_closed(frequent_itemsets(transactions, min_count, max_length))
    return _mine(transactions, Goal(min_count, True, False, max_length))


def maximal_itemsets(
    transactions: Transactions, min_count: int, max_length: int = UNBOUNDED
) -> Itemsets:
    """The frequent itemsets (of at most `max_length` items) without a frequent superset."""
    if max_length < UNBOUNDED:
        return keep_maximal(frequent_itemsets(transactions, min_count, max_length))
    return _mine(transactions, Goal(min_count, True, True, max_length))


def _mine(transactions: Transactions, goal: Goal) -> Itemsets:
    ranked = rank_frequent(transactions, goal.min_count)
    found = [empty_set(transactions.n_rows, ranked.supports, goal), *searched(ranked, goal)]
    padded, supports = gathered(found)
    items = np.append(ranked.items, -1).astype(np.int32)[padded]
    return Itemsets.from_padded(transactions.n_items, items, supports)


def searched(ranked: RankedRows, goal: Goal, branches: int | None = None) -> list[Found]:
    """What the goal asks for, the empty itemset apart; of so many first ranks, or of all."""
    found: list[Found] = []
    bounded = _Bound(ranked, goal, branches)
    if goal.max_length > 1:
        bounded.require_narrow()
    pairs = count_pairs(ranked, goal.min_count)
    if goal.max_length >= 1:
        for bucket in buckets(ranked, pairs, both_ways=goal.closed, branches=branches):
            check()
            found.extend(bounded(search(bucket, ranked.supports, pairs, goal)))
    return found


def gathered(found: list[Found]) -> tuple[Codes, Integers]:
    """All itemsets in one array, padded with -1, and their supports."""
    width = max((part.ranks.shape[1] for part in found), default=0)
    padded = np.full((sum(part.supports.size for part in found), width), -1, dtype=np.int32)
    start = 0
    for part in found:
        check()
        stop = start + part.supports.size
        padded[start:stop, : part.ranks.shape[1]] = part.ranks
        start = stop
    return padded, np.concatenate([np.empty(0, np.int64), *(part.supports for part in found)])


class _Bound:
    """Stops with an explanation before the result outgrows the memory, or the search the patience.

    For maximal itemsets all closed ones are looked at.
    """

    def __init__(self, ranked: RankedRows, goal: Goal, branches: int | None) -> None:
        self.ranked, self.goal, self.branches = ranked, goal, branches
        self.total = self.looked_at = 0
        self.is_reckoned = False

    def __call__(self, parts: Iterator[Found]) -> Iterator[Found]:
        for part in parts:
            check()
            self.total += part.supports.size
            self.looked_at += part.looked_at
            require_few(self.total)
            if self.looked_at > RECKONED_FROM and not self.is_reckoned:
                self._reckon()
            yield part

    def require_narrow(self) -> None:
        """Raise before pairs are counted if there are certainly too many, or too many of these."""
        longest = int(self.ranked.spans()[1].max(initial=0))
        if longest > WIDEST:
            raise _too_many(WIDEST, "frequent items in a transaction", f"{longest:,}")
        if longest > WIDE:
            self._reckon()

    def _reckon(self) -> None:
        self.is_reckoned = True
        about = surely_more(self.ranked, self.goal, MOST_ITEMSETS, self.branches)
        if about is not None:
            raise _too_many(MOST_ITEMSETS, "itemsets", f"about {about:.1g}")
        if self.goal.maximal:
            closed = replace(self.goal, maximal=False)
            about = surely_more(self.ranked, closed, MOST_LOOKED_AT, self.branches)
            if about is not None:
                what = "closed itemsets, which all have to be looked at"
                raise _too_many(MOST_LOOKED_AT, what, f"about {about:.1g}")


def require_few(total: int) -> None:
    """Raise if there are more itemsets than a result may have."""
    if total > MOST_ITEMSETS:
        raise _too_many(MOST_ITEMSETS, "itemsets", "more")


def _too_many(most: int, what: str, got: str) -> CollectionError:
    return CollectionError(
        f"min_support must be high enough (or max_length low enough) for at most "
        f"{most:,} {what}, got {got}"
    )


def empty_set(n_rows: int, supports: Integers, goal: Goal) -> Found:
    """The empty itemset, if the goal asks for it; `supports` are those of the frequent items."""
    frequent = n_rows >= goal.min_count and n_rows > 0
    closed = not goal.closed or not bool((supports == n_rows).any())
    maximal = not goal.maximal or not supports.size
    count = int(frequent and closed and maximal)
    return Found(np.empty((count, 0), dtype=np.int32), np.full(count, n_rows, dtype=np.int64))
