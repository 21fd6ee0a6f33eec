"""Join P-subgroups into k-groups: always the one that leaves the narrowest envelope.

A group starts from the narrowest subgroup left and adds the cheapest until it holds k. The
published method looks at all subgroups. Within neighbourhoods that advance together a step costs
next to nothing. What their borders lose, and more, the exchange wins back: it takes no step that
does not lower the total value loss.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import best_of, expand, members
from tanon_duck.algorithms.kp.exchange import Effort, exchange
from tanon_duck.algorithms.sax import Floats, Integers

NEIGHBOURHOOD = 256
UNITS_AT_ONCE = 1 << 14
EFFORT = Effort(rounds=3, partners=1)


def form_groups(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Return a k-group per P-subgroup as published; all -1 if no group of k series can be formed.

    The time grows with the square of the number of subgroups.
    """
    return _in_neighbourhoods(np.hstack((-low, high)), sizes, k, sizes.size)


def near_groups(low: Floats, high: Floats, sizes: Integers, k: int) -> Integers:
    """Return a k-group per P-subgroup; all -1 if no group of k series can be formed."""
    group = _in_neighbourhoods(np.hstack((-low, high)), sizes, k, max(NEIGHBOURHOOD, k))
    return exchange(low, high, sizes, group, k, EFFORT) if (group >= 0).any() else group


def _in_neighbourhoods(box: Floats, sizes: Integers, k: int, reach: int) -> Integers:
    """Group units within neighbourhoods of so many; a unit of k rows is a group by itself."""
    group = np.full(sizes.size, -1, dtype=np.int64)
    large, loose = np.flatnonzero(sizes >= k), np.flatnonzero(sizes < k)
    group[large] = np.arange(large.size)
    points = box.shape[1] // 2
    one_cell = np.zeros(loose.size, dtype=np.int64)
    if is_whole := loose.size < 2 * reach:
        cells = one_cell
    else:
        centres = (box[loose, points:] - box[loose, :points]) / 2
        cells = balanced_split(centres, reach, one_cell)
    count = int(cells.max(initial=0)) + 1
    order, starts = members(cells, count)
    units = np.bincount(cells, minlength=count)
    used = np.zeros(count, dtype=np.int64)
    step = max(1, UNITS_AT_ONCE // max(1, int(units.max())))
    formed = np.full(loose.size, -1, dtype=np.int64)
    for first in range(0, count if loose.size else 0, step):
        chunk = slice(first, first + step)
        place = np.arange(int(units[chunk].max()))
        exists = place < units[chunk, None]
        rows = order[np.where(exists, starts[chunk, None] + place, starts[chunk, None])]
        found = _Growing(box[loose[rows]], np.where(exists, sizes[loose[rows]], 0), k).run()
        formed[rows[exists]] = found[exists]
        used[chunk] = found.max(axis=1) + 1
    offset = large.size + np.cumsum(used) - used
    group[loose] = np.where(formed >= 0, formed + offset[cells], -1)
    if is_whole:
        # The only neighbourhood holds the large units, too.
        used, offset = used + large.size, offset - large.size
    if (group >= 0).any():
        cell_of = np.zeros(sizes.size, dtype=np.int64)
        cell_of[loose] = cells
        _join_own(box, sizes, group, cell_of, (used, offset))
    return group


class _Growing:
    """Groups that grow in many neighbourhoods at once, by one unit each at every step.

    Sides of boxes lie as planes of neighbourhoods x places, so that a step runs over long rows.
    """

    def __init__(self, boxes: Floats, sizes: Integers, k: int) -> None:
        self.side = np.ascontiguousarray(boxes.transpose(2, 0, 1))
        self.size, self.k = sizes, k
        self.found = np.full(sizes.shape, -1, dtype=np.int64)
        self.cell = np.arange(sizes.shape[0])
        self.place = np.broadcast_to(np.arange(sizes.shape[1]), sizes.shape)
        self.gone = np.where(sizes > 0, 0.0, np.inf)
        self.left = sizes.sum(axis=1)
        # A group without a unit is narrower than any: joining costs what the unit itself does.
        self.group = np.full((boxes.shape[2], sizes.shape[0]), -np.inf)
        self.held = np.zeros(sizes.shape[0], dtype=np.int64)
        self.number = np.zeros(sizes.shape[0], dtype=np.int64)

    def run(self) -> Integers:
        """Return the group of every unit, -1 for those that no group of k can be made of."""
        self._forget()
        while self.cell.size:
            check()
            self._step()
            self._forget()
        return self.found

    def _costs(self) -> Floats:
        points = self.side.shape[0] // 2
        cost = self.gone.copy()
        low, high = np.empty_like(cost), np.empty_like(cost)
        for point in range(points):
            np.maximum(self.side[point], self.group[point][:, None], out=low)
            np.maximum(self.side[points + point], self.group[points + point][:, None], out=high)
            low += high
            low *= low
            cost += low
        return cost

    def _step(self) -> None:
        cells = np.arange(self.cell.size)
        best = self._costs().argmin(axis=1)
        self.found[self.cell, self.place[cells, best]] = self.number
        self.gone[cells, best] = np.inf
        np.maximum(self.group, self.side[:, cells, best], out=self.group)
        self.held += self.size[cells, best]
        self.left -= self.size[cells, best]
        full = self.held >= self.k
        self.number += full
        self.held[full] = 0
        self.group[:, full] = -np.inf

    def _forget(self) -> None:
        """Drop neighbourhoods that are done, and places once most of them are empty."""
        done = (self.held == 0) & (self.left < self.k)
        if done.any():
            kept = ~done
            self.side, self.group = self.side[:, kept], self.group[:, kept]
            self.size, self.place, self.gone = (
                each[kept] for each in (self.size, self.place, self.gone)
            )
            self.cell, self.left, self.held, self.number = (
                each[kept] for each in (self.cell, self.left, self.held, self.number)
            )
        present = self.gone == 0
        most = int(present.sum(axis=1).max(initial=0))
        if 3 * most < 2 * present.shape[1]:
            kept_places = np.argsort(~present, axis=1, kind="stable")[:, :most]
            self.size, self.place, self.gone = (
                np.take_along_axis(each, kept_places, axis=1)
                for each in (self.size, self.place, self.gone)
            )
            self.side = np.take_along_axis(self.side, kept_places[None], axis=2)


def _join_own(
    box: Floats,
    sizes: Integers,
    group: Integers,
    cells: Integers,
    groups_of: tuple[Integers, Integers],
) -> None:
    """Let units left join, in turn, the group of their neighbourhood whose loss rises least."""
    used, offset = groups_of
    rest = np.flatnonzero(group < 0)
    rest = rest[np.argsort(cells[rest], kind="stable")]
    placed = np.flatnonzero(group >= 0)
    order, starts = members(group[placed], int(group.max()) + 1)
    held = np.bincount(group[placed], weights=sizes[placed])
    joint = np.maximum.reduceat(box[placed[order]], starts, axis=0)
    first = np.searchsorted(cells[rest], cells[rest])
    turn = np.arange(rest.size) - first
    for each in range(int(turn.max(initial=-1)) + 1):
        units = rest[turn == each]
        owner, target = expand(used[cells[units]], offset[cells[units]])
        joined = np.maximum(joint[target], box[units[owner]])
        rise = (held[target] + sizes[units[owner]]) * _widths(joined)
        rise -= held[target] * _widths(joint[target])
        best = best_of(owner, rise)
        group[units] = target[best]
        joint[target[best]] = joined[best]
        held[target[best]] += sizes[units]


def _widths(box: Floats) -> Floats:
    """Return the root of the summed squared ranges of each box."""
    points = box.shape[1] // 2
    ranges = box[:, :points] + box[:, points:]
    widths: Floats = np.sqrt(np.einsum("bp,bp->b", ranges, ranges))
    return widths
