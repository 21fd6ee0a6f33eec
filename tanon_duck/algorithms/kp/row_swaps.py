"""Swap single rows within blocks of near k-groups, for values and shapes together.

The spread of a group is the sum of squared distances from its mean. A slot belongs to one k-group
and one P-subgroup, so a swap of the rows of two slots changes no size. The means tell exactly how
a swap changes the spread of values over k-groups and of shapes over P-subgroups, for all pairs of
a block at once. In each step a block takes its best swap if that swap lowers the sum.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.sax import Floats, Integers

LAYOUTS, STEPS = 8, 4
GROUPS_IN_BLOCK, ROWS_IN_BLOCK, LARGEST_BLOCK = 4, 64, 160
PAIRS_AT_ONCE = 1 << 17
WORTHWHILE = 1e-6
Singles = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def swap_rows(
    values: Floats, shapes: Floats, subgroup: Integers, k_group: Integers
) -> tuple[Integers, Integers]:
    """Return the subgroup and the k-group of every row after the swaps; no size changes."""
    for layout in range(LAYOUTS):
        subgroup, k_group = _swap_in_layout(values, shapes, subgroup, k_group, layout)
    return subgroup, k_group


def _swap_in_layout(
    values: Floats, shapes: Floats, subgroup: Integers, k_group: Integers, layout: int
) -> tuple[Integers, Integers]:
    """Let rows change places within the blocks of one layout."""
    k_group, count = dense(k_group)
    order, starts = members(k_group, count)
    sizes = np.bincount(k_group, minlength=count)
    centres = np.add.reduceat(values[order], starts, axis=0) / sizes[:, None]
    # Other weights draw the borders between blocks elsewhere.
    weights = 1.0 + 0.5 * np.cos(1.0 + np.arange(values.shape[1]) * (layout + 1.0) + layout)
    groups = max(2, min(GROUPS_IN_BLOCK, ROWS_IN_BLOCK * count // max(1, k_group.size)))
    block = balanced_split(centres * weights, groups, np.zeros(count, dtype=np.int64))[k_group]
    rows_in = np.bincount(block)
    order = np.lexsort((subgroup, k_group, block))
    first = np.cumsum(rows_in) - rows_in
    moved = order.copy()
    for size in np.unique(rows_in[rows_in <= LARGEST_BLOCK]).tolist():
        chosen = np.flatnonzero(rows_in == size)
        step = max(1, PAIRS_AT_ONCE // size**2)
        for begin in range(0, chosen.size, step):
            slots = first[chosen[begin : begin + step], None] + np.arange(size)
            rows = order[slots]
            labels = k_group[rows], subgroup[rows]
            moved[slots] = _after_steps(rows, (values[rows], shapes[rows]), labels)
    new_subgroup, new_group = subgroup.copy(), k_group.copy()
    new_subgroup[moved], new_group[moved] = subgroup[order], k_group[order]
    return new_subgroup, new_group


def _after_steps(
    rows: Integers, features: tuple[Floats, Floats], labels: tuple[Integers, Integers]
) -> Integers:
    """Return the row in each slot after every block, side by side, took its best swaps."""
    together, points = [], []
    for own, label in zip(features, labels, strict=True):
        same = (label[:, :, None] == label[:, None, :]).astype(np.float32)
        # Averaging over the slots of one label is one product with this matrix.
        together.append(same / same.sum(axis=2, keepdims=True))
        points.append((own - own.mean(axis=1, keepdims=True)).astype(np.float32))
    rows, size = rows.copy(), rows.shape[1]
    for _ in range(STEPS):
        check()
        total = _growth(points[0], together[0]) + _growth(points[1], together[1])
        total = total.reshape(rows.shape[0], -1)
        best = total.argmin(axis=1)
        at = np.flatnonzero(total[np.arange(rows.shape[0]), best] < -WORTHWHILE)
        one, other = best[at] // size, best[at] % size
        for each in (rows, *points):
            each[at, one], each[at, other] = each[at, other], each[at, one].copy()
    return rows


def _growth(points: Singles, together: Singles) -> Singles:
    """Return how much the spread grows when the rows of two slots change places.

    With d = b - a, means p and q, sizes n and m: -2 (p - q).d - |d|^2 (1/n + 1/m), 0 within one.
    """
    means = together @ points
    toward: Singles = points @ means.transpose(0, 2, 1)
    grow: Singles = np.einsum("crr->cr", toward)[:, :, None] - toward
    grow += grow.transpose(0, 2, 1).copy()
    grow *= 2
    inner = points @ points.transpose(0, 2, 1)
    squares = np.einsum("crr->cr", inner)
    apart = squares[:, :, None] + squares[:, None, :] - 2 * inner
    share = np.einsum("crr->cr", together)
    grow -= apart * (share[:, :, None] + share[:, None, :])
    grow[together > 0] = 0
    return grow
