"""About how many itemsets are frequent, reckoned from a few of them before they are all looked for.

A dive adds one item after the other at random, as long as the itemset stays frequent. With b
choices at each step, the product of b / step over the first s steps is on average the number of
frequent itemsets of s items, each of which can be reached in s! ways.
"""

from __future__ import annotations

import numpy as np

from .transactions import Integers, RankedRows, run_starts

GROUPS = 16
DIVES = 16
PAIRS_PER_GROUP = 1 << 19
# Were the truth the limit, a mean would exceed it four times over in at most one of four groups.
SURELY = 4


def surely_more(ranked: RankedRows, min_count: int, max_length: int, limit: int) -> float | None:
    """About how many itemsets there are if they are certainly more than the limit.

    Every group of dives must say so by far: by Markov's inequality all sixteen do for one table of
    four billion that stays within the limit. Each of many itemsets of one long row is found seldom.
    """
    longest = min(int(ranked.spans()[1].max(initial=0)), max_length)
    if min_count == 1 and 2.0**longest > limit:
        return 2.0**longest
    random = np.random.default_rng(0)
    dives = max(1, min(DIVES, PAIRS_PER_GROUP // max(ranked.rows.size, 1)))
    means = []
    for _ in range(GROUPS):
        found = [_dive(ranked, min_count, max_length, random) for _ in range(dives)]
        means.append(sum(found) / dives)
        if means[-1] <= SURELY * limit:
            return None
    return float(np.median(means))


def _dive(
    ranked: RankedRows, min_count: int, max_length: int, random: np.random.Generator
) -> float:
    row = np.cumsum(run_starts(ranked.rows)) - 1
    rank = ranked.ranks.astype(np.int64)
    total, term, step = 1.0, 1.0, 0
    chosen: list[int] = []
    while step < max_length:
        extensions = _extensions(rank, ranked.n_ranks, min_count, chosen)
        if not extensions.size:
            break
        step += 1
        term *= extensions.size / step
        total += term
        chosen.append(int(random.choice(extensions)))
        held = np.zeros(int(row[-1]) + 1, dtype=np.bool_)
        held[row[rank == chosen[-1]]] = True
        kept = held[row]
        row, rank = row[kept], rank[kept]
    return total


def _extensions(rank: Integers, n_ranks: int, min_count: int, chosen: list[int]) -> Integers:
    """The items that enough of the rows hold, besides those chosen."""
    counts = np.bincount(rank, minlength=n_ranks)
    counts[chosen] = 0
    return np.flatnonzero(counts >= min_count)
