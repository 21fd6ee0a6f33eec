"""Joining P-subgroups into k-groups: always the one that leaves the narrowest envelope."""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.box_index import BoxIndex, Nearest
from tanon_duck.algorithms.sax import Floats, Integers


def form_groups(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Return a k-group per P-subgroup; all -1 when no group of k series can be formed."""
    group = np.full(sizes.size, -1, dtype=np.int64)
    large = np.flatnonzero(sizes >= k)
    group[large] = np.arange(large.size)
    loose = np.flatnonzero(sizes < k)
    formed = _greedy(low[loose], high[loose], sizes[loose], k)
    group[loose[formed >= 0]] = large.size + formed[formed >= 0]
    if (group >= 0).any():
        _join_rest(low, high, sizes, group)
    return group


def _squared_ranges(low: Floats, high: Floats) -> Floats:
    """Sum squared ranges attribute after attribute, so that equal envelopes get equal sums."""
    ranges = np.square(np.ascontiguousarray((high - low).T))
    total: Floats = np.add.reduce(ranges, axis=0)
    return total


def _greedy(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Start from the narrowest subgroup left and add the cheapest until the group holds k."""
    group = np.full(sizes.size, -1, dtype=np.int64)
    left = int(sizes.sum())
    if left < k:
        return group
    seeds = np.argsort(_squared_ranges(low, high), kind="stable")
    index = BoxIndex(low, high)
    count = 0
    for seed in seeds.tolist():
        check()
        if left < k:
            break
        if group[seed] < 0:
            chosen = _grow(index, seed, sizes, k)
            group[chosen] = count
            count += 1
            left -= int(sizes[chosen].sum())
    return group


def _grow(index: BoxIndex, seed: int, sizes: Integers, k: int) -> list[int]:
    """Return the subgroups of one new group and take them out of the index."""
    place = int(index.place[seed])
    group = index.box[place].copy()
    index.remove(place)
    nearest = Nearest(index)
    chosen, size = [seed], int(sizes[seed])
    while size < k:
        check()
        place = nearest.take(group)
        index.remove(place)
        chosen.append(int(index.number[place]))
        size += int(sizes[chosen[-1]])
        np.maximum(group, index.box[place], out=group)
    index.tidy()
    return chosen


def _join_rest(low: Floats, high: Floats, sizes: Integers, group: Integers) -> None:
    """Let each subgroup left, in order, join the group whose total value loss rises least."""
    points = low.shape[1]
    count = int(group.max()) + 1
    group_low = np.full((count, points), np.inf)
    group_high = np.full((count, points), -np.inf)
    placed = group >= 0
    np.minimum.at(group_low, group[placed], low[placed])
    np.maximum.at(group_high, group[placed], high[placed])
    group_size = np.bincount(group[placed], weights=sizes[placed], minlength=count)
    for rest in np.flatnonzero(~placed).tolist():
        check()
        joined_low = np.minimum(group_low, low[rest])
        joined_high = np.maximum(group_high, high[rest])
        before = group_size * np.sqrt(_squared_ranges(group_low, group_high) / points)
        after = np.sqrt(_squared_ranges(joined_low, joined_high) / points)
        target = int(((group_size + sizes[rest]) * after - before).argmin())
        group[rest] = target
        group_low[target], group_high[target] = joined_low[target], joined_high[target]
        group_size[target] += sizes[rest]
