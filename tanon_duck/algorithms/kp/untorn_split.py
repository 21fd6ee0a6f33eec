"""Halving that keeps equal series together, and cuts small nodes where that leaves them narrowest.

Equal series have one place along any direction, so once they stand side by side they stay so, and
a cut between two different series tears none. Only where every such cut leaves a side too small
are the series rearranged, and only where no two sides whatever could be made of whole series is one
of them torn. A node of nothing but equal series is never cut: its envelope is a point already.

That answers for the groups too, not for each cut alone: a torn series stands in two groups, one of
them as small as may be, and of these two groups' series no other two sides could have been made.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import Nodes, in_cache, numbered, ordered
from tanon_duck.algorithms.kp.classes import best_of, by_first_row, dense, equal_rows, stable_order
from tanon_duck.algorithms.sax import Floats, Integers

# Up to so many times the smallest size every cut is weighed; above, the middle one is as good.
WEIGHED_MULTIPLES = 8
LARGEST_WEIGHED = 256
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def untorn_split(
    series: Floats, smallest: int, roots: Integers, weighed_multiples: int = WEIGHED_MULTIPLES
) -> Integers:
    """Return a group per row; groups of one root hold `smallest` rows and less than twice that,
    or equal series alone. Neighbouring numbers are neighbours in space.
    """
    labels, _ = dense(roots)
    if not labels.size:
        return labels
    kind = by_first_row(equal_rows(series))
    order = stable_order(labels * kind.size + kind)
    sizes = np.bincount(labels)
    waiting, done = [Nodes(order, series.take(order, axis=0), sizes, np.cumsum(sizes) - sizes)], []
    while waiting:
        check()
        nodes = waiting.pop()
        several = np.add.reduceat(_borders(nodes, kind), nodes.starts, dtype=np.int64) > 0
        large = (nodes.sizes >= 2 * smallest) & several
        done.append(nodes.chosen(~large))
        nodes = nodes.chosen(large)
        if nodes.sizes.size:
            waiting += in_cache(_cut(ordered(nodes), kind, smallest, weighed_multiples * smallest))
    return numbered(done, labels.size)


def _borders(nodes: Nodes, kind: Integers) -> Flags:
    """Tell which rows differ from the row before them in their node."""
    kinds = kind[nodes.rows]
    border = np.append(False, kinds[1:] != kinds[:-1])
    border[nodes.starts] = False
    return border


def _cut(nodes: Nodes, kind: Integers, smallest: int, weighed: int) -> Nodes:
    """Cut each node before one of its rows; both sides hold at least the smallest size."""
    owner = np.repeat(np.arange(nodes.sizes.size), nodes.sizes)
    place = np.arange(owner.size) - nodes.starts[owner]
    behind = nodes.sizes[owner] - place
    possible = (place >= smallest) & (behind >= smallest)
    whole = possible & _borders(nodes, kind)
    # Sides of whole multiples end up in the smallest groups.
    even = whole & ((place % smallest == 0) | (behind % smallest == 0))
    stuck = np.add.reduceat(whole, nodes.starts, dtype=np.int64) == 0
    uneven = np.add.reduceat(even, nodes.starts, dtype=np.int64) == 0
    choices = np.where(stuck[owner], possible, np.where(uneven[owner], whole, even))
    cost = _costs(nodes, owner, place, smallest, weighed)
    cost[~choices] = np.inf
    left = place[best_of(owner, cost)]
    rows, points = nodes.rows, nodes.points
    if stuck.any():
        moved = np.arange(rows.size)
        for node in np.flatnonzero(stuck).tolist():
            start, size = int(nodes.starts[node]), int(nodes.sizes[node])
            stretch = slice(start, start + size)
            moved[stretch], left[node] = _rearranged(kind[rows[stretch]], smallest, int(left[node]))
            moved[stretch] += start
        rows, points = rows[moved], points[moved]
    sizes = np.stack((left, nodes.sizes - left), axis=1).ravel()
    places = np.stack((nodes.places, nodes.places + left), axis=1).ravel()
    return Nodes(rows, points, sizes, places)


def _rearranged(kinds: Integers, smallest: int, otherwise: int) -> tuple[Integers, int]:
    """Order the rows of a node that no border cuts in two, and tell where to cut it.

    One series then spans the middle. If it is large enough, or the others are, they part; if it
    is all that is large it gives the others what they lack, and no more. Else all are small.
    """
    starts = np.flatnonzero(np.append(True, kinds[1:] != kinds[:-1]))
    sizes = np.diff(np.append(starts, kinds.size))
    block = np.repeat(np.arange(sizes.size), sizes)
    middle = int(block[smallest - 1])
    others = kinds.size - int(sizes[middle])
    if others < smallest or sizes[middle] >= smallest:
        return np.argsort(block == middle, kind="stable"), max(others, smallest)
    first = _some_of(sizes.tolist(), smallest, kinds.size - smallest)
    if not first:
        return np.arange(kinds.size), otherwise
    return np.argsort(~np.isin(block, first), kind="stable"), int(sizes[first].sum())


def _some_of(sizes: list[int], least: int, most: int) -> list[int]:
    """Return places in a list whose sizes add up to something in between, none if there are none.

    Every sum that can be reached is noted once, with the first way to reach it.
    """
    reached: dict[int, list[int]] = {0: []}
    for place, size in enumerate(sizes):
        for total, chosen in list(reached.items()):
            if total + size <= most and total + size not in reached:
                reached[total + size] = [*chosen, place]
                if total + size >= least:
                    return reached[total + size]
    return []


def _costs(
    nodes: Nodes, owner: Integers, place: Integers, smallest: int, largest_weighed: int
) -> Floats:
    """Return the value loss of both sides of each cut; in large nodes, how far off the middle."""
    middle = smallest * (nodes.sizes // smallest // 2)
    cost: Floats = np.abs(place - middle[owner]).astype(np.float64)
    weighed = nodes.sizes <= min(largest_weighed, LARGEST_WEIGHED)
    # Nodes of like size go together, so that filling them up to one size costs little.
    bits = np.where(weighed, np.frexp(nodes.sizes)[1], 0)
    for each in np.unique(bits[weighed]).tolist():
        chosen = np.flatnonzero(bits == each)
        sizes, starts = nodes.sizes[chosen], nodes.starts[chosen]
        within = np.arange(int(sizes.max()))
        exists = within < sizes[:, None]
        rows = np.where(exists, starts[:, None] + within, starts[:, None])
        losses = _two_sides(nodes.points[rows], exists)
        cost[rows[exists]] = losses[exists]
    return cost


def _two_sides(points: Floats, exists: Flags) -> Floats:
    """Return the value loss of the rows before, and of those from, each row of each node."""
    box = np.concatenate((-points, points), axis=2)
    box[~exists] = -np.inf
    count = exists.shape[1]
    sizes = exists.sum(axis=1)[:, None]
    before = np.maximum.accumulate(box, axis=1)
    loss = np.zeros(exists.shape)
    loss[:, 1:] = np.arange(1, count) * _widths(before)[:, :-1]
    since = np.maximum.accumulate(box[:, ::-1], axis=1)[:, ::-1]
    loss += np.where(exists, (sizes - np.arange(count)) * _widths(since), 0.0)
    return loss


def _widths(box: Floats) -> Floats:
    """Return the root of the summed squared ranges, 0 where there is no row."""
    points = box.shape[2] // 2
    ranges = box[:, :, :points] + box[:, :, points:]
    ranges[~np.isfinite(ranges)] = 0.0
    widths: Floats = np.sqrt(np.einsum("nrp,nrp->nr", ranges, ranges))
    return widths
