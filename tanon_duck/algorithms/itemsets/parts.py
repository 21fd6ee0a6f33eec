"""Finds the itemsets of transactions on several shards, one part of the items after the other.

All items are ranked by support, rank 0 is the rarest. A part is a range of ranks, its own ranks.
The rows of a part are all rows with one of its own ranks, each without the ranks before the first
own rank. So a part contains all rows of an itemset whose first rank is its own. It finds this
itemset with its true support, and no other part finds it. ``merged`` puts the itemsets of all
parts together. docs/decisions/itemsets-in-shards.md proves this for closed and maximal itemsets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets, keep_closed, keep_maximal
from .goal import Found, Goal
from .mining import UNBOUNDED, concatenate_found, empty_set, require_few, search_branches
from .transactions import Codes, Flags, Integers, RankedRows, Ranks


def goal_of(kind: str, min_count: int, max_length: int = UNBOUNDED) -> Goal:
    """Return the goal of the search in each part.

    With ``max_length``, parts search all frequent itemsets: only all parts together show which
    of them are closed or maximal.
    """
    is_bounded = max_length < UNBOUNDED
    closed = kind in ("closed", "maximal") and not is_bounded
    return Goal(min_count, closed, closed and kind == "maximal", max_length)


@dataclass(frozen=True)
class Part:
    """The rows of a part, which has the ``n_own`` ranks from ``first`` on.

    ``ranks`` has the ranks of all rows one after the other, ascending in each row. ``lengths`` has
    the number of ranks of each row.
    """

    lengths: Integers
    ranks: Integers
    copies: Integers  # how often each row occurs
    first: int
    n_own: int


def mine_part(part: Part, goal: Goal) -> tuple[Codes, Integers]:
    """Return the itemsets whose first rank is own, padded with -1, and their supports."""
    lengths = np.repeat(part.lengths, part.copies)
    starts = np.repeat(np.cumsum(part.lengths) - part.lengths, part.copies)
    position = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ranks = part.ranks[np.repeat(starts, lengths) + position] - part.first
    supports = np.bincount(ranks, minlength=part.n_own).astype(np.int64)
    # Ranks that are infrequent in the rows of this part are in none of its itemsets. The others
    # get new numbers.
    frequent = np.flatnonzero(supports >= goal.min_count)
    new_rank = np.full(supports.size, frequent.size, dtype=np.int64)
    new_rank[frequent] = np.arange(frequent.size)
    is_frequent = new_rank[ranks] < frequent.size
    rows = np.repeat(np.arange(lengths.size), lengths)[is_frequent]
    rank_type = np.uint16 if frequent.size < np.iinfo(np.uint16).max else np.uint32
    new_ranks: Ranks = new_rank[ranks][is_frequent].astype(rank_type)
    ranked = RankedRows(frequent, supports[frequent], rows, new_ranks)
    n_own = int(np.searchsorted(frequent, part.n_own))
    found, supports = concatenate_found(search_branches(ranked, goal, n_own))
    return np.append(frequent + part.first, -1).astype(np.int32)[found], supports


def mine_common(part: Part, goal: Goal) -> tuple[Codes, Integers]:
    """Return the itemsets of the part with the most frequent items, and their supports.

    All its ranks are own, and so few that the supports of all their subsets are counted. A subset
    is a bit mask.
    """
    row = np.repeat(np.arange(part.lengths.size), part.lengths)
    masks = np.zeros(part.lengths.size, dtype=np.int64)
    np.bitwise_or.at(masks, row, np.left_shift(1, part.ranks - part.first))
    counts = np.zeros(1 << part.n_own, dtype=np.int64)
    np.add.at(counts, masks, part.copies)
    for bit in range(part.n_own):
        check()
        halves = counts.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    subsets = np.arange(counts.size)
    is_wanted = counts >= goal.min_count
    is_wanted &= np.bitwise_count(subsets) <= goal.max_length
    is_wanted[0] = False
    for bit in range(part.n_own if goal.closed else 0):
        check()
        wanted_halves = is_wanted.reshape(-1, 2, 1 << bit)
        halves = counts.reshape(-1, 2, 1 << bit)
        # A subset without this rank is dropped if the rank keeps it frequent, or its support.
        limit = goal.min_count if goal.maximal else halves[:, 0]
        wanted_halves[:, 0] &= halves[:, 1] < limit
    chosen = subsets[is_wanted]
    has_rank = (chosen[:, None] >> np.arange(part.n_own)) & 1 == 1
    order = np.argsort(~has_rank, axis=1, kind="stable")
    ranks = np.where(np.take_along_axis(has_rank, order, axis=1), order + part.first, -1)
    return ranks.astype(np.int32), counts[is_wanted]


def merged(
    n_rows: int, items: Integers, found: Found, kind: str, goal: Goal, n_items: int
) -> Itemsets:
    """Return the itemsets of all parts together; ``items`` has the item of each rank.

    ``kind`` is 'frequent', 'closed' or 'maximal'.
    """
    if goal.closed:
        is_result = ~_is_end_of_larger(found, items.size, goal.maximal)
        found = Found(found.ranks[is_result], found.supports[is_result])
    single = (found.ranks >= 0).sum(axis=1) == 1
    # ``empty_set`` needs the supports of the frequent items. A closed search has only the closures
    # of items, which have the same supports.
    supports = found.supports if goal.closed else found.supports[single]
    padded, counts = concatenate_found([empty_set(n_rows, supports, goal), found])
    require_few(counts.size)
    codes = np.append(items, -1).astype(np.int32)[padded]
    itemsets = Itemsets.from_padded(n_items, codes, counts)
    if goal.closed or kind == "frequent":
        return itemsets
    return keep_closed(itemsets) if kind == "closed" else keep_maximal(itemsets)


def _is_end_of_larger(found: Found, n_ranks: int, maximal: bool) -> Flags:
    """Mark the itemsets that are the last ranks of a larger itemset.

    If not ``maximal``, only larger itemsets with at least the same support count.
    """
    ranks = np.sort(found.ranks, axis=1)  # the padding is on the left
    lengths = (ranks >= 0).sum(axis=1)
    is_end = np.zeros(lengths.size, dtype=np.bool_)
    # Equal numbers mean equal last ranks, of as many ranks as ``size``.
    ending = np.zeros(lengths.size, dtype=np.int64)
    long_enough = np.arange(lengths.size)
    for size in range(1, int(lengths.max(initial=0))):
        check()
        long_enough = long_enough[lengths[long_enough] >= size]
        key = ending[long_enough] * n_ranks + ranks[long_enough, -size]
        ending[long_enough] = np.unique(key, return_inverse=True)[1]
        is_longer = lengths[long_enough] > size
        complete, longer = long_enough[~is_longer], long_enough[is_longer]
        largest_support = np.full(long_enough.size, -1, dtype=np.int64)
        np.maximum.at(largest_support, ending[longer], found.supports[longer])
        limit = 0 if maximal else found.supports[complete]
        is_end[complete] = largest_support[ending[complete]] >= limit
    return is_end
