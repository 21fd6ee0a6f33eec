"""Joins P-subgroups into k-groups with narrow envelopes.

A unit is a P-subgroup, a box the envelope of a unit or group. A k-group starts with the unit with
the narrowest box. Then the unit joins that leaves the box of the group narrowest, until the group
has at least k series. Units that are left over at the end join the group whose loss they increase
least.

- ``form_groups`` is the method of the paper: each step considers all units.
- ``near_groups`` divides the units into neighbourhoods, and each step considers one neighbourhood.
  All neighbourhoods advance together in one numpy operation, which is much faster. A following
  ``exchange`` more than makes up for the loss at the borders.

A box is a row of the lows with their signs changed, then the highs: (-low, high). So the box of
two boxes together is their maximum.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import expand_ranges, rows_by_label, smallest_of_each
from tanon_duck.algorithms.kp.exchange import Effort, exchange
from tanon_duck.algorithms.sax import Floats, Integers

UNITS_IN_NEIGHBOURHOOD = 256
# Units of the neighbourhoods that advance together. It limits the memory.
UNITS_AT_ONCE = 1 << 14
EFFORT = Effort(rounds=3, partners=1)


def form_groups(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Return the k-group of each P-subgroup by the method of the paper.

    All are -1 if the P-subgroups have fewer than k series together. The time grows with the
    square of their number.
    """
    return _group_in_neighbourhoods(np.hstack((-low, high)), sizes, k, sizes.size)


def near_groups(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Return the k-group of each P-subgroup, found within neighbourhoods and then improved.

    All are -1 if the P-subgroups have fewer than k series together.
    """
    boxes = np.hstack((-low, high))
    group = _group_in_neighbourhoods(boxes, sizes, k, max(UNITS_IN_NEIGHBOURHOOD, k))
    return exchange(low, high, sizes, group, k, EFFORT) if (group >= 0).any() else group


def _group_in_neighbourhoods(
    box: Floats, sizes: Integers, k: int, units_in_neighbourhood: int
) -> Integers:
    """Return the group of each unit, made within neighbourhoods of about this many units.

    A unit of at least k series is a group by itself. If fewer than two neighbourhoods would be
    full, all units are one neighbourhood.
    """
    group = np.full(sizes.size, -1, dtype=np.int64)
    large, small = np.flatnonzero(sizes >= k), np.flatnonzero(sizes < k)
    group[large] = np.arange(large.size)
    points = box.shape[1] // 2
    one_cell = np.zeros(small.size, dtype=np.int64)
    if is_one_cell := small.size < 2 * units_in_neighbourhood:
        cells = one_cell
    else:
        centres = (box[small, points:] - box[small, :points]) / 2
        cells = balanced_split(centres, units_in_neighbourhood, one_cell)
    new_group, n_groups = _grow_in_cells(box[small], sizes[small], cells, k)
    first_group = large.size + np.cumsum(n_groups) - n_groups
    group[small] = np.where(new_group >= 0, new_group + first_group[cells], -1)
    if is_one_cell:
        # Units that are left over may join the groups of large units too.
        n_groups, first_group = n_groups + large.size, first_group - large.size
    if (group >= 0).any():
        cell_of_unit = np.zeros(sizes.size, dtype=np.int64)
        cell_of_unit[small] = cells
        _join_left_over(box, sizes, group, cell_of_unit, n_groups, first_group)
    return group


def _grow_in_cells(
    box: Floats, sizes: Integers, cells: Integers, k: int
) -> tuple[Integers, Integers]:
    """Return the group of each unit within its neighbourhood, and each one's number of groups.

    ``cells`` is the neighbourhood of each unit. A unit that is left over has the group -1.
    """
    count = int(cells.max(initial=0)) + 1
    order, starts = rows_by_label(cells, count)
    units_in_cell = np.bincount(cells, minlength=count)
    n_groups = np.zeros(count, dtype=np.int64)
    group = np.full(sizes.size, -1, dtype=np.int64)
    step = max(1, UNITS_AT_ONCE // max(1, int(units_in_cell.max())))
    for first in range(0, count if sizes.size else 0, step):
        chunk = slice(first, first + step)
        slot = np.arange(int(units_in_cell[chunk].max()))
        exists = slot < units_in_cell[chunk, None]
        units = order[np.where(exists, starts[chunk, None] + slot, starts[chunk, None])]
        grown = _GrowingGroups(box[units], np.where(exists, sizes[units], 0), k).grow()
        group[units[exists]] = grown[exists]
        n_groups[chunk] = grown.max(axis=1) + 1
    return group, n_groups


class _GrowingGroups:
    """Groups of many neighbourhoods; each step adds one unit to the open group of each.

    Arrays have the axes neighbourhood and slot; a slot holds a unit or is empty. The sides of
    boxes are the first axis of ``side``, so that numpy runs over long rows.
    """

    def __init__(self, boxes: Floats, sizes: Integers, k: int) -> None:
        """Begin without groups; ``sizes`` has the series of each unit, 0 for an empty slot."""
        self.side = np.ascontiguousarray(boxes.transpose(2, 0, 1))
        self.size, self.k = sizes, k
        self.result = np.full(sizes.shape, -1, dtype=np.int64)
        self.cell = np.arange(sizes.shape[0])
        self.slot = np.broadcast_to(np.arange(sizes.shape[1]), sizes.shape)
        # 0 for a unit that is in no group yet, infinity for a grouped unit or an empty slot.
        self.penalty = np.where(sizes > 0, 0.0, np.inf)
        self.series_left = sizes.sum(axis=1)
        # The box of the open group of each neighbourhood. The box of a group without units is
        # -infinity, so that the box with a unit is the box of the unit.
        self.open_box = np.full((boxes.shape[2], sizes.shape[0]), -np.inf)
        self.open_size = np.zeros(sizes.shape[0], dtype=np.int64)
        self.open_number = np.zeros(sizes.shape[0], dtype=np.int64)

    def grow(self) -> Integers:
        """Return the group of each unit within its neighbourhood, -1 if it is left over."""
        self._remove_finished()
        while self.cell.size:
            check()
            self._add_units()
            self._remove_finished()
        return self.result

    def _costs(self) -> Floats:
        """Return the sum of squared ranges of the open group's box with each unit."""
        points = self.side.shape[0] // 2
        cost = self.penalty.copy()
        low, high = np.empty_like(cost), np.empty_like(cost)
        for point in range(points):
            np.maximum(self.side[point], self.open_box[point][:, None], out=low)
            np.maximum(self.side[points + point], self.open_box[points + point][:, None], out=high)
            low += high
            low *= low
            cost += low
        return cost

    def _add_units(self) -> None:
        """Add the cheapest unit to the open group of each neighbourhood; close full groups."""
        cells = np.arange(self.cell.size)
        best = self._costs().argmin(axis=1)
        self.result[self.cell, self.slot[cells, best]] = self.open_number
        self.penalty[cells, best] = np.inf
        np.maximum(self.open_box, self.side[:, cells, best], out=self.open_box)
        self.open_size += self.size[cells, best]
        self.series_left -= self.size[cells, best]
        is_full = self.open_size >= self.k
        self.open_number += is_full
        self.open_size[is_full] = 0
        self.open_box[:, is_full] = -np.inf

    def _remove_finished(self) -> None:
        """Remove neighbourhoods without a further group, and slots once a third is unused."""
        is_finished = (self.open_size == 0) & (self.series_left < self.k)
        if is_finished.any():
            going_on = ~is_finished
            self.side, self.open_box = self.side[:, going_on], self.open_box[:, going_on]
            self.size, self.slot, self.penalty = (
                each[going_on] for each in (self.size, self.slot, self.penalty)
            )
            self.cell, self.series_left, self.open_size, self.open_number = (
                each[going_on]
                for each in (self.cell, self.series_left, self.open_size, self.open_number)
            )
        is_ungrouped = self.penalty == 0
        most = int(is_ungrouped.sum(axis=1).max(initial=0))
        if 3 * most < 2 * is_ungrouped.shape[1]:
            slots = np.argsort(~is_ungrouped, axis=1, kind="stable")[:, :most]
            self.size, self.slot, self.penalty = (
                np.take_along_axis(each, slots, axis=1)
                for each in (self.size, self.slot, self.penalty)
            )
            self.side = np.take_along_axis(self.side, slots[None], axis=2)


def _join_left_over(
    box: Floats,
    sizes: Integers,
    group: Integers,
    cells: Integers,
    n_groups: Integers,
    first_group: Integers,
) -> None:
    """Let each unit without a group join the group whose loss increases least.

    ``cells`` is the neighbourhood of each unit. The groups of neighbourhood c are the
    ``n_groups[c]`` groups from ``first_group[c]`` on. One unit of each neighbourhood joins at a
    time. Change ``group`` in place.
    """
    left_over = np.flatnonzero(group < 0)
    left_over = left_over[np.argsort(cells[left_over], kind="stable")]
    grouped = np.flatnonzero(group >= 0)
    order, starts = rows_by_label(group[grouped], int(group.max()) + 1)
    group_size = np.bincount(group[grouped], weights=sizes[grouped])
    group_box = np.maximum.reduceat(box[grouped[order]], starts, axis=0)
    first = np.searchsorted(cells[left_over], cells[left_over])
    turn_of_unit = np.arange(left_over.size) - first
    for turn in range(int(turn_of_unit.max(initial=-1)) + 1):
        units = left_over[turn_of_unit == turn]
        index, target = expand_ranges(n_groups[cells[units]], first_group[cells[units]])
        joined_box = np.maximum(group_box[target], box[units[index]])
        increase = (group_size[target] + sizes[units[index]]) * _widths(joined_box)
        increase -= group_size[target] * _widths(group_box[target])
        best = smallest_of_each(index, increase)
        group[units] = target[best]
        group_box[target[best]] = joined_box[best]
        group_size[target[best]] += sizes[units]


def _widths(box: Floats) -> Floats:
    """Return the root of the sum of squared ranges of each box (-low, high)."""
    points = box.shape[1] // 2
    ranges = box[:, :points] + box[:, points:]
    widths: Floats = np.sqrt(np.einsum("bp,bp->b", ranges, ranges))
    return widths
