"""An index over envelopes that answers: which of those left costs least when joined to a group.

For a cell of boxes with highest low L and lowest high H, joining any of them to a group costs at
least sum (max(group high, H) - min(group low, L))^2. Cells are grouped into blocks with the same
bound, so that most boxes are never looked at, and those that could win are compared exactly.
"""

import numpy as np

from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.sax import Floats, Integers

CELL = 8
BLOCK = 16
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
    """

    def __init__(self, low: Floats, high: Floats) -> None:
        order = spatial_order(low, high)
        # Bounds are kept in single precision: rounded outwards, and shortened by what sums may err.
        self.slack = np.float32(1 - 1.2e-7 * (low.shape[1] + 16))
        self.place = np.empty(order.size, dtype=np.int64)
        self._build(np.hstack((-low, high))[order], order)

    def _build(self, box: Floats, number: Integers) -> None:
        """Lay out boxes and the bounds of their cells and blocks."""
        self.box, self.number = box, number
        self.place[number] = np.arange(number.size)
        self.alive = np.ones(number.size, dtype=bool)
        self.gone = 0
        # The least each side of a box reaches in every box of the cell.
        least = np.minimum.reduceat(box, np.arange(0, number.size, CELL), axis=0)
        self.cell = -_rounded_up(-least)
        starts = np.arange(0, self.cell.shape[0], BLOCK)
        self.block = np.ascontiguousarray(np.minimum.reduceat(self.cell, starts, axis=0).T)

    def remove(self, boxes: Integers) -> None:
        """Take boxes (by their place) out; rebuild once enough are gone. Places change then."""
        self.alive[boxes] = False
        self.gone += boxes.size
        if self.gone * REBUILD_SHARE > self.number.size and self.gone < self.number.size:
            left = np.flatnonzero(self.alive)
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
        points = group.size // 2
        joined = np.maximum(self.block, group[:, None])
        ranges = joined[:points]
        ranges += joined[points:]
        np.maximum(ranges, 0, out=ranges)
        np.square(ranges, out=ranges)
        bound: Bounds = np.add.reduce(ranges, axis=0)
        bound *= self.slack
        return bound

    def cell_bounds(self, group: Bounds, cells: Integers) -> Bounds:
        """Return for each of these cells a cost that no box in it can undercut."""
        points = group.size // 2
        joined = self.cell.take(cells, axis=0)
        np.maximum(joined, group, out=joined)
        ranges = joined[:, :points] + joined[:, points:]
        np.maximum(ranges, 0, out=ranges)
        bound: Bounds = np.einsum("cp,cp->c", ranges, ranges)
        bound *= self.slack
        return bound


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
        self.opened = np.zeros(index.cell.shape[0], dtype=bool)
        self.boxes = np.zeros(0, dtype=np.int64)
        self.cost = np.zeros(0)

    def take(self, group: Floats) -> int:
        """Return the place of the cheapest box for the group as it is now, and forget that box."""
        best = self._refresh_pool(group)
        # Rounding the group inwards keeps the bounds below the truth.
        inner = -_rounded_up(-group)
        blocks = self.index.block_bounds(inner)
        if not np.isfinite(best):
            best = self._open(self._cells_of(blocks.argsort()[:2]), group)
        cells = self._cells_of(np.flatnonzero(blocks <= best))
        bounds = self.index.cell_bounds(inner, cells)
        near = bounds <= best
        cells, bounds = cells[near], bounds[near]
        if cells.size > 2 * FIRST_LOOK:
            nearest = np.argpartition(bounds, FIRST_LOOK)[:FIRST_LOOK]
            best = min(best, self._open(cells[nearest], group))
            cells = cells[(bounds <= best) & ~self.opened[cells]]
        if cells.size:
            best = min(best, self._open(cells, group))
        ties = np.flatnonzero(self.cost == best)
        chosen = ties[self.index.number[self.boxes[ties]].argmin()]
        self.cost[chosen] = np.inf
        return int(self.boxes[chosen])

    def _cells_of(self, blocks: Integers) -> Integers:
        """Return the cells of blocks that have not been opened."""
        cells = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        cells = cells[cells < self.opened.size]
        unopened: Integers = cells[~self.opened[cells]]
        return unopened

    def _refresh_pool(self, group: Floats) -> float:
        """Bring the boxes that could still win up to date; return the lowest cost among them."""
        if not self.boxes.size:
            return np.inf
        likely = int(self.cost.argmin())
        if not np.isfinite(self.cost[likely]):
            return np.inf
        limit = self.index.costs(self.boxes[likely : likely + 1], group)[0]
        stale = np.flatnonzero(self.cost <= limit)
        fresh = self.index.costs(self.boxes[stale], group)
        self.cost[stale] = fresh
        return float(fresh.min())

    def _open(self, cells: Integers, group: Floats) -> float:
        """Put the boxes of cells into the pool; return the lowest cost among them."""
        boxes = (cells[:, None] * CELL + np.arange(CELL)).ravel()
        boxes = boxes[boxes < self.index.number.size]
        boxes = boxes[self.index.alive[boxes]]
        self.opened[cells] = True
        cost = self.index.costs(boxes, group)
        self.boxes = np.concatenate((self.boxes, boxes))
        self.cost = np.concatenate((self.cost, cost))
        return float(cost.min(initial=np.inf))
