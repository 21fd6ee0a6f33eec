"""Divides rows into groups of near rows, by halving nodes along their main direction.

A node is a set of rows. It is sorted along its main direction, the first principal component, and
cut near the middle, until nodes are too small to be cut. Each half has a multiple of the smallest
allowed size of rows. So the groups are as small as possible, which matters most for narrow
envelopes. numpy cuts many nodes at once.

``untorn_split`` uses ``Nodes`` and the functions without underscore too.
"""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import (
    KEY_BITS,
    expand_ranges,
    number_labels,
    rows_by_label,
    stable_order,
)
from tanon_duck.algorithms.sax import Floats, Integers

# The main direction is computed from at most this many rows of a node, by this many steps of power
# iteration. More would hardly change the cuts.
SAMPLE = 64
POWER_STEPS = 4
# Positions along the main direction are rounded to a grid. Rows with equal positions keep their
# order, so that rounding errors do not decide it.
GRID_STEPS = 1 << 24
# Nodes with up to this many rows are cut at once. Their points then fit in the processor's cache.
ROWS_AT_ONCE = 1 << 15


@dataclass(frozen=True)
class Nodes:
    """Several nodes: their rows one node after the other, and the points of these rows.

    ``places`` is where each node starts in the final order of all rows, by which groups are
    numbered.
    """

    rows: Integers
    points: Floats
    sizes: Integers
    places: Integers

    @property
    def starts(self) -> Integers:
        """The position in ``rows`` where each node starts."""
        starts: Integers = np.cumsum(self.sizes) - self.sizes
        return starts

    def select(self, which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> "Nodes":
        """Return the marked nodes."""
        if which.all():
            return self
        selected = np.repeat(which, self.sizes)
        rows, points = self.rows[selected], self.points[selected]
        return Nodes(rows, points, self.sizes[which], self.places[which])


def balanced_split(series: Floats, smallest: int, roots: Integers) -> Integers:
    """Return the group of each row, with from ``smallest`` to 2 ``smallest`` - 1 rows.

    Rows of a group have the same root. Groups with neighbouring numbers have near rows.
    """
    labels, count = number_labels(roots)
    if not labels.size:
        return labels
    order, starts = rows_by_label(labels, count)
    nodes = Nodes(order, series.take(order, axis=0), np.bincount(labels), starts)
    open_nodes, finished = [nodes], []
    while open_nodes:
        check()
        nodes = open_nodes.pop()
        is_large = nodes.sizes >= 2 * smallest
        finished.append(nodes.select(~is_large))
        nodes = nodes.select(is_large)
        if nodes.sizes.size:
            open_nodes += divide_if_large(_halve(sort_by_direction(nodes), smallest))
    return group_numbers(finished, labels.size)


def group_numbers(finished: list[Nodes], n_rows: int) -> Integers:
    """Return the group of each row, if each finished node is a group, numbered by place."""
    places = np.concatenate([nodes.places for nodes in finished])
    number = np.empty(places.size, dtype=np.int64)
    number[stable_order(places)] = np.arange(places.size)
    sizes = np.concatenate([nodes.sizes for nodes in finished])
    groups = np.empty(n_rows, dtype=np.int64)
    groups[np.concatenate([nodes.rows for nodes in finished])] = np.repeat(number, sizes)
    return groups


def divide_if_large(nodes: Nodes) -> list[Nodes]:
    """Return the nodes as two lists if they have more than ROWS_AT_ONCE rows together."""
    if nodes.rows.size <= ROWS_AT_ONCE or nodes.sizes.size < 2:
        return [nodes]
    ends = np.cumsum(nodes.sizes)
    first = max(1, int(np.searchsorted(ends, nodes.rows.size // 2)))
    row = int(ends[first - 1])
    return [
        Nodes(nodes.rows[row:], nodes.points[row:], nodes.sizes[first:], nodes.places[first:]),
        Nodes(nodes.rows[:row], nodes.points[:row], nodes.sizes[:first], nodes.places[:first]),
    ]


def _halve(nodes: Nodes, smallest: int) -> Nodes:
    """Cut each node near its middle, after a multiple of ``smallest`` rows."""
    left = smallest * (nodes.sizes // smallest // 2)
    sizes = np.stack((left, nodes.sizes - left), axis=1).ravel()
    places = np.stack((nodes.places, nodes.places + left), axis=1).ravel()
    return Nodes(nodes.rows, nodes.points, sizes, places)


def sort_by_direction(nodes: Nodes) -> Nodes:
    """Return the nodes with the rows of each sorted along its main direction."""
    keys = _positions_along_direction(nodes.points, nodes.starts, nodes.sizes)
    node, within = expand_ranges(nodes.sizes, np.zeros_like(nodes.sizes))
    within_bits, key_bits = int(nodes.sizes.max()).bit_length(), (2 * GRID_STEPS).bit_length()
    if within_bits + key_bits + nodes.sizes.size.bit_length() <= KEY_BITS:
        # Pack node, key and current position into one integer: to sort integers is much faster.
        packed = (((node << key_bits) + keys + GRID_STEPS) << within_bits) + within
        packed.sort()
        order = np.repeat(nodes.starts, nodes.sizes) + (packed & ((1 << within_bits) - 1))
    else:
        order = np.lexsort((keys, node))
    return Nodes(nodes.rows[order], nodes.points.take(order, axis=0), nodes.sizes, nodes.places)


def _positions_along_direction(points: Floats, starts: Integers, sizes: Integers) -> Integers:
    """Return the position of each row along the main direction of its node, as a grid step.

    The row that is farthest from the node's first row is GRID_STEPS away from it.
    """
    directions = _main_directions(points, starts, sizes)
    origin = points[starts]
    positions = np.zeros(points.shape[0])
    for column in range(points.shape[1]):
        check()
        offset = points[:, column] - np.repeat(origin[:, column], sizes)
        positions += offset * np.repeat(directions[:, column], sizes)
    farthest = np.maximum.reduceat(np.abs(positions), starts)
    farthest[farthest == 0.0] = 1.0
    positions /= np.repeat(farthest, sizes)
    grid_steps: Integers = np.rint(positions * GRID_STEPS).astype(np.int64)
    return grid_steps


def _main_directions(points: Floats, starts: Integers, sizes: Integers) -> Floats:
    """Return the first principal component of each node, by power iteration on a sample."""
    sample_sizes = np.minimum(sizes, SAMPLE)
    nodes, number = expand_ranges(sample_sizes, np.zeros_like(sample_sizes))
    first = np.cumsum(sample_sizes) - sample_sizes
    sample = points[starts[nodes] + number * sizes[nodes] // sample_sizes[nodes]]
    means = np.add.reduceat(sample, first, axis=0) / sample_sizes[:, None]
    sample -= np.repeat(means, sample_sizes, axis=0)
    directions = _widest_coordinates(sample, first)
    for _ in range(POWER_STEPS):
        check()
        products = np.einsum("rc,rc->r", sample, np.repeat(directions, sample_sizes, axis=0))
        directions = np.add.reduceat(sample * products[:, None], first, axis=0)
        largest = np.abs(directions).max(axis=1, keepdims=True)
        largest[largest == 0.0] = 1.0
        directions /= largest
    return directions


def _widest_coordinates(sample: Floats, first: Integers) -> Floats:
    """Return for each node the unit vector of the coordinate in which its rows differ most.

    ``first`` is where the rows of each node start in ``sample``.
    """
    highest = np.maximum.reduceat(sample, first, axis=0)
    spread = highest - np.minimum.reduceat(sample, first, axis=0)
    directions: Floats = np.zeros_like(spread)
    directions[np.arange(spread.shape[0]), spread.argmax(axis=1)] = 1.0
    return directions
