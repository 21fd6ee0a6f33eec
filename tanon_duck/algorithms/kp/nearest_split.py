"""Micro-aggregation: small groups of near rows, taken from the outside of small neighbourhoods in.

Neighbourhoods come from halving; within each, the row farthest from the middle takes its nearest
neighbours until too few are left for another group. All neighbourhoods advance together.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.sax import Floats, Integers

NEIGHBOURHOOD = 128
LARGEST_GROUP = 48
DISTANCES_AT_ONCE = 1 << 21
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def nearest_split(
    points: Floats, smallest: int, roots: Integers, neighbourhood: int = NEIGHBOURHOOD
) -> Integers:
    """Return a group per row; groups of one root hold from `smallest` to twice that less one."""
    if smallest > LARGEST_GROUP:
        return balanced_split(points, smallest, roots)
    reach = smallest * -(-neighbourhood // smallest)
    cells = balanced_split(points, reach, roots)
    cell_count = int(cells.max(initial=-1)) + 1
    order, starts = members(cells, cell_count)
    sizes = np.bincount(cells, minlength=cell_count)
    groups = np.zeros(cells.size, dtype=np.int64)
    step = max(1, DISTANCES_AT_ONCE // int(sizes.max(initial=1)) ** 2)
    for first in range(0, cell_count, step):
        check()
        chunk = slice(first, first + step)
        place = np.arange(int(sizes[chunk].max()))
        exists = place < sizes[chunk, None]
        rows = order[np.where(exists, starts[chunk, None] + place, starts[chunk, None])]
        found = _outside_in(points[rows], exists, smallest)
        groups[rows[exists]] = found[exists] + (first + np.arange(exists.shape[0]))[:, None].repeat(
            place.size, axis=1
        )[exists] * int(2 * reach)
    return dense(groups)[0]


def _outside_in(points: Floats, exists: Flags, smallest: int) -> Integers:
    """Return the number of the group of each row of each neighbourhood."""
    distance = _distances(points)
    weight = exists / exists.sum(axis=1, keepdims=True)
    middle = np.einsum("crp,cr->cp", points, weight)
    outside = np.square(points - middle[:, None, :]).sum(axis=2)
    outside[~exists] = -np.inf
    alive = exists.copy()
    left = exists.sum(axis=1)
    groups = np.zeros(exists.shape, dtype=np.int64)
    number = 0
    while True:
        check()
        cells = np.flatnonzero(left >= 2 * smallest)
        if not cells.size:
            return groups
        number += 1
        seeds = outside[cells].argmax(axis=1)
        away = np.where(alive[cells], distance[cells, seeds], np.inf)
        away[np.arange(cells.size), seeds] = -1.0
        taken = np.argsort(away, axis=1, kind="stable")[:, :smallest]
        groups[cells[:, None], taken] = number
        alive[cells[:, None], taken] = False
        outside[cells[:, None], taken] = -np.inf
        left[cells] -= smallest


def _distances(points: Floats) -> Floats:
    """Return the squared distances of all pairs within each neighbourhood."""
    cells, rows, attributes = points.shape
    total = np.zeros((cells, rows, rows))
    for attribute in range(attributes):
        column = points[:, :, attribute]
        total += np.square(column[:, :, None] - column[:, None, :])
    return total
