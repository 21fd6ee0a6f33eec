"""Estimates the number of itemsets before they are searched, to refuse a hopeless search.

A random descent (Knuth 1975) adds one random item after the other, as long as the itemset is
frequent. Let b be the number of possible items at each step. The product of b / step over the
first s steps is on average the number of frequent itemsets with s items, because each of them can
be reached in s! orders. If only closed or maximal itemsets count, it is on average their number.

The estimate has a large variance. So ``estimate_if_too_many`` returns one only if the number
exceeds the limit with near certainty. In other cases the search itself stops at the limit.
"""

from __future__ import annotations

import math

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .goal import Goal
from .transactions import Flags, RankedRows, run_starts

# The mean of each of 16 groups of up to 32 descents must exceed four times the limit. If the true
# number is within the limit, this happens for one mean with a probability of at most 1/4 (Markov's
# inequality), and for all of them in one of four billion cases.
GROUPS = 16
DESCENTS = 32
FACTOR = 4
# A group has fewer descents if the rows have more (row, item) pairs than this.
PAIRS_PER_GROUP = 1 << 19
# A descent ends at this number, because rows may be very long.
ENOUGH = 1e30


def estimate_if_too_many(
    ranked: RankedRows, goal: Goal, limit: int, branches: int | None = None
) -> float | None:
    """Return an estimate of the number of itemsets, if it almost certainly exceeds the limit.

    Return None otherwise. If ``branches`` is a number, only itemsets with one of the first
    ``branches`` ranks count. Each row must then contain one of these ranks.
    """
    longest = min(int(ranked.spans()[1].max(initial=0)) - (branches is not None), goal.max_length)
    if goal.min_count == 1 and not goal.closed and 2.0**longest > limit:
        return 2.0**longest
    random = np.random.default_rng(0)
    if goal.closed:
        ranked = ranked.only(_without_equal_items(ranked, random))
    descents = max(1, min(DESCENTS, PAIRS_PER_GROUP // max(ranked.rows.size, 1)))
    means = []
    for _ in range(GROUPS):
        estimates = [_random_descent(ranked, goal, random, branches) for _ in range(descents)]
        means.append(sum(estimates) / descents)
        if means[-1] <= FACTOR * limit:
            return None
    return float(np.median(means))


def _without_equal_items(ranked: RankedRows, random: np.random.Generator) -> Flags:
    """Mark one of several items that are in exactly the same rows.

    A closed itemset contains all of them or none. Items with equal sums of random weights of their
    rows are taken as equal.
    """
    weights = random.random(int(ranked.rows.max(initial=0)) + 1)[ranked.rows]
    sums = np.bincount(ranked.ranks, weights, minlength=ranked.n_ranks)
    different = np.zeros(ranked.n_ranks, dtype=np.bool_)
    different[np.unique(sums, return_index=True)[1]] = True
    return different


def _random_descent(
    ranked: RankedRows, goal: Goal, random: np.random.Generator, branches: int | None = None
) -> float:
    """Return the estimate of one random descent: the sum of its products at all steps."""
    row = np.cumsum(run_starts(ranked.rows)) - 1
    rank = ranked.ranks.astype(np.int64)
    support = math.inf  # The empty itemset counts as closed; one itemset more does not matter.
    total, product = 0.0, 1.0
    chosen: list[int] = []
    while True:
        check()
        counts = np.bincount(rank, minlength=ranked.n_ranks)
        counts[chosen] = 0
        extensions = np.flatnonzero(counts >= goal.min_count)
        in_branches = branches is None or min(chosen, default=branches) < branches
        has_equal_support = bool((counts == support).any())
        if in_branches and _is_wanted(goal, extensions.size, has_equal_support):
            total += product
        if not extensions.size or len(chosen) == goal.max_length or total > ENOUGH:
            return total
        chosen.append(int(random.choice(extensions)))
        product *= extensions.size / len(chosen)
        support = int(counts[chosen[-1]])
        has_item = np.zeros(int(row[-1]) + 1, dtype=np.bool_)
        has_item[row[rank == chosen[-1]]] = True
        remaining = has_item[row]
        row, rank = row[remaining], rank[remaining]


def _is_wanted(goal: Goal, extensions: int, has_equal_support: bool) -> bool:
    """Return whether the goal includes an itemset with this number of frequent extensions.

    ``has_equal_support`` says that one of them has the support of the itemset.
    """
    if goal.maximal:
        return not extensions
    return not (goal.closed and has_equal_support)
