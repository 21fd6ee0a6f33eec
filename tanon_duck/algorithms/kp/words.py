"""Which words whole leaves have in common, at every level."""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import dense_words, members
from tanon_duck.algorithms.kp.create_tree import letters_at
from tanon_duck.algorithms.sax import Floats, Integers, Letters


def own_letters(normalized: Floats, level: Integers) -> Letters:
    """Return each row's own letters, each at its own level (level 0: all 'a')."""
    letters = np.zeros(normalized.shape, dtype=np.uint8)
    for each in np.unique(level[level > 1]).tolist():
        check()
        rows = np.flatnonzero(level == each)
        letters[rows] = letters_at(normalized[rows], each)
    return letters


def word_numbers(normalized: Floats, highest: int) -> Integers:
    """Number the words of all rows at levels 0 (unused) to the highest: one row per level."""
    numbers = np.zeros((highest + 1, normalized.shape[0]), dtype=np.int64)
    nobody = np.zeros(normalized.shape[0], dtype=np.int64)
    for level in range(2, highest + 1):
        check()
        numbers[level], _ = dense_words(nobody, letters_at(normalized, level), level)
    return numbers


def common_words(words: Integers, leaf: Integers, leaf_level: Integers) -> Integers:
    """Return the word all rows of a leaf share at each level, -1 where they differ or above it.

    SAX levels do not nest: rows may agree at 3 and differ at 2.
    """
    placed = np.flatnonzero(leaf >= 0)
    order, starts = members(leaf[placed], leaf_level.size)
    common = np.full((words.shape[0], leaf_level.size), -1, dtype=np.int64)
    for level in range(1, words.shape[0]):
        check()
        ordered = words[level, placed[order]]
        lowest = np.minimum.reduceat(ordered, starts)
        agree = (lowest == np.maximum.reduceat(ordered, starts)) & (leaf_level >= level)
        common[level] = np.where(agree, lowest, -1)
    return common
