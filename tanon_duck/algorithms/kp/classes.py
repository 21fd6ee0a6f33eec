"""Dense numbers for classes of rows: the one sort that every step is built on."""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.sax import Floats, Integers, Letters

LARGEST_KEY = 2**62
KEY_BITS = 62


def stable_order(keys: Integers) -> Integers:
    """Return the places of the keys in ascending order, of equal ones the earlier place first.

    One number holds key and place: sorting numbers is many times quicker than ordering keys.
    """
    lowest = int(keys.min(initial=0))
    place_bits = int(keys.size).bit_length()
    if (int(keys.max(initial=0)) - lowest).bit_length() + place_bits > KEY_BITS:
        return np.argsort(keys, kind="stable")
    packed = keys - lowest
    packed <<= place_bits
    packed += np.arange(keys.size)
    packed.sort()
    packed &= (1 << place_bits) - 1
    return packed


def dense(keys: Integers) -> tuple[Integers, int]:
    """Number equal keys 0, 1, ... in ascending order of key."""
    if keys.size == 0:
        return np.zeros(0, dtype=np.int64), 0
    order = stable_order(keys)
    ordered = keys[order]
    starts = np.empty(keys.size, dtype=bool)
    starts[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    numbers = np.empty(keys.size, dtype=np.int64)
    numbers[order] = np.cumsum(starts) - 1
    return numbers, int(starts.sum())


def dense_words(parents: Integers, letters: Letters, level: int) -> tuple[Integers, int]:
    """Number the classes of rows that have the same parent and the same word."""
    keys = parents.astype(np.int64)
    largest = int(keys.max(initial=0)) + 1
    for column in letters.T:
        check()
        if largest * level >= LARGEST_KEY:
            keys, largest = dense(keys)
        keys = keys * level + column
        largest *= level
    return dense(keys)


def by_first_row(labels: Integers) -> Integers:
    """Renumber the classes 0, 1, ... in order of their first row; negative labels stay -1."""
    kept = np.flatnonzero(labels >= 0)
    renumbered = np.full(labels.size, -1, dtype=np.int64)
    numbers, count = dense(labels[kept])
    first = first_rows(numbers, count) if count else np.zeros(0, dtype=np.int64)
    rank = np.empty(count, dtype=np.int64)
    rank[stable_order(first)] = np.arange(count)
    renumbered[kept] = rank[numbers]
    return renumbered


def first_rows(labels: Integers, count: int) -> Integers:
    """Return the first position of each label."""
    first = np.zeros(count, dtype=np.int64)
    # The last write wins, so writing backwards leaves the first position.
    first[labels[::-1]] = np.arange(labels.size)[::-1]
    return first


def members(labels: Integers, count: int) -> tuple[Integers, Integers]:
    """Return the rows sorted by label (row order within) and where each label starts."""
    order = stable_order(labels)
    sizes = np.bincount(labels, minlength=count)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    return order, starts


def envelopes(series: Floats, labels: Integers, count: int) -> tuple[Floats, Floats]:
    """Return the lowest and the highest values of each class; every class must have a row."""
    if count == 0:
        empty = np.zeros((0, series.shape[1]))
        return empty, empty.copy()
    order, starts = members(labels, count)
    ordered = series.take(order, axis=0)
    low: Floats = np.minimum.reduceat(ordered, starts, axis=0)
    high: Floats = np.maximum.reduceat(ordered, starts, axis=0)
    return low, high


def expand(counts: Integers, starts: Integers) -> tuple[Integers, Integers]:
    """List for each owner the places start, start + 1, ...: return owners and places."""
    owner = np.repeat(np.arange(counts.size), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(owner.size) - first[owner] + starts[owner]


def best_of(owner: Integers, value: Floats) -> Integers:
    """Return the place of the smallest value (the first on ties) of each owner in a sorted list."""
    if not owner.size:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    sizes = np.diff(np.append(starts, owner.size))
    lowest = np.repeat(np.minimum.reduceat(value, starts), sizes)
    hits = np.flatnonzero(value == lowest)
    _, first = np.unique(owner[hits], return_index=True)
    best: Integers = hits[first]
    return best


def equal_rows(series: Floats) -> Integers:
    """Number rows so that exactly the equal ones share a number."""
    # Column after column, so that equal rows come to exactly the same sum.
    sums = np.zeros(series.shape[0])
    for place, column in enumerate(series.T):
        sums += column * np.cos(1.0 + place)
    in_order = np.sort(sums)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.arange(series.shape[0])
    order = np.argsort(sums, kind="stable")
    same_sum = np.flatnonzero(sums[order[1:]] == sums[order[:-1]])
    equal = (series[order[same_sum]] == series[order[same_sum + 1]]).all(axis=1)
    if not equal.all():
        # Different rows of one sum may lie between equal ones.
        order = np.lexsort((*series.T[::-1], sums))
        equal = (series[order[same_sum]] == series[order[same_sum + 1]]).all(axis=1)
    numbers = np.empty(series.shape[0], dtype=np.int64)
    new = np.ones(series.shape[0], dtype=bool)
    new[same_sum[equal] + 1] = False
    numbers[order] = np.cumsum(new)
    return numbers
