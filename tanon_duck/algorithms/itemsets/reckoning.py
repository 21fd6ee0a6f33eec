"""About how many itemsets there are, reckoned from a few of them before they are all looked for.

A dive adds one item after the other at random, as long as the itemset stays frequent. With b
choices at each step, the product of b / step over the first s steps is on average the number of
frequent itemsets of s items, each of which can be reached in s! ways; where only those count that
are closed, or maximal, it is on average the number of these.

Nothing is said of a table whose closed itemsets are far fewer than its frequent ones (though not
for items that the same rows hold, of which one is enough): few dives meet one, the mean hangs on
these few. Nor of one that is beyond the limit, but not by far. There the search itself stops.
"""

from __future__ import annotations

import math

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .search import Goal
from .transactions import Flags, RankedRows, run_starts

GROUPS = 16
DIVES = 32
PAIRS_PER_GROUP = 1 << 19
# Were the truth the limit, a mean would exceed it four times over in at most one of four groups.
SURELY = 4
# A dive that has met so many is told so, however much deeper it could go: rows may be wide.
ENOUGH = 1e30


def surely_more(
    ranked: RankedRows, goal: Goal, limit: int, branches: int | None = None
) -> float | None:
    """About how many itemsets the goal asks for if they are certainly more than the limit.

    With `branches` only those count that hold one of so many first ranks, as every row does.

    Every group of dives must say so by far: by Markov's inequality all sixteen do for one table of
    four billion that stays within the limit. Each of many itemsets of one long row is found seldom.
    """
    longest = min(int(ranked.spans()[1].max(initial=0)) - (branches is not None), goal.max_length)
    if goal.min_count == 1 and not goal.closed and 2.0**longest > limit:
        return 2.0**longest
    random = np.random.default_rng(0)
    if goal.closed:
        ranked = ranked.only(_all_different(ranked, random))
    dives = max(1, min(DIVES, PAIRS_PER_GROUP // max(ranked.rows.size, 1)))
    means = []
    for _ in range(GROUPS):
        found = [_dive(ranked, goal, random, branches) for _ in range(dives)]
        means.append(sum(found) / dives)
        if means[-1] <= SURELY * limit:
            return None
    return float(np.median(means))


def _all_different(ranked: RankedRows, random: np.random.Generator) -> Flags:
    """One of those items that the same rows hold: closed itemsets hold all of them or none."""
    weights = random.random(int(ranked.rows.max(initial=0)) + 1)[ranked.rows]
    sums = np.bincount(ranked.ranks, weights, minlength=ranked.n_ranks)
    different = np.zeros(ranked.n_ranks, dtype=np.bool_)
    different[np.unique(sums, return_index=True)[1]] = True
    return different


def _dive(
    ranked: RankedRows, goal: Goal, random: np.random.Generator, branches: int | None = None
) -> float:
    row = np.cumsum(run_starts(ranked.rows)) - 1
    rank = ranked.ranks.astype(np.int64)
    support = math.inf  # of the empty itemset: that it is closed, or not, is one in a great many
    total, term = 0.0, 1.0
    chosen: list[int] = []
    while True:
        check()
        counts = np.bincount(rank, minlength=ranked.n_ranks)
        counts[chosen] = 0
        extensions = np.flatnonzero(counts >= goal.min_count)
        is_own = branches is None or min(chosen, default=branches) < branches
        if is_own and _counts(goal, extensions.size, bool((counts == support).any())):
            total += term
        if not extensions.size or len(chosen) == goal.max_length or total > ENOUGH:
            return total
        chosen.append(int(random.choice(extensions)))
        term *= extensions.size / len(chosen)
        support = int(counts[chosen[-1]])
        held = np.zeros(int(row[-1]) + 1, dtype=np.bool_)
        held[row[rank == chosen[-1]]] = True
        kept = held[row]
        row, rank = row[kept], rank[kept]


def _counts(goal: Goal, extensions: int, has_equal: bool) -> bool:
    """Whether an itemset is one that the goal asks for."""
    if goal.maximal:
        return not extensions
    return not (goal.closed and has_equal)
