"""Counting and containment on packed bit columns laid out (words, columns)."""

from __future__ import annotations

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .transactions import Flags, Integers, Words

COLUMNS_AT_ONCE = 1 << 14


def packed_columns(flags: Flags) -> Words:
    """Flags of rows (columns, rows) as bits (words, columns), filled up to whole words."""
    missing = -flags.shape[1] % 64
    filled = np.pad(flags, ((0, 0), (0, missing))) if missing else flags
    packed = np.packbits(filled, axis=1, bitorder="little").view(np.uint64)
    return np.ascontiguousarray(packed.T)


def count_common(bits: Words, left: Integers, right: Integers) -> Integers:
    """How many rows each pair of columns has in common."""
    return count_between(bits, left, bits, right)


def count_between(bits: Words, left: Integers, others: Words, right: Integers) -> Integers:
    """As `count_common`, the right columns taken from `others`."""
    counts = np.zeros(left.size, dtype=np.int64)
    for start in range(0, left.size, COLUMNS_AT_ONCE):
        check()
        part = slice(start, start + COLUMNS_AT_ONCE)
        own_left, own_right = left[part], right[part]
        total = np.zeros(own_left.size, dtype=np.int32)
        step = max(1, COLUMNS_AT_ONCE // own_left.size)
        for at in range(0, bits.shape[0], step):
            check()
            words = slice(at, at + step)
            common = bits[words].take(own_left, axis=1) & others[words].take(own_right, axis=1)
            total += np.bitwise_count(common).sum(axis=0, dtype=np.int32)
        counts[part] = total
    return counts


def contained(bits: Words, inner: Integers, others: Words, outer: Integers) -> Flags:
    """Which inner columns lie within their outer column; most pairs fail in their first words."""
    result = np.zeros(inner.size, dtype=np.bool_)
    for start in range(0, inner.size, COLUMNS_AT_ONCE):
        check()
        alive = np.arange(start, min(start + COLUMNS_AT_ONCE, inner.size))
        own_inner, own_outer = inner[alive], outer[alive]
        at = 0
        while at < bits.shape[0] and alive.size:
            check()
            words = slice(at, at + max(1, COLUMNS_AT_ONCE // alive.size))
            outside = bits[words].take(own_inner, axis=1)
            outside &= ~others[words].take(own_outer, axis=1)
            held = ~outside.any(axis=0)
            alive, own_inner, own_outer = alive[held], own_inner[held], own_outer[held]
            at = words.stop
        result[alive] = True
    return result
