"""The words of series at their levels, and the words that all series of a leaf share."""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import number_words, rows_by_label
from tanon_duck.algorithms.kp.create_tree import letters_at
from tanon_duck.algorithms.sax import Floats, Integers, Letters


def own_letters(normalized: Floats, level: Integers) -> Letters:
    """Return the letters of each series at its level; at levels 0 and 1 all letters are 'a'."""
    letters = np.zeros(normalized.shape, dtype=np.uint8)
    for each in np.unique(level[level > 1]).tolist():
        check()
        rows = np.flatnonzero(level == each)
        letters[rows] = letters_at(normalized[rows], each)
    return letters


def word_numbers(normalized: Floats, highest: int) -> Integers:
    """Return a number for the word of each series (column) at each level (row).

    Equal numbers in a row mean equal words. Rows 0 and 1 are all 0.
    """
    numbers = np.zeros((highest + 1, normalized.shape[0]), dtype=np.int64)
    one_parent = np.zeros(normalized.shape[0], dtype=np.int64)
    for level in range(2, highest + 1):
        check()
        numbers[level], _ = number_words(one_parent, letters_at(normalized, level), level)
    return numbers


def common_words(words: Integers, leaf: Integers, leaf_level: Integers) -> Integers:
    """Return the word number that all series of a leaf (column) share at each level (row).

    It is -1 if they differ, and above the level of the leaf. ``words`` comes from
    ``word_numbers``. SAX levels do not nest: series may agree at level 3 and differ at level 2.
    """
    in_leaf = np.flatnonzero(leaf >= 0)
    order, starts = rows_by_label(leaf[in_leaf], leaf_level.size)
    common = np.full((words.shape[0], leaf_level.size), -1, dtype=np.int64)
    for level in range(1, words.shape[0]):
        check()
        ordered = words[level, in_leaf[order]]
        lowest = np.minimum.reduceat(ordered, starts)
        agree = (lowest == np.maximum.reduceat(ordered, starts)) & (leaf_level >= level)
        common[level] = np.where(agree, lowest, -1)
    return common
