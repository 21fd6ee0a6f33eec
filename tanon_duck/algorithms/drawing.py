"""Which rows of a group go another way than most, drawn by a key without which nobody foresees it.

A group is rows that stand for each other, numbered by place. The key and all that is told of the
groups give a stream of random bits (SHAKE-256), one word for each place; the places of a group in
the order of their words are one of its permutations, all of them equally likely.
"""

from collections.abc import Iterator
from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

BLOCK = 1 << 20  # places at once: memory, and how often to ask whether this is still wanted

Integers = NDArray[np.int64]


def draw_places(
    key: bytes, group: Integers, share: Integers, records: Integers
) -> tuple[Integers, Integers, Integers]:
    """The group, the place (from 1) and the share of each row that is not of its group's share 0.

    Each (group, share) comes once; places without an entry are of share 0.
    """
    order = np.lexsort((share, group))
    group, share, records = group[order], share[order], records[order]
    starts = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    sizes = np.add.reduceat(records, starts) if len(starts) else records
    drawn = [
        _drawn(key + number.to_bytes(8, "big"), first, last, group, share, records, starts, sizes)
        for number, (first, last) in enumerate(_blocks(sizes))
    ]
    if not drawn:
        return group, share, records
    groups, places, shares = (np.concatenate(column) for column in zip(*drawn, strict=True))
    return groups, places, shares


def _blocks(sizes: Integers) -> Iterator[tuple[int, int]]:
    """From which group to which, so that hardly more than a block of places comes at once."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        check()
        before = ends[first] - sizes[first]
        last = max(first + 1, int(np.searchsorted(ends, before + BLOCK, "right")))
        yield first, last
        first = last


def _drawn(
    key: bytes,
    first: int,
    last: int,
    group: Integers,
    share: Integers,
    records: Integers,
    starts: Integers,
    sizes: Integers,
) -> tuple[Integers, Integers, Integers]:
    """What is drawn for these groups."""
    rows = slice(starts[first], starts[last] if last < len(starts) else len(group))
    sizes = sizes[first:last]
    places = _permuted(key, sizes)
    shares = np.repeat(share[rows], records[rows])
    groups = np.repeat(group[rows], records[rows])
    others = shares > 0
    return groups[others], places[others], shares[others]


def _permuted(key: bytes, sizes: Integers) -> Integers:
    """The places of each group, one group after the other, each in an order of its own."""
    count = int(sizes.sum())
    number = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    words = np.frombuffer(shake_256(key).digest(8 * count), "<u8")
    bits = len(sizes).bit_length()
    keys = (number << np.uint64(64 - bits)) | (words >> np.uint64(bits))
    order = np.argsort(keys)
    ordered = keys[order]
    if np.any(ordered[1:] == ordered[:-1]):  # as good as never; then the same everywhere
        order = np.argsort(keys, kind="stable")
    firsts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order - firsts + 1
