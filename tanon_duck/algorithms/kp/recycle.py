"""Merges leaves with fewer than P series at lower levels (RecycleBadLeaves in the paper).

The words of these leaves are compared again, from the highest level downwards. As soon as at
least P of the series have equal words at a level, they become a new leaf of this level.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import number_words
from tanon_duck.algorithms.kp.create_tree import Leaves, letters_at
from tanon_duck.algorithms.sax import Floats, Integers


def recycle(normalized: Floats, p: int, leaves: Leaves, roots: Integers) -> Leaves:
    """Return leaves with at least P series each, in which fewer than P rows of a root have none.

    Rows without a leaf have the leaf -1. Only rows of one root are merged.
    """
    leaf = np.where(leaves.good[leaves.leaf], leaves.leaf, -1)
    without_leaf = np.flatnonzero(leaf < 0)
    levels = [leaves.level]
    count = leaves.level.size
    row_level = leaves.level[leaves.leaf]
    level = int(row_level[without_leaf].max(initial=0))
    while level >= 1:
        check()
        rows_of_root = np.bincount(roots[without_leaf], minlength=1)
        # If fewer than P rows of a root are without a leaf, they cannot form one.
        is_active = rows_of_root[roots[without_leaf]] >= p
        active = without_leaf[is_active & (row_level[without_leaf] >= level)]
        letters = letters_at(normalized[active], level)
        words, word_count = number_words(roots[active], letters, level)
        is_large = np.bincount(words, minlength=word_count) >= p
        leaf_of_word = count + np.cumsum(is_large) - 1
        merged = is_large[words]
        leaf[active[merged]] = leaf_of_word[words[merged]]
        n_new = int(is_large.sum())
        levels.append(np.full(n_new, level, dtype=np.int64))
        count += n_new
        without_leaf = without_leaf[leaf[without_leaf] < 0]
        level -= 1
    good = np.ones(count, dtype=bool)
    good[: leaves.good.size] = leaves.good
    return Leaves(leaf, np.concatenate(levels), good)
