"""Top-down splitting as the paper's source describes it: far seeds, then row after row.

Each row joins the side whose envelope stays smaller, so a row's side depends on those before it.
All nodes of a depth advance together. A side that is too small takes its nearest rows from the
other.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.sax import Floats, Integers

# Some data peel off a few rows a time: past this depth nodes are cut in the middle.
DEEPEST = 64
SEED_ROUNDS = 3


def sequential_split(series: Floats, smallest: int, roots: Integers) -> Integers:
    """Return a group per row; groups of one root hold from `smallest` to twice that less one."""
    labels, count = dense(roots)
    for _ in range(DEEPEST):
        check()
        sizes = np.bincount(labels, minlength=count)
        open_rows = np.flatnonzero(sizes[labels] >= 2 * smallest)
        if not open_rows.size:
            return labels
        nodes, node_count = dense(labels[open_rows])
        order, starts = members(nodes, node_count)
        rows = open_rows[order]
        side = _sides(series[rows], starts, smallest)
        labels[rows] = labels[rows] + count * side
        labels, count = dense(labels)
    return balanced_split(series, smallest, labels)


def _sides(points: Floats, starts: Integers, smallest: int) -> Integers:
    """Return 0 or 1 for every row of every node; both sides hold at least `smallest` rows."""
    sizes = np.diff(np.append(starts, points.shape[0]))
    # One row of lows negated and highs: widening an envelope is one maximum.
    signed = np.hstack((-points, points))
    first, second = _far_seeds(points, starts, sizes)
    side = np.zeros(points.shape[0], dtype=np.int64)
    longest_first = np.argsort(-sizes, kind="stable")
    seeds = first[longest_first], second[longest_first]
    _in_lock_step(signed, starts[longest_first], sizes[longest_first], seeds, side)
    _repair(signed, starts, sizes, smallest, side)
    return side


def _far_seeds(points: Floats, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Walk from each node's first row to the farthest one, three times; ties to the lower row."""
    nodes = np.repeat(np.arange(sizes.size), sizes)
    first = second = starts
    for _ in range(SEED_ROUNDS):
        check()
        distance = np.square(points - points[first[nodes]]).sum(axis=1)
        farthest = np.maximum.reduceat(distance, starts)
        at_most = np.flatnonzero(distance == farthest[nodes])
        _, lowest = np.unique(nodes[at_most], return_index=True)
        first, second = at_most[lowest], first
    same = first == second
    return np.where(same, starts, first), np.where(same, starts + 1, second)


def _joined_costs(boxes: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Return for both envelopes the joined box and its sum of squared ranges."""
    points = rows.shape[-1] // 2
    joined = np.maximum(boxes, rows)
    ranges = joined[..., :points] + joined[..., points:]
    return joined, np.einsum("sbp,sbp->sb", ranges, ranges)


def _in_lock_step(
    signed: Floats,
    starts: Integers,
    sizes: Integers,
    seeds: tuple[Integers, Integers],
    side: Integers,
) -> None:
    """Advance all nodes, the longest first in the list, by one row at a time."""
    boxes = np.stack((signed[seeds[0]], signed[seeds[1]]))
    reach = np.searchsorted(-sizes, -np.arange(int(sizes[0])), side="left")
    for step, active in enumerate(reach.tolist()):
        check()
        rows = starts[:active] + step
        joined, costs = _joined_costs(boxes[:, :active], signed[rows])
        second = costs[1] < costs[0]
        second[rows == seeds[0][:active]] = False
        second[rows == seeds[1][:active]] = True
        side[rows] = second
        np.copyto(boxes[0, :active], joined[0], where=~second[:, None])
        np.copyto(boxes[1, :active], joined[1], where=second[:, None])


def _repair(
    signed: Floats, starts: Integers, sizes: Integers, smallest: int, side: Integers
) -> None:
    """Give sides that are too small the nearest rows of the other side."""
    nodes = np.repeat(np.arange(sizes.size), sizes)
    on_second = np.add.reduceat(side, starts)
    small_side = (on_second < sizes - on_second).astype(np.int64)
    missing = smallest - np.minimum(on_second, sizes - on_second)
    rows = np.flatnonzero((missing > 0)[nodes])
    if not rows.size:
        return
    own = side[rows] == small_side[nodes[rows]]
    needy, numbers = np.unique(nodes[rows], return_inverse=True)
    boxes = np.full((needy.size, signed.shape[1]), -np.inf)
    np.maximum.at(boxes, numbers[own], signed[rows[own]])
    givers = rows[~own]
    _, costs = _joined_costs(boxes[numbers[~own]][None], signed[givers][None])
    order = np.lexsort((givers, costs[0], numbers[~own]))
    counts = np.bincount(numbers[~own], minlength=needy.size)
    place = np.arange(order.size) - np.repeat(np.cumsum(counts) - counts, counts)
    taken = order[place < missing[needy][numbers[~own][order]]]
    moved = givers[taken]
    side[moved] = 1 - side[moved]
