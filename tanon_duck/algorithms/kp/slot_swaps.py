"""Swaps of single rows within blocks of near k-groups, for value and shape together.

A group's spread is the sum of squared distances from its mean. Rows stand in slots, and a slot
belongs to a k-group and a P-subgroup for good, so that swapping the rows of two slots changes no
size. What a swap gains in spread of values over k-groups and of shapes over P-subgroups is known
exactly from the means, for all pairs of a block at once; every block takes its best swap at each
step, and none that does not lower the sum.
"""

import numpy as np

from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.sax import Floats, Integers

GROUPS_IN_BLOCK, ROWS_IN_BLOCK = 4, 64
LARGEST_BLOCK = 160
PAIRS_AT_ONCE = 1 << 17
WORTHWHILE = 1e-6
Singles = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def swap_rows(
    values: Floats, shapes: Floats, subgroup: Integers, k_group: Integers, steps: int, layout: int
) -> tuple[Integers, Integers]:
    """Return the subgroup and the k-group of every row after so many steps of swaps."""
    k_group, count = dense(k_group)
    order, starts = members(k_group, count)
    sizes = np.bincount(k_group, minlength=count)
    centres = np.add.reduceat(values[order], starts, axis=0) / sizes[:, None]
    # Other weights draw the borders between blocks elsewhere.
    weights = 1.0 + 0.5 * np.cos(1.0 + np.arange(values.shape[1]) * (layout + 1.0) + layout)
    groups = max(2, min(GROUPS_IN_BLOCK, ROWS_IN_BLOCK * count // max(1, k_group.size)))
    near = balanced_split(centres * weights, groups, np.zeros(count, dtype=np.int64))
    block = near[k_group]
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
            moved[slots] = _Blocks(values, shapes, rows, subgroup[rows], k_group[rows]).run(steps)
    new_subgroup, new_group = subgroup.copy(), k_group.copy()
    new_subgroup[moved], new_group[moved] = subgroup[order], k_group[order]
    return new_subgroup, new_group


class _Blocks:
    """Blocks of one size side by side: the rows in their slots, and how far they are apart."""

    def __init__(
        self, values: Floats, shapes: Floats, rows: Integers, subgroup: Integers, group: Integers
    ) -> None:
        self.rows, self.found, self.place = rows, rows.copy(), np.arange(rows.shape[0])
        self.together: list[Singles] = []
        self.points: list[Singles] = []
        for points, label in ((values, group), (shapes, subgroup)):
            same = (label[:, :, None] == label[:, None, :]).astype(np.float32)
            # Averaging over the slots of one label is one product with this matrix.
            self.together.append(same / same.sum(axis=2, keepdims=True))
            own = points[rows].astype(np.float32)
            self.points.append(own - own.mean(axis=1, keepdims=True))

    def run(self, steps: int) -> Integers:
        """Let every block take its best swap, step by step; return the row in each slot."""
        for _ in range(steps):
            if not self.place.size:
                break
            self._step()
        self.found[self.place] = self.rows
        return self.found

    def _step(self) -> None:
        blocks = np.arange(self.place.size)
        size = self.rows.shape[1]
        total = np.zeros((*self.rows.shape, size), dtype=np.float32)
        for points, together in zip(self.points, self.together, strict=True):
            total += _gains(points, together)
        best = total.reshape(blocks.size, -1).argmin(axis=1)
        gain = total.reshape(blocks.size, -1)[blocks, best]
        one, other = best // size, best % size
        better = gain < -WORTHWHILE
        at, a, b = blocks[better], one[better], other[better]
        self.rows[at, a], self.rows[at, b] = self.rows[at, b], self.rows[at, a].copy()
        for points in self.points:
            points[at, a], points[at, b] = points[at, b], points[at, a].copy()
        if better.all():
            return
        self.found[self.place[~better]] = self.rows[~better]
        self.rows, self.place = self.rows[better], self.place[better]
        self.points = [each[better] for each in self.points]
        self.together = [each[better] for each in self.together]


def _gains(points: Singles, together: Singles) -> Singles:
    """Return how much the spread grows when the rows of two slots change places.

    With d = b - a, means p and q, sizes n and m: -2 (p - q).d - |d|^2 (1/n + 1/m), 0 within one.
    """
    means = together @ points
    toward: Singles = points @ means.transpose(0, 2, 1)
    own = np.einsum("crr->cr", toward)
    grow: Singles = own[:, :, None] - toward
    grow += grow.transpose(0, 2, 1)
    grow *= 2
    inner = points @ points.transpose(0, 2, 1)
    squares = np.einsum("crr->cr", inner)
    apart = squares[:, :, None] + squares[:, None, :] - 2 * inner
    share = np.einsum("crr->cr", together)
    grow -= apart * (share[:, :, None] + share[:, None, :])
    grow[together > 0] = 0
    return grow
