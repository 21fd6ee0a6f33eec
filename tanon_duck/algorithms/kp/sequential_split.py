"""Divides rows into groups as in the source of the paper: two far seeds, then row after row.

A node is a set of rows. Two rows that are far from each other are the seeds of its two sides. Then
each row, in turn, joins the side whose envelope becomes narrower. A side that is too small in the
end takes the nearest rows of the other side. All nodes of one depth advance together.

A box is a row of the lowest values with their signs changed, then the highest values. So the box
of two boxes together is their maximum.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import number_labels, rows_by_label
from tanon_duck.algorithms.sax import Floats, Integers

# In some data each cut removes only a few rows. Below this depth nodes are cut in the middle.
LARGEST_DEPTH = 64
SEED_ROUNDS = 3


def sequential_split(series: Floats, smallest: int, roots: Integers) -> Integers:
    """Return the group of each row, with from ``smallest`` to 2 ``smallest`` - 1 rows.

    Rows of a group have the same root.
    """
    labels, count = number_labels(roots)
    for _ in range(LARGEST_DEPTH):
        check()
        sizes = np.bincount(labels, minlength=count)
        open_rows = np.flatnonzero(sizes[labels] >= 2 * smallest)
        if not open_rows.size:
            return labels
        nodes, node_count = number_labels(labels[open_rows])
        order, starts = rows_by_label(nodes, node_count)
        rows = open_rows[order]
        side = _sides(series[rows], starts, smallest)
        labels[rows] = labels[rows] + count * side
        labels, count = number_labels(labels)
    return balanced_split(series, smallest, labels)


def _sides(points: Floats, starts: Integers, smallest: int) -> Integers:
    """Return the side, 0 or 1, of each row; both sides of a node have at least ``smallest`` rows.

    The rows of a node follow each other in ``points``, from ``starts`` on.
    """
    sizes = np.diff(np.append(starts, points.shape[0]))
    row_boxes = np.hstack((-points, points))
    first, second = _far_seeds(points, starts, sizes)
    side = np.zeros(points.shape[0], dtype=np.int64)
    by_size = np.argsort(-sizes, kind="stable")
    seeds = first[by_size], second[by_size]
    _assign_row_by_row(row_boxes, starts[by_size], sizes[by_size], seeds, side)
    _fill_small_sides(row_boxes, starts, sizes, smallest, side)
    return side


def _far_seeds(points: Floats, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Return two rows of each node that are far from each other.

    The search goes from the node's first row to the row that is farthest from it, and so on,
    three times. Of equally far rows it chooses the first.
    """
    nodes = np.repeat(np.arange(sizes.size), sizes)
    first = second = starts
    for _ in range(SEED_ROUNDS):
        check()
        distance = np.square(points - points[first[nodes]]).sum(axis=1)
        farthest = np.maximum.reduceat(distance, starts)
        is_farthest = np.flatnonzero(distance == farthest[nodes])
        _, lowest = np.unique(nodes[is_farthest], return_index=True)
        first, second = is_farthest[lowest], first
    # If all rows of a node are equal, its seeds are its first two rows.
    is_same = first == second
    return np.where(is_same, starts, first), np.where(is_same, starts + 1, second)


def _joined_costs(boxes: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Return the box of each side with the row, and the sum of its squared ranges.

    The axes of ``boxes`` are side, node and coordinate.
    """
    points = rows.shape[-1] // 2
    joined = np.maximum(boxes, rows)
    ranges = joined[..., :points] + joined[..., points:]
    return joined, np.einsum("sbp,sbp->sb", ranges, ranges)


def _assign_row_by_row(
    row_boxes: Floats,
    starts: Integers,
    sizes: Integers,
    seeds: tuple[Integers, Integers],
    side: Integers,
) -> None:
    """Set the side of each row, one row of each node at a time; change ``side`` in place.

    The nodes come in the order of falling size. So the nodes that still have a row are always the
    first ones.
    """
    boxes = np.stack((row_boxes[seeds[0]], row_boxes[seeds[1]]))
    nodes_at_step = np.searchsorted(-sizes, -np.arange(int(sizes[0])), side="left")
    for step, n_nodes in enumerate(nodes_at_step.tolist()):
        check()
        rows = starts[:n_nodes] + step
        joined, costs = _joined_costs(boxes[:, :n_nodes], row_boxes[rows])
        on_second = costs[1] < costs[0]
        on_second[rows == seeds[0][:n_nodes]] = False
        on_second[rows == seeds[1][:n_nodes]] = True
        side[rows] = on_second
        np.copyto(boxes[0, :n_nodes], joined[0], where=~on_second[:, None])
        np.copyto(boxes[1, :n_nodes], joined[1], where=on_second[:, None])


def _fill_small_sides(
    row_boxes: Floats, starts: Integers, sizes: Integers, smallest: int, side: Integers
) -> None:
    """Move the nearest rows of the other side to sides with fewer than ``smallest`` rows.

    Change ``side`` in place.
    """
    nodes = np.repeat(np.arange(sizes.size), sizes)
    n_second = np.add.reduceat(side, starts)
    small_side = (n_second < sizes - n_second).astype(np.int64)
    missing = smallest - np.minimum(n_second, sizes - n_second)
    rows = np.flatnonzero((missing > 0)[nodes])
    if not rows.size:
        return
    on_small_side = side[rows] == small_side[nodes[rows]]
    too_small, number = np.unique(nodes[rows], return_inverse=True)
    boxes = np.full((too_small.size, row_boxes.shape[1]), -np.inf)
    np.maximum.at(boxes, number[on_small_side], row_boxes[rows[on_small_side]])
    candidates, node = rows[~on_small_side], number[~on_small_side]
    _, costs = _joined_costs(boxes[node][None], row_boxes[candidates][None])
    order = np.lexsort((candidates, costs[0], node))
    counts = np.bincount(node, minlength=too_small.size)
    rank = np.arange(order.size) - np.repeat(np.cumsum(counts) - counts, counts)
    moved = candidates[order[rank < missing[too_small][node[order]]]]
    side[moved] = 1 - side[moved]
