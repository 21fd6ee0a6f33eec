"""Second chances for leaves that are too small: merge equal words from the highest level down."""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import dense_words
from tanon_duck.algorithms.kp.create_tree import Leaves, letters_at
from tanon_duck.algorithms.sax import Floats, Integers


def recycle(normalized: Floats, p: int, leaves: Leaves, roots: Integers) -> Leaves:
    """Merge bad rows of one root whose words agree; fewer than P rows of a root stay in no leaf."""
    leaf = np.where(leaves.good[leaves.leaf], leaves.leaf, -1)
    bad = np.flatnonzero(leaf < 0)
    levels = [leaves.level]
    count = leaves.level.size
    row_level = leaves.level[leaves.leaf]
    level = int(row_level[bad].max(initial=0))
    while level >= 1:
        check()
        waiting = np.bincount(roots[bad], minlength=1)
        # A root stops as soon as fewer than P of its rows are left, as at the head of the loop.
        active = bad[(waiting[roots[bad]] >= p) & (row_level[bad] >= level)]
        words, word_count = dense_words(roots[active], letters_at(normalized[active], level), level)
        large = np.bincount(words, minlength=word_count) >= p
        numbers = count + np.cumsum(large) - 1
        merged = large[words]
        leaf[active[merged]] = numbers[words[merged]]
        levels.append(np.full(int(large.sum()), level, dtype=np.int64))
        count += int(large.sum())
        bad = bad[leaf[bad] < 0]
        level -= 1
    good = np.ones(count, dtype=bool)
    good[: leaves.good.size] = leaves.good
    return Leaves(leaf, np.concatenate(levels), good)
