"""Counting and containment of bit columns.

A bit column has one bit for each row. The columns of an array ``Words`` are bit columns: 64 rows of
each are one word, so that the array has the axes words and columns.
"""

from __future__ import annotations

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .transactions import Flags, Integers, Words

COLUMNS_AT_ONCE = 1 << 14


def packed_columns(flags: Flags) -> Words:
    """Return flags with the axes columns and rows as bit columns, filled up with zeros."""
    missing = -flags.shape[1] % 64
    filled = np.pad(flags, ((0, 0), (0, missing))) if missing else flags
    packed = np.packbits(filled, axis=1, bitorder="little").view(np.uint64)
    return np.ascontiguousarray(packed.T)


def count_common(bits: Words, left: Integers, right: Integers) -> Integers:
    """Return for each i the number of rows that columns ``left[i]`` and ``right[i]`` share."""
    return count_between(bits, left, bits, right)


def count_between(bits: Words, left: Integers, others: Words, right: Integers) -> Integers:
    """Return for each i the number of rows that two bit columns share.

    They are column ``left[i]`` of ``bits`` and column ``right[i]`` of ``others``.
    """
    counts = np.zeros(left.size, dtype=np.int64)
    for start in range(0, left.size, COLUMNS_AT_ONCE):
        check()
        part = slice(start, start + COLUMNS_AT_ONCE)
        part_left, part_right = left[part], right[part]
        total = np.zeros(part_left.size, dtype=np.int32)
        step = max(1, COLUMNS_AT_ONCE // part_left.size)
        for first_word in range(0, bits.shape[0], step):
            check()
            words = slice(first_word, first_word + step)
            common = bits[words].take(part_left, axis=1) & others[words].take(part_right, axis=1)
            total += np.bitwise_count(common).sum(axis=0, dtype=np.int32)
        counts[part] = total
    return counts


def contained(bits: Words, inner: Integers, others: Words, outer: Integers) -> Flags:
    """Return for each i whether all rows of a bit column are rows of another one.

    They are column ``inner[i]`` of ``bits`` and column ``outer[i]`` of ``others``. Pairs leave the
    computation as soon as they fail, most of them after a few words.
    """
    result = np.zeros(inner.size, dtype=np.bool_)
    for start in range(0, inner.size, COLUMNS_AT_ONCE):
        check()
        undecided = np.arange(start, min(start + COLUMNS_AT_ONCE, inner.size))
        part_inner, part_outer = inner[undecided], outer[undecided]
        first_word = 0
        while first_word < bits.shape[0] and undecided.size:
            check()
            words = slice(first_word, first_word + max(1, COLUMNS_AT_ONCE // undecided.size))
            outside = bits[words].take(part_inner, axis=1)
            outside &= ~others[words].take(part_outer, axis=1)
            still = ~outside.any(axis=0)
            undecided = undecided[still]
            part_inner, part_outer = part_inner[still], part_outer[still]
            first_word = words.stop
        result[undecided] = True
    return result
