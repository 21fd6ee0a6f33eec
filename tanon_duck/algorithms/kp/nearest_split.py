"""Makes small groups of near rows, from the outside of a neighbourhood to its inside.

This is micro-aggregation. Repeated halving divides the rows into neighbourhoods. In each of them,
the row that is farthest from the mean forms a group with its nearest rows. Then the farthest of
the remaining rows does the same, until they are too few for two groups. All neighbourhoods advance
together in one numpy operation.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import number_labels, rows_by_label
from tanon_duck.algorithms.sax import Floats, Integers

NEIGHBOURHOOD = 128
LARGEST_GROUP = 48
DISTANCES_AT_ONCE = 1 << 21
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def nearest_split(
    points: Floats, smallest: int, roots: Integers, neighbourhood: int = NEIGHBOURHOOD
) -> Integers:
    """Return the group of each row, with from ``smallest`` to 2 ``smallest`` - 1 rows.

    Rows of a group have the same root. ``neighbourhood`` is the number of rows among which the
    nearest are searched.
    """
    if smallest > LARGEST_GROUP:
        return balanced_split(points, smallest, roots)
    cell_size = smallest * -(-neighbourhood // smallest)
    cells = balanced_split(points, cell_size, roots)
    cell_count = int(cells.max(initial=-1)) + 1
    order, starts = rows_by_label(cells, cell_count)
    sizes = np.bincount(cells, minlength=cell_count)
    groups = np.zeros(cells.size, dtype=np.int64)
    step = max(1, DISTANCES_AT_ONCE // int(sizes.max(initial=1)) ** 2)
    for first in range(0, cell_count, step):
        check()
        chunk = slice(first, first + step)
        slot = np.arange(int(sizes[chunk].max()))
        exists = slot < sizes[chunk, None]
        rows = order[np.where(exists, starts[chunk, None] + slot, starts[chunk, None])]
        number_in_cell = _group_outside_in(points[rows], exists, smallest)
        cell_of_slot = (first + np.arange(exists.shape[0]))[:, None].repeat(slot.size, axis=1)
        # A cell has fewer than 2 * cell_size groups, so that the sums are different.
        label = number_in_cell + cell_of_slot * int(2 * cell_size)
        groups[rows[exists]] = label[exists]
    return number_labels(groups)[0]


def _group_outside_in(points: Floats, exists: Flags, smallest: int) -> Integers:
    """Return the group of each row within its neighbourhood.

    ``points`` has the axes neighbourhood, slot and coordinate. ``exists`` marks the slots that
    hold a row. The last rows of a neighbourhood, too few for two groups, are group 0.
    """
    distance = _distances(points)
    weight = exists / exists.sum(axis=1, keepdims=True)
    mean = np.einsum("crp,cr->cp", points, weight)
    # The distance from the mean; -infinity for rows with a group.
    from_mean = np.square(points - mean[:, None, :]).sum(axis=2)
    from_mean[~exists] = -np.inf
    is_ungrouped = exists.copy()
    n_ungrouped = exists.sum(axis=1)
    groups = np.zeros(exists.shape, dtype=np.int64)
    number = 0
    while True:
        check()
        cells = np.flatnonzero(n_ungrouped >= 2 * smallest)
        if not cells.size:
            return groups
        number += 1
        farthest = from_mean[cells].argmax(axis=1)
        from_farthest = np.where(is_ungrouped[cells], distance[cells, farthest], np.inf)
        from_farthest[np.arange(cells.size), farthest] = -1.0
        nearest = np.argsort(from_farthest, axis=1, kind="stable")[:, :smallest]
        groups[cells[:, None], nearest] = number
        is_ungrouped[cells[:, None], nearest] = False
        from_mean[cells[:, None], nearest] = -np.inf
        n_ungrouped[cells] -= smallest


def _distances(points: Floats) -> Floats:
    """Return the squared distances of all pairs of rows in each neighbourhood."""
    cells, rows, attributes = points.shape
    total = np.zeros((cells, rows, rows))
    for attribute in range(attributes):
        column = points[:, :, attribute]
        total += np.square(column[:, :, None] - column[:, None, :])
    return total
