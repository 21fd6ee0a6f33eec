"""Swaps single rows between groups, to make groups more alike in value and shape.

A slot is a place in one k-group and one of its P-subgroups. A swap exchanges the rows in two
slots, so no group changes its size. The spread of a group is the sum of squared distances of its
rows from their mean. Swaps lower the sum of two spreads: of values in k-groups, and of shapes in
P-subgroups.

A block is all slots of some near k-groups. One matrix has the change of the spread for every pair
of slots of a block. In each step every block does its best swap. Each layout has other blocks.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import number_labels, rows_by_label
from tanon_duck.algorithms.sax import Floats, Integers

# More layouts or steps hardly lower the losses.
LAYOUTS, STEPS = 8, 4
# A block has up to 4 k-groups and about 64 rows. Blocks of more than 160 rows are skipped.
GROUPS_IN_BLOCK, ROWS_IN_BLOCK, LARGEST_BLOCK = 4, 64, 160
PAIRS_AT_ONCE = 1 << 17
# A smaller gain may be a rounding error of 32-bit floats.
SMALLEST_GAIN = 1e-6
Float32s = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def swap_rows(
    values: Floats, shapes: Floats, subgroup: Integers, k_group: Integers
) -> tuple[Integers, Integers]:
    """Return the P-subgroup and the k-group of each row after the swaps."""
    for layout in range(LAYOUTS):
        subgroup, k_group = _swap_in_layout(values, shapes, subgroup, k_group, layout)
    return subgroup, k_group


def _swap_in_layout(
    values: Floats, shapes: Floats, subgroup: Integers, k_group: Integers, layout: int
) -> tuple[Integers, Integers]:
    """Return the P-subgroup and the k-group of each row after swaps in the blocks of a layout."""
    k_group, count = number_labels(k_group)
    order, starts = rows_by_label(k_group, count)
    sizes = np.bincount(k_group, minlength=count)
    centres = np.add.reduceat(values[order], starts, axis=0) / sizes[:, None]
    # Each layout weighs positions differently, so that blocks have other borders.
    weights = 1.0 + 0.5 * np.cos(1.0 + np.arange(values.shape[1]) * (layout + 1.0) + layout)
    groups = max(2, min(GROUPS_IN_BLOCK, ROWS_IN_BLOCK * count // max(1, k_group.size)))
    block = balanced_split(centres * weights, groups, np.zeros(count, dtype=np.int64))[k_group]
    block_sizes = np.bincount(block)
    row_in_slot = np.lexsort((subgroup, k_group, block))
    first_slot = np.cumsum(block_sizes) - block_sizes
    new_row_in_slot = row_in_slot.copy()
    for size in np.unique(block_sizes[block_sizes <= LARGEST_BLOCK]).tolist():
        blocks = np.flatnonzero(block_sizes == size)
        step = max(1, PAIRS_AT_ONCE // size**2)
        for begin in range(0, blocks.size, step):
            slots = first_slot[blocks[begin : begin + step], None] + np.arange(size)
            rows = row_in_slot[slots]
            labels = k_group[rows], subgroup[rows]
            new_row_in_slot[slots] = _swap_in_blocks(rows, (values[rows], shapes[rows]), labels)
    new_subgroup, new_group = subgroup.copy(), k_group.copy()
    new_subgroup[new_row_in_slot] = subgroup[row_in_slot]
    new_group[new_row_in_slot] = k_group[row_in_slot]
    return new_subgroup, new_group


def _swap_in_blocks(
    rows: Integers, features: tuple[Floats, Floats], labels: tuple[Integers, Integers]
) -> Integers:
    """Return the row in each slot after the best swaps in each block.

    ``rows`` has a line for each block and a column for each slot. ``features`` are the values and
    shapes of these rows, ``labels`` the k-groups and P-subgroups of the slots.
    """
    averaging, points = [], []
    for feature, label in zip(features, labels, strict=True):
        is_same = (label[:, :, None] == label[:, None, :]).astype(np.float32)
        # The product with this matrix is the mean over the slots of the same group.
        averaging.append(is_same / is_same.sum(axis=2, keepdims=True))
        points.append((feature - feature.mean(axis=1, keepdims=True)).astype(np.float32))
    rows, size = rows.copy(), rows.shape[1]
    for _ in range(STEPS):
        check()
        change = _spread_changes(points[0], averaging[0])
        change = change + _spread_changes(points[1], averaging[1])
        change = change.reshape(rows.shape[0], -1)
        best = change.argmin(axis=1)
        blocks = np.flatnonzero(change[np.arange(rows.shape[0]), best] < -SMALLEST_GAIN)
        one, other = best[blocks] // size, best[blocks] % size
        for each in (rows, *points):
            each[blocks, one], each[blocks, other] = each[blocks, other], each[blocks, one].copy()
    return rows


def _spread_changes(points: Float32s, averaging: Float32s) -> Float32s:
    """Return for each block the change of the spread if the rows of two slots are swapped.

    Let a and b be the points of the slots, p and q the means of their groups, n and m the sizes of
    their groups, and d = b - a. The change is -2 (p - q) . d - |d|^2 (1/n + 1/m). It is 0 if the
    groups are the same.
    """
    means = averaging @ points
    products_with_means: Float32s = points @ means.transpose(0, 2, 1)
    change: Float32s = np.einsum("crr->cr", products_with_means)[:, :, None] - products_with_means
    change += change.transpose(0, 2, 1).copy()
    change *= 2
    inner = points @ points.transpose(0, 2, 1)
    squares = np.einsum("crr->cr", inner)
    distances = squares[:, :, None] + squares[:, None, :] - 2 * inner
    inverse_sizes = np.einsum("crr->cr", averaging)
    change -= distances * (inverse_sizes[:, :, None] + inverse_sizes[:, None, :])
    change[averaging > 0] = 0
    return change
