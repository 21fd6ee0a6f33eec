"""Counting and containment on packed bit columns laid out (words, columns)."""

from __future__ import annotations

import numpy as np

from .pairs import Words
from .transactions import Flags, Integers

COLUMNS_AT_ONCE = 1 << 14


def count_common(bits: Words, left: Integers, right: Integers) -> Integers:
    """How many rows each pair of columns has in common."""
    counts = np.zeros(left.size, dtype=np.int64)
    for start in range(0, left.size, COLUMNS_AT_ONCE):
        part = slice(start, start + COLUMNS_AT_ONCE)
        own_left, own_right = left[part], right[part]
        total = np.zeros(own_left.size, dtype=np.int32)
        for word in bits:
            total += np.bitwise_count(word.take(own_left) & word.take(own_right))
        counts[part] = total
    return counts


def count_between(bits: Words, left: Integers, others: Words, right: Integers) -> Integers:
    """As `count_common`, the right columns taken from `others`."""
    counts = np.zeros(left.size, dtype=np.int64)
    for start in range(0, left.size, COLUMNS_AT_ONCE):
        part = slice(start, start + COLUMNS_AT_ONCE)
        total = np.zeros(left[part].size, dtype=np.int32)
        for word, other in zip(bits, others, strict=True):
            total += np.bitwise_count(word.take(left[part]) & other.take(right[part]))
        counts[part] = total
    return counts


def contained(bits: Words, inner: Integers, others: Words, outer: Integers) -> Flags:
    """Which inner columns lie within their outer column; most pairs fail in their first words."""
    result = np.zeros(inner.size, dtype=np.bool_)
    for start in range(0, inner.size, COLUMNS_AT_ONCE):
        alive = np.arange(start, min(start + COLUMNS_AT_ONCE, inner.size))
        own_inner, own_outer = inner[alive], outer[alive]
        for word, other in zip(bits, others, strict=True):
            held = (word.take(own_inner) & ~other.take(own_outer)) == 0
            if not held.all():
                alive, own_inner, own_outer = alive[held], own_inner[held], own_outer[held]
            if not alive.size:
                break
        result[alive] = True
    return result
