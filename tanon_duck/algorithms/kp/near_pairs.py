"""Which k-groups to look at together next: disjoint pairs of near ones, the nearest first.

A pair that was looked at is not looked at again until one of its groups has changed.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import members, stable_order
from tanon_duck.algorithms.sax import Floats, Integers

CELL, NEAREST = 64, 16
DISTANCES_AT_ONCE = 1 << 18
DRAWS = 3
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


class NearPairs:
    """The pairs of near groups, and when each was looked at and each group changed last."""

    def __init__(self, count: int) -> None:
        self.clock = 1
        self.changed = np.full(count, self.clock)
        self.key = np.zeros(0, dtype=np.int64)
        self.looked = np.zeros(0, dtype=np.int64)
        self.one = self.other = self.key

    def renew(self, centres: Floats, spreads: Floats, layout: int) -> None:
        """Find the pairs of groups that are near each other now; wide ones have more to mend."""
        one, other, apart = _nearest(centres, layout)
        apart -= spreads[one] + spreads[other]
        key = np.minimum(one, other) * self.changed.size + np.maximum(one, other)
        # A pair that both groups name is as far apart seen from either.
        order = stable_order(key)
        first = np.append(True, key[order[1:]] != key[order[:-1]])[: key.size]
        order = order[first]
        key, apart = key[order], apart[order]
        looked = np.zeros(key.size, dtype=np.int64)
        if self.key.size:
            sorted_before = stable_order(self.key)
            before = self.key[sorted_before]
            place = np.minimum(np.searchsorted(before, key), before.size - 1)
            known = before[place] == key
            looked[known] = self.looked[sorted_before[place[known]]]
        nearest_first = np.argsort(apart, kind="stable")
        self.key, self.looked = key[nearest_first], looked[nearest_first]
        self.one, self.other = np.divmod(self.key, self.changed.size)

    def draw(self) -> tuple[Integers, Integers]:
        """Return pairs worth a look that share no group; count them as looked at."""
        check()
        changed = np.maximum(self.changed[self.one], self.changed[self.other])
        fresh = np.flatnonzero(self.looked < changed)
        chosen = fresh[_disjoint(self.one[fresh], self.other[fresh], self.changed.size)]
        self.clock += 1
        self.looked[chosen] = self.clock
        return self.one[chosen], self.other[chosen]

    def note(self, groups: Integers) -> None:
        """Note that these groups have changed since they were drawn."""
        self.changed[groups] = self.clock


def _disjoint(one: Integers, other: Integers, count: int) -> Integers:
    """Return places of pairs that share no group, of any two that do the earlier one."""
    chosen, left = [], np.arange(one.size)
    for _ in range(DRAWS):
        first = np.full(count, one.size)
        # The last write wins, so writing backwards leaves the first pair of each group.
        backwards = left[::-1]
        both = np.stack((one[backwards], other[backwards]), axis=1).ravel()
        first[both] = np.repeat(backwards, 2)
        taken = left[(first[one[left]] == left) & (first[other[left]] == left)]
        chosen.append(taken)
        free = np.ones(count, dtype=bool)
        free[one[taken]] = free[other[taken]] = False
        left = left[free[one[left]] & free[other[left]]]
    return np.concatenate(chosen)


def _nearest(centres: Floats, layout: int) -> tuple[Integers, Integers, Floats]:
    """Pair every centre with its nearest ones of its neighbourhood; return how far apart, too."""
    # Other weights draw the borders between neighbourhoods elsewhere.
    weights = 1.0 + 0.5 * np.cos(1.0 + np.arange(centres.shape[1]) * (layout + 1.0) + layout)
    cells = balanced_split(centres * weights, CELL, np.zeros(centres.shape[0], dtype=np.int64))
    sizes = np.bincount(cells)
    order, starts = members(cells, sizes.size)
    found: list[tuple[Integers, Integers, Floats]] = []
    step = max(1, DISTANCES_AT_ONCE // int(sizes.max()) ** 2)
    for first in range(0, sizes.size, step):
        check()
        chunk = slice(first, first + step)
        place = np.arange(int(sizes[chunk].max()))
        exists = place < sizes[chunk, None]
        rows = order[np.where(exists, starts[chunk, None] + place, starts[chunk, None])]
        found.append(_nearest_in_cells(centres.take(rows, axis=0), exists, rows))
    one, other, apart = (np.concatenate([each[i] for each in found]) for i in range(3))
    return one, other, apart


def _nearest_in_cells(
    points: Floats, exists: Flags, rows: Integers
) -> tuple[Integers, Integers, Floats]:
    """Return pairs of rows near each other, within each cell by itself."""
    size = exists.shape[1]
    apart = np.zeros((*exists.shape, size))
    for coordinate in np.moveaxis(points, 2, 0):
        apart += np.square(coordinate[:, :, None] - coordinate[:, None, :])
    apart[:, np.arange(size), np.arange(size)] = np.inf
    apart[np.broadcast_to(~exists[:, None, :], apart.shape)] = np.inf
    nearest = np.argpartition(apart, min(NEAREST, size) - 1, axis=2)[:, :, :NEAREST]
    far = np.take_along_axis(apart, nearest, axis=2)
    found = np.isfinite(far) & exists[:, :, None]
    one = np.broadcast_to(rows[:, :, None], nearest.shape)
    other = np.take_along_axis(rows, nearest.reshape(rows.shape[0], -1), axis=1)
    return one[found], other.reshape(nearest.shape)[found], far[found]
