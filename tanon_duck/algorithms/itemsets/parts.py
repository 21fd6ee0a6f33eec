"""Itemsets of rows that lie in many places: mined part by part of the items, then put together.

Items are ranked through all rows, the rarest first, and a part is a run of ranks, its own. Rows of
a part are those that hold an own rank, each from its first own rank on. So all rows that hold an
itemset whose first rank is own are there with the whole of it: it is found in this part alone, and
its support is the true one. docs/decisions/itemsets-in-shards.md proves what follows for closed and
maximal itemsets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets, keep_closed, keep_maximal
from .mining import UNBOUNDED, empty_set, gathered, require_few, searched
from .search import Found, Goal
from .transactions import Codes, Flags, Integers, RankedRows


def goal_of(kind: str, min_count: int, max_length: int = UNBOUNDED) -> Goal:
    """What parts look for: with a longest itemset all, since one more item decides then."""
    is_bounded = max_length < UNBOUNDED
    closed = kind in ("closed", "maximal") and not is_bounded
    return Goal(min_count, closed, closed and kind == "maximal", max_length)


@dataclass(frozen=True)
class Part:
    """Rows of a part one after the other, ranks ascending; own are `n_own` ranks from `first`."""

    lengths: Integers
    ranks: Integers
    copies: Integers  # how often each row is there
    first: int
    n_own: int


def mine_part(part: Part, goal: Goal) -> tuple[Codes, Integers]:
    """The itemsets with an own rank, as ranks padded with -1, and their supports."""
    lengths = np.repeat(part.lengths, part.copies)
    starts = np.repeat(np.cumsum(part.lengths) - part.lengths, part.copies)
    place = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ranks = part.ranks[np.repeat(starts, lengths) + place] - part.first
    supports = np.bincount(ranks, minlength=part.n_own).astype(np.int64)
    # Of the later ranks those that are too rare beside the own ones are in none of the itemsets.
    known = np.flatnonzero(supports >= goal.min_count)
    narrow = np.full(supports.size, known.size, dtype=np.int64)
    narrow[known] = np.arange(known.size)
    kept = narrow[ranks] < known.size
    rows = np.repeat(np.arange(lengths.size), lengths)[kept]
    own_type = np.uint16 if known.size < np.iinfo(np.uint16).max else np.uint32
    ranked = RankedRows(known, supports[known], rows, narrow[ranks][kept].astype(own_type))
    n_own = int(np.searchsorted(known, part.n_own))
    found, supports = gathered(searched(ranked, goal, n_own))
    return np.append(known + part.first, -1).astype(np.int32)[found], supports


def mine_common(part: Part, goal: Goal) -> tuple[Codes, Integers]:
    """The same of the part of the most frequent items: few enough to count all their subsets."""
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
    wanted = counts >= goal.min_count
    wanted &= np.bitwise_count(subsets) <= goal.max_length
    wanted[0] = False
    for bit in range(part.n_own if goal.closed else 0):
        check()
        without, halves = wanted.reshape(-1, 2, 1 << bit), counts.reshape(-1, 2, 1 << bit)
        least = goal.min_count if goal.maximal else halves[:, 0]
        without[:, 0] &= halves[:, 1] < least
    chosen = subsets[wanted]
    held = (chosen[:, None] >> np.arange(part.n_own)) & 1 == 1
    order = np.argsort(~held, axis=1, kind="stable")
    ranks = np.where(np.take_along_axis(held, order, axis=1), order + part.first, -1)
    return ranks.astype(np.int32), counts[wanted]


def merged(
    n_rows: int, items: Integers, found: Found, kind: str, goal: Goal, n_items: int
) -> Itemsets:
    """What all parts found put together; `items` are the codes of the ranks."""
    if goal.closed:
        kept = ~_is_rest(found, items.size, goal.maximal)
        found = Found(found.ranks[kept], found.supports[kept])
    single = (found.ranks >= 0).sum(axis=1) == 1
    # An item that every row holds has a closure, and all frequent items together tell whether
    # there is any: the closures of single items have their supports.
    supports = found.supports if goal.closed else found.supports[single]
    padded, counts = gathered([empty_set(n_rows, supports, goal), found])
    require_few(counts.size)
    codes = np.append(items, -1).astype(np.int32)[padded]
    whole = Itemsets.from_padded(n_items, codes, counts)
    if goal.closed or kind == "frequent":
        return whole
    return keep_closed(whole) if kind == "closed" else keep_maximal(whole)


def _is_rest(found: Found, n_ranks: int, maximal: bool) -> Flags:
    """Which itemsets are the last ranks of a larger one (of equal support, unless maximal)."""
    ranks = np.sort(found.ranks, axis=1)  # the last ones on the right
    lengths = (ranks >= 0).sum(axis=1)
    is_rest = np.zeros(lengths.size, dtype=np.bool_)
    node = np.zeros(lengths.size, dtype=np.int64)  # numbers what an itemset ends with
    alive = np.arange(lengths.size)
    for size in range(1, int(lengths.max(initial=0))):
        check()
        alive = alive[lengths[alive] >= size]
        key = node[alive] * n_ranks + ranks[alive, -size]
        node[alive] = np.unique(key, return_inverse=True)[1]
        whole, longer = alive[lengths[alive] == size], alive[lengths[alive] > size]
        most = np.full(alive.size, -1, dtype=np.int64)
        np.maximum.at(most, node[longer], found.supports[longer])
        is_rest[whole] = most[node[whole]] >= (0 if maximal else found.supports[whole])
    return is_rest
