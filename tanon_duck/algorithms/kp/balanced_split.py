"""Top-down halving along the main direction of each node, all nodes of a depth in one step.

Each half gets a whole multiple of the smallest allowed size, so that the groups at the bottom are
as small as they may be: that, not the choice of seeds, is what keeps envelopes narrow.
"""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import KEY_BITS, dense, expand, members, stable_order
from tanon_duck.algorithms.sax import Floats, Integers

SAMPLE = 64
POWER_STEPS = 4
# Projections closer than this share of the widest one are ties, decided by the order so far.
TIE_GRID = 1 << 24
# Nodes advance side by side as long as all of their points stay in the processor's cache.
ROWS_AT_ONCE = 1 << 15


@dataclass(frozen=True)
class Nodes:
    """Nodes side by side: rows with their points, the size of each node, and where it begins in
    the list of all rows, which is where its groups will stand.
    """

    rows: Integers
    points: Floats
    sizes: Integers
    places: Integers

    @property
    def starts(self) -> Integers:
        starts: Integers = np.cumsum(self.sizes) - self.sizes
        return starts

    def chosen(self, which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> "Nodes":
        """Return these nodes alone."""
        if which.all():
            return self
        kept = np.repeat(which, self.sizes)
        return Nodes(self.rows[kept], self.points[kept], self.sizes[which], self.places[which])


def balanced_split(series: Floats, smallest: int, roots: Integers) -> Integers:
    """Return a group per row; groups of one root hold from `smallest` to twice that less one.

    Groups are numbered along the cuts: neighbouring numbers are neighbours in space.
    """
    labels, count = dense(roots)
    if not labels.size:
        return labels
    order, starts = members(labels, count)
    nodes = Nodes(order, series.take(order, axis=0), np.bincount(labels), starts)
    waiting, done = [nodes], []
    while waiting:
        check()
        nodes = waiting.pop()
        large = nodes.sizes >= 2 * smallest
        done.append(nodes.chosen(~large))
        nodes = nodes.chosen(large)
        if nodes.sizes.size:
            waiting += in_cache(_halved(ordered(nodes), smallest))
    return numbered(done, labels.size)


def numbered(done: list[Nodes], rows: int) -> Integers:
    """Return the group of every row; groups are numbered in the order of their places."""
    places = np.concatenate([closed.places for closed in done])
    number = np.empty(places.size, dtype=np.int64)
    number[stable_order(places)] = np.arange(places.size)
    sizes = np.concatenate([closed.sizes for closed in done])
    groups = np.empty(rows, dtype=np.int64)
    groups[np.concatenate([closed.rows for closed in done])] = np.repeat(number, sizes)
    return groups


def in_cache(nodes: Nodes) -> list[Nodes]:
    """Divide a list of nodes in two once it is too long; no node depends on another."""
    if nodes.rows.size <= ROWS_AT_ONCE or nodes.sizes.size < 2:
        return [nodes]
    ends = np.cumsum(nodes.sizes)
    first = max(1, int(np.searchsorted(ends, nodes.rows.size // 2)))
    row = int(ends[first - 1])
    return [
        Nodes(nodes.rows[row:], nodes.points[row:], nodes.sizes[first:], nodes.places[first:]),
        Nodes(nodes.rows[:row], nodes.points[:row], nodes.sizes[:first], nodes.places[:first]),
    ]


def _halved(nodes: Nodes, smallest: int) -> Nodes:
    """Cut each node after half of its multiples of the smallest size."""
    left = smallest * (nodes.sizes // smallest // 2)
    sizes = np.stack((left, nodes.sizes - left), axis=1).ravel()
    places = np.stack((nodes.places, nodes.places + left), axis=1).ravel()
    return Nodes(nodes.rows, nodes.points, sizes, places)


def ordered(nodes: Nodes) -> Nodes:
    """Order the rows of each node along its main direction."""
    keys = _order_keys(nodes.points, nodes.starts, nodes.sizes)
    owner, within = expand(nodes.sizes, np.zeros_like(nodes.sizes))
    within_bits, key_bits = int(nodes.sizes.max()).bit_length(), (2 * TIE_GRID).bit_length()
    if within_bits + key_bits + nodes.sizes.size.bit_length() <= KEY_BITS:
        # One number holds node, key and place: sorting numbers is far quicker than ordering keys.
        packed = (((owner << key_bits) + keys + TIE_GRID) << within_bits) + within
        packed.sort()
        moved = np.repeat(nodes.starts, nodes.sizes) + (packed & ((1 << within_bits) - 1))
    else:
        moved = np.lexsort((keys, owner))
    return Nodes(nodes.rows[moved], nodes.points.take(moved, axis=0), nodes.sizes, nodes.places)


def _order_keys(points: Floats, starts: Integers, sizes: Integers) -> Integers:
    """Return for each row its place along the main direction of its node, on the grid of ties."""
    directions = _directions(points, starts, sizes)
    middle = points[starts]
    keys = np.zeros(points.shape[0])
    for column in range(points.shape[1]):
        check()
        offset = points[:, column] - np.repeat(middle[:, column], sizes)
        keys += offset * np.repeat(directions[:, column], sizes)
    widest = np.maximum.reduceat(np.abs(keys), starts)
    widest[widest == 0.0] = 1.0
    keys /= np.repeat(widest, sizes)
    placed: Integers = np.rint(keys * TIE_GRID).astype(np.int64)
    return placed


def _directions(points: Floats, starts: Integers, sizes: Integers) -> Floats:
    """Return the principal direction of each node by power iteration over a sample of its rows."""
    taken = np.minimum(sizes, SAMPLE)
    nodes, place = expand(taken, np.zeros_like(taken))
    first = np.cumsum(taken) - taken
    sample = points[starts[nodes] + place * sizes[nodes] // taken[nodes]]
    sample -= np.repeat(np.add.reduceat(sample, first, axis=0) / taken[:, None], taken, axis=0)
    directions = _widest_attributes(sample, first)
    for _ in range(POWER_STEPS):
        check()
        shares = np.einsum("rc,rc->r", sample, np.repeat(directions, taken, axis=0))
        directions = np.add.reduceat(sample * shares[:, None], first, axis=0)
        longest = np.abs(directions).max(axis=1, keepdims=True)
        longest[longest == 0.0] = 1.0
        directions /= longest
    return directions


def _widest_attributes(sample: Floats, first: Integers) -> Floats:
    """Start each node's iteration from the attribute in which its rows differ most."""
    spread = np.maximum.reduceat(sample, first, axis=0) - np.minimum.reduceat(sample, first, axis=0)
    directions: Floats = np.zeros_like(spread)
    directions[np.arange(spread.shape[0]), spread.argmax(axis=1)] = 1.0
    return directions
