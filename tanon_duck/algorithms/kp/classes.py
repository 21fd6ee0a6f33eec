"""Operations on labels: the number of the class (group, leaf, node) of each row.

- ``number_labels``, ``number_words``, ``number_by_first_row``, ``number_equal_rows``: number the
  classes of rows 0, 1, 2, ...
- ``rows_by_label``, ``first_rows``, ``envelopes``: the rows of each class, and their ranges.
- ``expand_ranges``, ``smallest_of_each``: lists of pairs (owner, item), and the best per owner.
- ``stable_order``: the fast sort that most of these use.
"""

from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.sax import Floats, Integers, Letters

# Keys stay below this, so that they fit in 64 bits with a sign.
LARGEST_KEY = 2**62
KEY_BITS = 62


class Labels(NamedTuple):
    """The number of the class of each row, from 0, and the number of classes."""

    labels: Integers
    n_labels: int


class RowsByLabel(NamedTuple):
    """All rows, sorted by label and then by number, and the position where each label starts."""

    order: Integers
    starts: Integers


class Envelopes(NamedTuple):
    """The lowest and the highest value of each class (row) at each position (column)."""

    low: Floats
    high: Floats


def stable_order(keys: Integers) -> Integers:
    """Return ``np.argsort(keys, kind="stable")``, many times faster.

    It packs each key and its position into one integer, and sorts these integers.
    """
    lowest = int(keys.min(initial=0))
    position_bits = int(keys.size).bit_length()
    if (int(keys.max(initial=0)) - lowest).bit_length() + position_bits > KEY_BITS:
        return np.argsort(keys, kind="stable")
    packed = keys - lowest
    packed <<= position_bits
    packed += np.arange(keys.size)
    packed.sort()
    packed &= (1 << position_bits) - 1
    return packed


def number_labels(keys: Integers) -> Labels:
    """Renumber labels 0, 1, 2, ... without gaps, in ascending order.

    For example, 7, 3, 7 become 1, 0, 1.
    """
    if keys.size == 0:
        return Labels(np.zeros(0, dtype=np.int64), 0)
    order = stable_order(keys)
    ordered = keys[order]
    is_first = np.empty(keys.size, dtype=bool)
    is_first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    numbers = np.empty(keys.size, dtype=np.int64)
    numbers[order] = np.cumsum(is_first) - 1
    return Labels(numbers, int(is_first.sum()))


def number_words(parents: Integers, letters: Letters, level: int) -> Labels:
    """Return labels that are equal for rows with the same parent and the same word."""
    keys = parents.astype(np.int64)
    largest = int(keys.max(initial=0)) + 1
    for column in letters.T:
        check()
        if largest * level >= LARGEST_KEY:
            keys, largest = number_labels(keys)
        keys = keys * level + column
        largest *= level
    return number_labels(keys)


def number_by_first_row(labels: Integers) -> Integers:
    """Renumber labels 0, 1, 2, ... in the order of their first rows; negative ones become -1."""
    labelled = np.flatnonzero(labels >= 0)
    renumbered = np.full(labels.size, -1, dtype=np.int64)
    numbers, count = number_labels(labels[labelled])
    first = first_rows(numbers, count) if count else np.zeros(0, dtype=np.int64)
    rank = np.empty(count, dtype=np.int64)
    rank[stable_order(first)] = np.arange(count)
    renumbered[labelled] = rank[numbers]
    return renumbered


def first_rows(labels: Integers, count: int) -> Integers:
    """Return the first row of each label from 0 to count - 1."""
    first = np.zeros(count, dtype=np.int64)
    # If an index occurs again, numpy keeps the last value. So write the rows backwards.
    first[labels[::-1]] = np.arange(labels.size)[::-1]
    return first


def rows_by_label(labels: Integers, count: int) -> RowsByLabel:
    """Return the rows sorted by label, and where each label from 0 to count - 1 starts."""
    order = stable_order(labels)
    sizes = np.bincount(labels, minlength=count)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    return RowsByLabel(order, starts)


def envelopes(series: Floats, labels: Integers, count: int) -> Envelopes:
    """Return the envelope of each class from 0 to count - 1; each class must have a row."""
    if count == 0:
        empty = np.zeros((0, series.shape[1]))
        return Envelopes(empty, empty.copy())
    order, starts = rows_by_label(labels, count)
    ordered = series.take(order, axis=0)
    low: Floats = np.minimum.reduceat(ordered, starts, axis=0)
    high: Floats = np.maximum.reduceat(ordered, starts, axis=0)
    return Envelopes(low, high)


def expand_ranges(counts: Integers, starts: Integers) -> tuple[Integers, Integers]:
    """Return all pairs (owner, item), where owner i has ``counts[i]`` items from ``starts[i]`` on.

    For example, counts 2, 1 and starts 5, 9 give the owners 0, 0, 1 and the items 5, 6, 9.
    """
    owner = np.repeat(np.arange(counts.size), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(owner.size) - first[owner] + starts[owner]


def smallest_of_each(owner: Integers, value: Floats) -> Integers:
    """Return for each owner the position of its smallest value, the first of equal ones.

    ``owner`` is sorted and has the owner of each value.
    """
    if not owner.size:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    sizes = np.diff(np.append(starts, owner.size))
    lowest = np.repeat(np.minimum.reduceat(value, starts), sizes)
    is_lowest = np.flatnonzero(value == lowest)
    _, first = np.unique(owner[is_lowest], return_index=True)
    best: Integers = is_lowest[first]
    return best


def number_equal_rows(series: Floats) -> Integers:
    """Return labels that are equal for equal rows and different for different rows.

    Only rows with equal weighted sums are compared value by value.
    """
    # Summed column by column, equal rows have exactly equal sums.
    sums = np.zeros(series.shape[0])
    for position, column in enumerate(series.T):
        sums += column * np.cos(1.0 + position)
    sorted_sums = np.sort(sums)
    if not (sorted_sums[1:] == sorted_sums[:-1]).any():
        return np.arange(series.shape[0])
    order = np.argsort(sums, kind="stable")
    same_sum = np.flatnonzero(sums[order[1:]] == sums[order[:-1]])
    is_equal = (series[order[same_sum]] == series[order[same_sum + 1]]).all(axis=1)
    if not is_equal.all():
        # Different rows have the same sum by chance. Sort by values too, so that equal rows
        # follow each other.
        order = np.lexsort((*series.T[::-1], sums))
        is_equal = (series[order[same_sum]] == series[order[same_sum + 1]]).all(axis=1)
    labels = np.empty(series.shape[0], dtype=np.int64)
    is_new = np.ones(series.shape[0], dtype=bool)
    is_new[same_sum[is_equal] + 1] = False
    labels[order] = np.cumsum(is_new)
    return labels
