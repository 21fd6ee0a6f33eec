"""An index over envelopes that answers: which of those left costs least when joined to a group.

For a cell of boxes with highest low L and lowest high H, joining any of them to a group costs at
least sum (max(group high, H) - min(group low, L))^2. Cells are grouped into blocks with the same
bound, so that most boxes are never looked at, and those that could win are compared exactly.
"""

import numpy as np

from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.sax import Floats, Integers

CELL = 8
BLOCK = 8
FIRST_LOOK = 8
REBUILD_SHARE = 6
Bounds = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def spatial_order(low: Floats, high: Floats) -> Integers:
    """Order boxes so that neighbours in the list are neighbours in space."""
    cells = balanced_split((low + high) / 2, CELL, np.zeros(low.shape[0], dtype=np.int64))
    return np.argsort(cells, kind="stable")


class BoxIndex:
    """The boxes still to be had, in cells of neighbours.

    A box is one row of 2m numbers, its lows negated and then its highs: joining is one maximum.
    Bounds are laid out side by side of the boxes, so that each step runs over many boxes at once,
    and in single precision: rounded outwards, and shortened by what sums may err.
    """

    def __init__(self, low: Floats, high: Floats) -> None:
        order = spatial_order(low, high)
        self.slack = np.float32(1 - 1.2e-7 * (low.shape[1] + 16))
        self.place = np.empty(order.size, dtype=np.int64)
        self._build(np.hstack((-low, high))[order], order)

    def _build(self, box: Floats, number: Integers) -> None:
        """Lay out boxes and the bounds of boxes, cells and blocks: sides x groups x members."""
        self.box, self.number = box, number
        self.place[number] = np.arange(number.size)
        self.gone = 0
        self.in_cell = _in_groups(-_rounded_up(-box.T), CELL)
        # The least each side of a box reaches in every box of the cell.
        self.in_block = _in_groups(self.in_cell.min(axis=2), BLOCK)
        self.block = self.in_block.min(axis=2)

    def remove(self, place: int) -> None:
        """Take out the box at this place."""
        self.in_cell[:, place // CELL, place % CELL] = np.inf
        self.gone += 1

    def tidy(self) -> None:
        """Lay out the boxes left anew once enough are gone. Places change then."""
        if self.gone * REBUILD_SHARE > self.number.size and self.gone < self.number.size:
            left = np.flatnonzero(np.isfinite(self.in_cell[0].ravel()[: self.number.size]))
            self._build(self.box[left], self.number[left])

    def costs(self, boxes: Integers, group: Floats) -> Floats:
        """Return the sum of squared ranges of the group joined with each box."""
        points = group.size // 2
        joined = self.box.take(boxes, axis=0)
        np.maximum(joined, group, out=joined)
        ranges = joined[:, :points] + joined[:, points:]
        total: Floats = np.einsum("bp,bp->b", ranges, ranges)
        return total

    def block_bounds(self, group: Bounds) -> Bounds:
        """Return for each block a cost that no box in it can undercut."""
        return self._bounds(np.maximum(self.block, group[:, None]))

    def cell_bounds(self, blocks: Integers, group: Bounds) -> Bounds:
        """Return for each cell of these blocks a cost that no box in it can undercut."""
        reached = self.in_block.take(blocks, axis=1).reshape(group.size, -1)
        return self._bounds(np.maximum(reached, group[:, None], out=reached))

    def box_bounds(self, cells: Integers, group: Bounds) -> Bounds:
        """Return for each box of these cells a cost it cannot undercut, infinite once it is out."""
        reached = self.in_cell.take(cells, axis=1).reshape(group.size, -1)
        return self._bounds(np.maximum(reached, group[:, None], out=reached))

    def _bounds(self, joined: Bounds) -> Bounds:
        """Return the sum of squared ranges of each column, no more than it truly is."""
        points = joined.shape[0] // 2
        ranges = joined[:points]
        ranges += joined[points:]
        np.maximum(ranges, 0, out=ranges)
        np.square(ranges, out=ranges)
        bound: Bounds = np.add.reduce(ranges, axis=0)
        bound *= self.slack
        return bound


def _in_groups(sides: Bounds, size: int) -> Bounds:
    """Lay columns out as groups of so many; the last is filled up with what nobody can join."""
    lacking = -sides.shape[1] % size
    filled = np.pad(sides, ((0, 0), (0, lacking)), constant_values=np.inf)
    grouped: Bounds = np.ascontiguousarray(filled).reshape(sides.shape[0], -1, size)
    return grouped


def _rounded_up(values: Floats) -> Bounds:
    """Convert to single precision without ever becoming smaller."""
    single = values.astype(np.float32)
    low = single < values
    single[low] = np.nextafter(single[low], np.float32(np.inf))
    return single


class Nearest:
    """Finds, for one growing group, the box that costs least; ties go to the lowest number.

    Boxes once looked at stay in a pool: their old costs are lower bounds while the group grows.
    """

    def __init__(self, index: BoxIndex) -> None:
        self.index = index
        self.opened = np.zeros(index.block.shape[1] * BLOCK, dtype=bool)
        # Cells that only fill up the last block hold nothing.
        self.opened[index.in_cell.shape[1] :] = True
        self.boxes = np.zeros(0, dtype=np.int64)
        self.cost = np.zeros(0)

    def take(self, group: Floats) -> int:
        """Return the place of the cheapest box for the group as it is now, and forget that box."""
        best = self._refresh_pool(group)
        # Rounding the group inwards keeps the bounds below the truth.
        inner = -_rounded_up(-group)
        blocks = self.index.block_bounds(inner)
        if best == np.inf:
            cells, bounds = self._cells_of(_least(blocks), inner, best)
            best = self._open(cells[_least(bounds)], group, inner, best)
        cells, bounds = self._cells_of((blocks <= best).nonzero()[0], inner, best)
        if cells.size > 2 * FIRST_LOOK:
            best = self._open(cells[_least(bounds)], group, inner, best)
            cells = cells[(bounds <= best) & ~self.opened[cells]]
        if cells.size:
            best = self._open(cells, group, inner, best)
        ties = (self.cost == best).nonzero()[0]
        chosen = ties[self.index.number[self.boxes[ties]].argmin()]
        self.cost[chosen] = np.inf
        return int(self.boxes[chosen])

    def _cells_of(self, blocks: Integers, group: Bounds, best: float) -> tuple[Integers, Bounds]:
        """Return the cells of blocks, not yet opened, that could hold the best box, with bounds."""
        bounds = self.index.cell_bounds(blocks, group)
        cells = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        near = ((bounds <= best) & ~self.opened[cells]).nonzero()[0]
        return cells[near], bounds[near]

    def _refresh_pool(self, group: Floats) -> float:
        """Bring the boxes that could still win up to date; return the lowest cost among them."""
        if not self.boxes.size:
            return np.inf
        likely = int(self.cost.argmin())
        if self.cost[likely] == np.inf:
            return np.inf
        limit = self.index.costs(self.boxes[likely : likely + 1], group)[0]
        stale = (self.cost <= limit).nonzero()[0]
        fresh = self.index.costs(self.boxes[stale], group)
        self.cost[stale] = fresh
        return float(fresh.min())

    def _open(self, cells: Integers, group: Floats, inner: Bounds, best: float) -> float:
        """Put the boxes of cells into the pool; return the lowest cost now known."""
        self.opened[cells] = True
        cost = self.index.box_bounds(cells, inner).astype(np.float64)
        boxes = (cells[:, None] * CELL + np.arange(CELL)).ravel()
        near = ((cost <= best) & (cost < np.inf)).nonzero()[0]
        exact = self.index.costs(boxes[near], group)
        cost[near] = exact
        self.boxes = np.concatenate((self.boxes, boxes))
        self.cost = np.concatenate((self.cost, cost))
        return min(best, float(exact.min(initial=np.inf)))


def _least(bounds: Bounds) -> Integers:
    """Return the places of the few lowest bounds, where a first look is worth most."""
    if bounds.size <= FIRST_LOOK:
        return np.arange(bounds.size)
    return bounds.argpartition(FIRST_LOOK)[:FIRST_LOOK]
