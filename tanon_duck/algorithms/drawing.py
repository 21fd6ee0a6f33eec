"""Draws which records of a group take another way than most records of the group.

A group is a set of interchangeable records, numbered from 1: these numbers are called places. A
share is a part of a group whose records take the same way, for example to the same later snapshot.
Share 0 is the largest. ``draw_places`` draws a random permutation of the places of each group, and
the shares take their places in this order. All permutations of a group are equally likely. The
random bits come from a key (SHAKE-256), so that nobody without the key can predict the draw.
"""

from collections.abc import Iterator
from hashlib import shake_256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

# Places that are drawn at once. It limits the memory, and the time between two checkpoints.
PLACES_AT_ONCE = 1 << 20

Integers = NDArray[np.int64]


class DrawnPlaces(NamedTuple):
    """Parallel arrays: a group, a place in it from 1, and the share that takes the place."""

    groups: Integers
    places: Integers
    shares: Integers


def draw_places(key: bytes, group: Integers, share: Integers, records: Integers) -> DrawnPlaces:
    """Return the places of all shares except share 0.

    Entry i says that share ``share[i]`` of group ``group[i]`` has ``records[i]`` records. Each
    share has one entry. Places that are not in the result belong to share 0.
    """
    order = np.lexsort((share, group))
    group, share, records = group[order], share[order], records[order]
    starts = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    sizes = np.add.reduceat(records, starts) if len(starts) else records
    blocks = []
    for number, (first, last) in enumerate(_blocks_of_groups(sizes)):
        entries = slice(starts[first], starts[last] if last < len(starts) else len(group))
        places = _permuted_places(key + number.to_bytes(8, "big"), sizes[first:last])
        shares = np.repeat(share[entries], records[entries])
        groups = np.repeat(group[entries], records[entries])
        others = shares > 0
        blocks.append((groups[others], places[others], shares[others]))
    if not blocks:
        return DrawnPlaces(group, share, records)
    return DrawnPlaces(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def _blocks_of_groups(sizes: Integers) -> Iterator[tuple[int, int]]:
    """Yield the first group of each block and the one after its last.

    A block has at most PLACES_AT_ONCE places, or is a single group.
    """
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        check()
        places_before = ends[first] - sizes[first]
        last = max(first + 1, int(np.searchsorted(ends, places_before + PLACES_AT_ONCE, "right")))
        yield first, last
        first = last


def _permuted_places(key: bytes, sizes: Integers) -> Integers:
    """Return the places 1 to n of each group of size n in random order, group after group.

    Each place gets a random word of 64 bits. Sorting by group, then by word, permutes the places.
    Both are packed into one sort key: the group in the upper bits, the word in the lower bits.
    """
    count = int(sizes.sum())
    number = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    words = np.frombuffer(shake_256(key).digest(8 * count), "<u8")
    bits = len(sizes).bit_length()
    sort_keys = (number << np.uint64(64 - bits)) | (words >> np.uint64(bits))
    order = np.argsort(sort_keys)
    ordered = sort_keys[order]
    if np.any(ordered[1:] == ordered[:-1]):
        # Equal words are very rare. A stable sort then gives the same order on every machine.
        order = np.argsort(sort_keys, kind="stable")
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order - starts + 1
