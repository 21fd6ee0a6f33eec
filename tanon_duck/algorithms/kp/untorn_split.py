"""Divides rows into groups like ``balanced_split``, but keeps equal rows in one group.

A cut tears a series if equal rows are on both sides of it. Equal rows are adjacent after sorting
along any direction, so a cut between two different rows tears none. Large nodes are cut near the
middle, small nodes where the two envelopes are narrowest.

If each such cut would leave a side too small, ``_rearrange`` looks for another order of the rows
that can be cut. It tears a series only if no two sides can be made of whole series. A node of
equal rows is never cut, because its envelope is already a point.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import (
    Nodes,
    divide_if_large,
    group_numbers,
    sort_by_direction,
)
from tanon_duck.algorithms.kp.classes import (
    number_by_first_row,
    number_equal_rows,
    number_labels,
    smallest_of_each,
    stable_order,
)
from tanon_duck.algorithms.sax import Floats, Integers

# In nodes of up to this many times the smallest size, and at most LARGEST_WEIGHED rows, the loss of
# every cut is computed. In larger nodes a cut near the middle is as good.
WEIGHED_MULTIPLES = 8
LARGEST_WEIGHED = 256
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def untorn_split(
    series: Floats, smallest: int, roots: Integers, weighed_multiples: int = WEIGHED_MULTIPLES
) -> Integers:
    """Return the group of each row; rows of a group have the same root.

    A group has from ``smallest`` to 2 ``smallest`` - 1 rows, or more if they are all equal. Groups
    with neighbouring numbers have near rows.
    """
    labels, _ = number_labels(roots)
    if not labels.size:
        return labels
    series_number = number_by_first_row(number_equal_rows(series))
    order = stable_order(labels * series_number.size + series_number)
    sizes = np.bincount(labels)
    root_nodes = Nodes(order, series.take(order, axis=0), sizes, np.cumsum(sizes) - sizes)
    open_nodes, finished = [root_nodes], []
    while open_nodes:
        check()
        nodes = open_nodes.pop()
        n_changes = np.add.reduceat(
            _differs_from_previous(nodes, series_number), nodes.starts, dtype=np.int64
        )
        is_large = (nodes.sizes >= 2 * smallest) & (n_changes > 0)
        finished.append(nodes.select(~is_large))
        nodes = nodes.select(is_large)
        if nodes.sizes.size:
            nodes = sort_by_direction(nodes)
            largest_weighed = weighed_multiples * smallest
            open_nodes += divide_if_large(_cut(nodes, series_number, smallest, largest_weighed))
    return group_numbers(finished, labels.size)


def _differs_from_previous(nodes: Nodes, series_number: Integers) -> Flags:
    """Mark the rows that differ from the previous row of their node.

    ``series_number`` is equal for equal rows.
    """
    numbers = series_number[nodes.rows]
    differs = np.append(False, numbers[1:] != numbers[:-1])
    differs[nodes.starts] = False
    return differs


def _cut(nodes: Nodes, series_number: Integers, smallest: int, largest_weighed: int) -> Nodes:
    """Cut each node before one of its rows, so that both sides have at least ``smallest`` rows."""
    node = np.repeat(np.arange(nodes.sizes.size), nodes.sizes)
    # If a cut is before this row: the rows on the left and on the right side.
    left = np.arange(node.size) - nodes.starts[node]
    right = nodes.sizes[node] - left
    is_possible = (left >= smallest) & (right >= smallest)
    tears_none = is_possible & _differs_from_previous(nodes, series_number)
    # If a side is a multiple of the smallest size, it can be divided into smallest groups.
    is_even = tears_none & ((left % smallest == 0) | (right % smallest == 0))
    must_tear = np.add.reduceat(tears_none, nodes.starts, dtype=np.int64) == 0
    has_no_even = np.add.reduceat(is_even, nodes.starts, dtype=np.int64) == 0
    is_candidate = np.where(
        must_tear[node], is_possible, np.where(has_no_even[node], tears_none, is_even)
    )
    cost = _cut_costs(nodes, node, left, smallest, largest_weighed)
    cost[~is_candidate] = np.inf
    left_size = left[smallest_of_each(node, cost)]
    rows, points = nodes.rows, nodes.points
    if must_tear.any():
        order = np.arange(rows.size)
        for each in np.flatnonzero(must_tear).tolist():
            start, size = int(nodes.starts[each]), int(nodes.sizes[each])
            part = slice(start, start + size)
            order[part], left_size[each] = _rearrange(
                series_number[rows[part]], smallest, int(left_size[each])
            )
            order[part] += start
        rows, points = rows[order], points[order]
    sizes = np.stack((left_size, nodes.sizes - left_size), axis=1).ravel()
    places = np.stack((nodes.places, nodes.places + left_size), axis=1).ravel()
    return Nodes(rows, points, sizes, places)


def _rearrange(numbers: Integers, smallest: int, otherwise: int) -> tuple[Integers, int]:
    """Return an order of the rows of a node, and the size of its left side.

    ``numbers`` are the series numbers of the rows, in which no change is a possible cut. So one
    series, the middle one, spans all possible cuts.

    - If the middle series, or all others together, have enough rows, they are separated. Others
      that are too few get as many rows of the middle series as they lack.
    - Otherwise some series that have enough rows together become the left side.
    - If there are no such series, the cut after ``otherwise`` rows tears the middle series.
    """
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    sizes = np.diff(np.append(starts, numbers.size))
    series = np.repeat(np.arange(sizes.size), sizes)
    middle = int(series[smallest - 1])
    others = numbers.size - int(sizes[middle])
    if others < smallest or sizes[middle] >= smallest:
        return np.argsort(series == middle, kind="stable"), max(others, smallest)
    left = _subset_with_sum(sizes.tolist(), smallest, numbers.size - smallest)
    if not left:
        return np.arange(numbers.size), otherwise
    return np.argsort(~np.isin(series, left), kind="stable"), int(sizes[left].sum())


def _subset_with_sum(sizes: list[int], lowest: int, highest: int) -> list[int]:
    """Return positions whose sizes have a sum from ``lowest`` to ``highest``, [] if none have.

    The search stores each sum that is possible once, with the first positions that give it.
    """
    positions_of_sum: dict[int, list[int]] = {0: []}
    for position, size in enumerate(sizes):
        for total, chosen in list(positions_of_sum.items()):
            if total + size <= highest and total + size not in positions_of_sum:
                positions_of_sum[total + size] = [*chosen, position]
                if total + size >= lowest:
                    return positions_of_sum[total + size]
    return []


def _cut_costs(
    nodes: Nodes, node: Integers, left: Integers, smallest: int, largest_weighed: int
) -> Floats:
    """Return the cost of a cut before each row.

    In nodes of up to ``largest_weighed`` rows it is the value loss of both sides. In larger nodes
    it is the distance from the middle. ``left`` is the number of rows on the left side.
    """
    middle = smallest * (nodes.sizes // smallest // 2)
    cost: Floats = np.abs(left - middle[node]).astype(np.float64)
    is_weighed = nodes.sizes <= min(largest_weighed, LARGEST_WEIGHED)
    # Nodes of similar size are computed together in one matrix, so that few slots are empty.
    size_class = np.where(is_weighed, np.frexp(nodes.sizes)[1], 0)
    for each in np.unique(size_class[is_weighed]).tolist():
        chosen = np.flatnonzero(size_class == each)
        sizes, starts = nodes.sizes[chosen], nodes.starts[chosen]
        slot = np.arange(int(sizes.max()))
        exists = slot < sizes[:, None]
        rows = np.where(exists, starts[:, None] + slot, starts[:, None])
        losses = _losses_of_sides(nodes.points[rows], exists)
        cost[rows[exists]] = losses[exists]
    return cost


def _losses_of_sides(points: Floats, exists: Flags) -> Floats:
    """Return the value loss of both sides together, for a cut before each slot of each node.

    ``points`` has the axes node, slot and coordinate. ``exists`` marks slots that hold a row.
    """
    box = np.concatenate((-points, points), axis=2)
    box[~exists] = -np.inf
    count = exists.shape[1]
    sizes = exists.sum(axis=1)[:, None]
    left_box = np.maximum.accumulate(box, axis=1)
    loss = np.zeros(exists.shape)
    loss[:, 1:] = np.arange(1, count) * _widths(left_box)[:, :-1]
    right_box = np.maximum.accumulate(box[:, ::-1], axis=1)[:, ::-1]
    loss += np.where(exists, (sizes - np.arange(count)) * _widths(right_box), 0.0)
    return loss


def _widths(box: Floats) -> Floats:
    """Return the root of the sum of squared ranges of each box (-low, high), 0 without a row."""
    points = box.shape[2] // 2
    ranges = box[:, :, :points] + box[:, :, points:]
    ranges[~np.isfinite(ranges)] = 0.0
    widths: Floats = np.sqrt(np.einsum("nrp,nrp->nr", ranges, ranges))
    return widths
