"""Naive: makes k-groups of near values first, then P-subgroups of equal words within each.

``naive_patterns`` gets the k-groups. It finds leaves of series with equal words in each k-group
(``create_tree``). Rows of leaves with fewer than P series then join another leaf of their group:

- ``_join_at_lower_level`` (default): all rows of a leaf get a word that they truly share, at a
  lower level.
- ``_join_most_similar`` (as in the paper): the rows get the word of the most similar leaf.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import expand_ranges, first_rows, number_by_first_row
from tanon_duck.algorithms.kp.create_tree import Leaves, create_tree
from tanon_duck.algorithms.kp.recycle import recycle
from tanon_duck.algorithms.kp.words import common_words, own_letters, word_numbers
from tanon_duck.algorithms.sax import Floats, Integers, Letters


@dataclass(frozen=True)
class Patterns:
    """The P-subgroup of each series, -1 if suppressed, and its published level and letters."""

    subgroup: Integers
    level: Integers
    letters: Letters


def naive_patterns(
    normalized: Floats, groups: Integers, p: int, max_level: int, lowering: bool = True
) -> Patterns:
    """Return the P-subgroups within k-groups; ``groups`` is the k-group of each series.

    If ``lowering``, each published word is true for its series. Otherwise a word may be that of
    other series, and even the opposite of a series' own word.
    """
    leaves = create_tree(normalized, p, max_level, groups)
    if lowering:
        return _join_at_lower_level(normalized, groups, p, leaves)
    return _join_most_similar(normalized, groups, leaves)


def _number_leaves(leaves: Leaves, leaf: Integers) -> tuple[Integers, Integers]:
    """Return the leaf of each row in a new numbering, and the level of each leaf.

    ``leaf`` is the leaf of each row in the numbering of ``leaves``, or -1. The new numbers follow
    the leaves' first rows, and leaves without rows have none.
    """
    renumbered = number_by_first_row(leaf)
    count = int(renumbered.max(initial=-1)) + 1
    in_leaf = np.flatnonzero(renumbered >= 0)
    level = np.zeros(count, dtype=np.int64)
    level[renumbered[in_leaf]] = leaves.level[leaf[in_leaf]]
    return renumbered, level


class _LeavesOfGroups:
    """The leaves in each k-group."""

    def __init__(self, leaf: Integers, count: int, groups: Integers) -> None:
        in_leaf = np.flatnonzero(leaf >= 0)
        group_of_leaf = np.zeros(count, dtype=np.int64)
        group_of_leaf[leaf[in_leaf]] = groups[in_leaf]
        self.by_group = np.argsort(group_of_leaf, kind="stable")
        self.counts = np.bincount(group_of_leaf, minlength=int(groups.max(initial=0)) + 1)
        self.starts = np.cumsum(self.counts) - self.counts

    def pairs(self, group: Integers) -> tuple[Integers, Integers, Integers]:
        """Return all pairs of an index i into ``group`` and a leaf of group ``group[i]``.

        Return the indices, the leaves, and where the pairs of each index start.
        """
        counts = self.counts[group]
        index, position = expand_ranges(counts, self.starts[group])
        return index, self.by_group[position], np.cumsum(counts) - counts


def _number_within(group: Integers) -> Integers:
    """Return for each entry of a sorted list of groups its number within its group, from 0."""
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    sizes = np.diff(np.append(starts, group.size))
    return np.arange(group.size) - np.repeat(starts, sizes)


def _best_pairs(index: Integers, starts: Integers, keys: list[Integers]) -> Integers:
    """Return the pair of each index with the smallest first key, then second key, and so on.

    ``starts`` is the position of the first pair of each index.
    """
    order = np.lexsort((*keys[::-1], index))
    best: Integers = order[starts]
    return best


def _join_at_lower_level(normalized: Floats, groups: Integers, p: int, leaves: Leaves) -> Patterns:
    """Return P-subgroups whose rows share their word: merged small leaves, and joined rows."""
    recycled = recycle(normalized, p, leaves, groups)
    leaf, level = _number_leaves(recycled, recycled.leaf)
    without_leaf = np.flatnonzero(leaf < 0)
    if without_leaf.size:
        without_leaf = without_leaf[np.argsort(groups[without_leaf], kind="stable")]
        is_affected = np.zeros(int(groups.max()) + 1, dtype=bool)
        is_affected[groups[without_leaf]] = True
        affected_rows = np.flatnonzero(is_affected[groups])
        _join_rows(normalized, groups, leaf, level, without_leaf, affected_rows)
    row_level = level[leaf]
    return Patterns(leaf, row_level, own_letters(normalized, row_level))


def _join_rows(
    normalized: Floats,
    groups: Integers,
    leaf: Integers,
    level: Integers,
    without_leaf: Integers,
    affected_rows: Integers,
) -> None:
    """Let each row without a leaf join the leaf of its group with which it shares most.

    That is the leaf with the highest level at which all rows have the word of the joining row;
    of equal ones the smallest. Change ``leaf`` (per row) and lower ``level`` (per leaf) in place.
    ``affected_rows`` are the rows of groups with such rows. One row of each group joins at a time.
    """
    words = np.zeros((int(level.max()) + 1, leaf.size), dtype=np.int64)
    words[:, affected_rows] = word_numbers(normalized[affected_rows], int(level.max()))
    # The entries for leaves of other groups are meaningless, and are never read.
    common = common_words(words, leaf, level)
    size = np.bincount(leaf[leaf >= 0], minlength=level.size)
    leaves_of_groups = _LeavesOfGroups(leaf, level.size, groups)
    turn_of_row = _number_within(groups[without_leaf])
    for turn in range(int(turn_of_row.max()) + 1):
        check()
        rows = without_leaf[turn_of_row == turn]
        index, candidate, starts = leaves_of_groups.pairs(groups[rows])
        common_level = np.ones(index.size, dtype=np.int64)
        for each in range(2, words.shape[0]):
            check()
            common_level[common[each, candidate] == words[each, rows[index]]] = each
        best = _best_pairs(index, starts, [-common_level, size[candidate], candidate])
        joined = candidate[best]
        leaf[rows] = joined
        level[joined] = common_level[best]
        size[joined] += 1
        still_common = common[:, joined] == words[:, rows]
        still_common &= np.arange(words.shape[0])[:, None] <= common_level[best]
        common[:, joined] = np.where(still_common, common[:, joined], -1)


class _LeafWords(NamedTuple):
    """For each leaf its first row, its number of rows, its level and its letters."""

    first_row: Integers
    size: Integers
    level: Integers
    letters: Letters


def _join_most_similar(normalized: Floats, groups: Integers, leaves: Leaves) -> Patterns:
    """Return P-subgroups in which bad leaves join good leaves and take over their words.

    A bad leaf has fewer than P rows.
    """
    good_leaf = np.where(leaves.good[leaves.leaf], leaves.leaf, -1)
    leaf, level = _number_leaves(leaves, good_leaf)
    in_good_leaf = np.flatnonzero(leaf >= 0)
    first = in_good_leaf[first_rows(leaf[in_good_leaf], level.size)]
    letters = own_letters(normalized[first], level)
    bad_rows = np.flatnonzero(leaf < 0)
    if bad_rows.size:
        good_size = np.bincount(leaf[in_good_leaf], minlength=level.size)
        good = _LeafWords(first, good_size, level, letters)
        bad_leaf = number_by_first_row(leaves.leaf[bad_rows])
        bad_size = np.bincount(bad_leaf)
        bad_first = bad_rows[first_rows(bad_leaf, bad_size.size)]
        bad_level = leaves.level[leaves.leaf[bad_first]]
        bad_letters = own_letters(normalized[bad_first], bad_level)
        bad = _LeafWords(bad_first, bad_size, bad_level, bad_letters)
        leaf[bad_rows] = _most_similar(groups, leaf, good, bad)[bad_leaf]
    return Patterns(leaf, level[leaf], letters[leaf])


def _most_similar(groups: Integers, leaf: Integers, good: _LeafWords, bad: _LeafWords) -> Integers:
    """Return for each bad leaf the good leaf of its group with the most similar word.

    Of equally similar ones it is the smallest at that time. Smaller bad leaves come first.
    """
    good_shape = sax.z_normalize(sax.reconstruct(good.letters, good.level))
    bad_shape = sax.z_normalize(sax.reconstruct(bad.letters, bad.level))
    size = good.size.copy()
    leaves_of_groups = _LeavesOfGroups(leaf, good.level.size, groups)
    bad_group = groups[bad.first_row]
    order = np.lexsort((bad.first_row, bad.size, bad_group))
    turn_of_leaf = _number_within(bad_group[order])
    chosen = np.zeros(bad.first_row.size, dtype=np.int64)
    for turn in range(int(turn_of_leaf.max()) + 1):
        check()
        joining = order[turn_of_leaf == turn]
        index, candidate, starts = leaves_of_groups.pairs(bad_group[joining])
        distance = _distance(bad_shape[joining[index]], good_shape[candidate])
        best = _best_pairs(index, starts, [distance, size[candidate], candidate])
        chosen[joining] = candidate[best]
        size[candidate[best]] += bad.size[joining]
    return chosen


def _distance(one: Floats, other: Floats) -> Integers:
    """Return the negative correlation of the rows of two matrices, rounded to billionths.

    Rounding makes distances equal that differ only by rounding errors. Two constant rows have
    the correlation 1, a constant row and another row 0.
    """
    correlation = np.einsum("rp,rp->r", one, other) / (one.shape[1] - 1)
    correlation[~one.any(axis=1) & ~other.any(axis=1)] = 1.0
    distance: Integers = -np.rint(correlation * 1e9).astype(np.int64)
    return distance
