"""Top-down halving along the main direction of each node, all nodes of a depth in one step.

Each half gets a whole multiple of the smallest allowed size, so that the groups at the bottom are
as small as they may be: that, not the choice of seeds, is what keeps envelopes narrow.
"""

import numpy as np

from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.sax import Floats, Integers

SAMPLE = 256
POWER_STEPS = 4
# Projections closer than this share of the widest one are ties, decided by row order.
TIE_GRID = float(2**26)


def balanced_split(series: Floats, smallest: int, roots: Integers) -> Integers:
    """Return a group per row; groups of one root hold from `smallest` to twice that less one."""
    labels, count = dense(roots)
    if not labels.size:
        return labels
    order, starts = members(labels, count)
    points = series[order]
    sizes = np.diff(np.append(starts, order.size))
    while (sizes >= 2 * smallest).any():
        keys = _order_keys(points, starts, sizes, 2 * smallest)
        nodes = np.repeat(np.arange(sizes.size), sizes)
        moved = np.lexsort((order, keys, nodes))
        order, points = order[moved], points[moved]
        starts, sizes = _halve(starts, sizes, smallest)
    groups = np.empty(order.size, dtype=np.int64)
    groups[order] = np.repeat(np.arange(sizes.size), sizes)
    return groups


def _halve(starts: Integers, sizes: Integers, smallest: int) -> tuple[Integers, Integers]:
    """Cut each node that is large enough after half of its multiples of the smallest size."""
    parts = sizes // smallest
    left = np.where(parts >= 2, smallest * (parts // 2), sizes)
    cut = starts + left
    edges = np.union1d(starts, cut)
    edges = edges[edges < starts[-1] + sizes[-1]]
    return edges, np.diff(np.append(edges, starts[-1] + sizes[-1]))


def _order_keys(points: Floats, starts: Integers, sizes: Integers, splits_from: int) -> Floats:
    """Return for each row its place along the main direction of its node (0 where it is closed)."""
    directions = _directions(points, starts, sizes)
    directions[sizes < splits_from] = 0.0
    nodes = np.repeat(np.arange(sizes.size), sizes)
    middle = points[starts]
    keys = np.zeros(points.shape[0])
    for column in range(points.shape[1]):
        keys += (points[:, column] - middle[nodes, column]) * directions[nodes, column]
    widest = np.maximum.reduceat(np.abs(keys), starts)
    widest[widest == 0.0] = 1.0
    placed: Floats = np.rint(keys / widest[nodes] * TIE_GRID)
    return placed


def _directions(points: Floats, starts: Integers, sizes: Integers) -> Floats:
    """Return the principal direction of each node by power iteration over a sample of its rows."""
    taken = np.minimum(sizes, SAMPLE)
    first = np.concatenate(([0], np.cumsum(taken)[:-1])).astype(np.int64)
    nodes = np.repeat(np.arange(sizes.size), taken)
    place = np.arange(nodes.size) - first[nodes]
    sample = points[starts[nodes] + place * sizes[nodes] // taken[nodes]]
    sample = sample - (np.add.reduceat(sample, first, axis=0) / taken[:, None])[nodes]
    directions = _widest_attributes(sample, first)
    for _ in range(POWER_STEPS):
        shares = np.einsum("rc,rc->r", sample, directions[nodes])
        directions = np.add.reduceat(sample * shares[:, None], first, axis=0)
        longest = np.abs(directions).max(axis=1, keepdims=True)
        longest[longest == 0.0] = 1.0
        directions /= longest
    return directions


def _widest_attributes(sample: Floats, first: Integers) -> Floats:
    """Start each node's iteration from the attribute in which its rows differ most."""
    spread = np.maximum.reduceat(sample, first, axis=0) - np.minimum.reduceat(sample, first, axis=0)
    directions = np.zeros_like(spread)
    directions[np.arange(spread.shape[0]), spread.argmax(axis=1)] = 1.0
    return directions
