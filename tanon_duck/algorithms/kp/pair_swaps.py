"""Swaps between near k-groups, of rows and of P-subgroups, for value and pattern loss together.

Rows stand in slots; a slot belongs to a k-group and a P-subgroup for good, so no swap changes a
size. Near k-groups are looked at in pairs, thousands side by side. For every two rows of a pair is
known what their groups' envelopes and their subgroups' mean shapes would be after a swap; each
pair takes its best swap, and none that does not lower the sum of both losses. One percent of the
value loss there was at first weighs as much as one percent of the pattern loss.
"""

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.arrangement import Singles, without_each
from tanon_duck.algorithms.kp.classes import dense, members
from tanon_duck.algorithms.kp.near_pairs import NearPairs
from tanon_duck.algorithms.kp.slots import Slots, slots_of
from tanon_duck.algorithms.sax import Floats, Integers

# A group of more slots has more pairs of rows than are worth weighing.
LARGEST_GROUP = 100
PAIRS_OF_ROWS_AT_ONCE, FEWEST_PAIRS = 1 << 15, 32
# So many rows of other groups each row is compared with in a round, twice at most each time.
ROWS_IN_ROUND, FEWEST_DRAWS, MOST_DRAWS, STEPS = 64, 2, 6, 2
# A table a hundred times smaller has time for ten times the rounds; one that has time for a single
# round is compared less in it, as the later draws win least.
ROWS_OF_ONE_ROUND, MOST_ROUNDS, DRAWS_OF_ONE_ROUND = 3_000_000, 16, 4
SMALLEST_PATTERN_LOSS = 1e-3
WORTHWHILE = 1e-4
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def swap_in_pairs(
    series: Floats, normalized: Floats, subgroup: Integers, k_group: Integers
) -> tuple[Integers, Integers]:
    """Return the subgroup and the k-group of every row after the swaps."""
    slots = slots_of(subgroup, k_group)
    if slots.rows.shape[0] < 2:
        return subgroup, k_group
    rounds = rounds_for(series.shape[0])
    most = MOST_DRAWS if rounds > 1 else DRAWS_OF_ONE_ROUND
    draws = max(FEWEST_DRAWS, min(ROWS_IN_ROUND // slots.rows.shape[1], most))
    points = weighed(series, normalized, subgroup, k_group)
    rows = slots.rows.copy()
    pairs = NearPairs(rows.shape[0])
    for turn in range(rounds):
        pairs.renew(*_places(points, rows), turn)
        for _ in range(draws):
            one, other = pairs.draw()
            if one.size:
                pairs.note(_swap_some(points, Slots(rows, slots.length), one, other))
    new_subgroup, new_group = subgroup.copy(), k_group.copy()
    placed = rows >= 0
    new_subgroup[rows[placed]] = subgroup[slots.rows[placed]]
    new_group[rows[placed]] = k_group[slots.rows[placed]]
    return new_subgroup, new_group


def rounds_for(rows: int) -> int:
    """Return how many times to look for near groups: small tables have time for more."""
    return max(1, min(int(np.sqrt(ROWS_OF_ONE_ROUND / max(rows, 1))), MOST_ROUNDS))


def weighed(
    series: Floats, normalized: Floats, subgroup: Integers, k_group: Integers
) -> tuple[Singles, Singles]:
    """Return values and shapes in units of what they lose in the groups given, per row."""
    order, starts = members(*dense(k_group))
    ordered = series.take(order, axis=0)
    ranges = np.maximum.reduceat(ordered, starts) - np.minimum.reduceat(ordered, starts)
    sizes = np.diff(np.append(starts, order.size))
    value_loss = float(sizes @ np.sqrt(np.square(ranges).sum(axis=1))) / order.size
    shapes = normalized / np.sqrt(max(1, normalized.shape[1] - 1))
    order, starts = members(*dense(subgroup))
    sums = np.add.reduceat(shapes.take(order, axis=0), starts)
    total = np.sqrt(np.square(sums).sum(axis=1)).sum()
    pattern_loss = (float(np.square(shapes).sum()) - float(total)) / order.size
    values = (series - series.mean(axis=0)) / (value_loss or 1.0)
    shapes = shapes / max(pattern_loss, SMALLEST_PATTERN_LOSS)
    return values.astype(np.float32), shapes.astype(np.float32)


def _places(points: tuple[Singles, Singles], rows: Integers) -> tuple[Floats, Floats]:
    """Return each group's mean row and mean square distance from it, for values and shapes alike:
    both in units of how far the means of groups are apart.
    """
    placed = rows >= 0
    sizes = placed.sum(axis=1)
    means, spreads = [], np.zeros(rows.shape[0])
    for each in points:
        own = each.take(rows, axis=0).astype(np.float64)
        own[~placed] = 0.0
        mean = own.sum(axis=1) / sizes[:, None]
        squares = np.einsum("gsp,gsp->g", own, own) / sizes - np.square(mean).sum(axis=1)
        unit = float(np.square(mean - mean.mean(axis=0)).mean()) or 1.0
        means.append(mean / np.sqrt(unit))
        spreads += squares / unit
    return np.hstack(means), spreads


class _Side:
    """One group of each of many pairs: slots x coordinates x pairs, so that steps run over pairs.

    Boxes are lows negated, then highs; a slot without a row has no box, and its shape is zero.
    """

    def __init__(self, points: tuple[Singles, Singles], slots: Slots, group: Integers) -> None:
        values, shapes = points
        self.length = slots.length
        self.group = group
        rows = slots.rows[group].T
        (count, pairs), width = rows.shape, values.shape[1]
        self.box: Singles = np.empty((count, 2 * width, pairs), dtype=np.float32)
        self.box[:, width:] = values.take(rows, axis=0).transpose(0, 2, 1)
        np.negative(self.box[:, width:], out=self.box[:, :width])
        self.shape = np.ascontiguousarray(shapes.take(rows, axis=0).transpose(0, 2, 1))
        missing = rows < 0
        self.whole = not missing.any()
        if not self.whole:
            self.box[np.broadcast_to(missing[:, None], self.box.shape)] = -np.inf
            self.shape[np.broadcast_to(missing[:, None], self.shape.shape)] = 0.0
        self.never = np.where(missing, np.float32(np.inf), np.float32(0.0))
        self.size = (~missing).sum(axis=0).astype(np.float32)

    def keep(self, which: Flags) -> None:
        """Go on with these pairs alone."""
        if not which.all():
            self.group, self.size = self.group[which], self.size[which]
            self.box, self.shape = self.box[:, :, which], self.shape[:, :, which]
            self.never = self.never[:, which]

    def of_subgroups(self, planes: Singles) -> Singles:
        """Split the slots by subgroup."""
        return planes.reshape(-1, self.length, *planes.shape[1:])


def _swap_some(
    points: tuple[Singles, Singles], slots: Slots, one: Integers, other: Integers
) -> Integers:
    """Swap what is worth it in these pairs, in place; return the groups that have changed."""
    changed: list[Integers] = []
    several = slots.rows.shape[1] > slots.length
    step = max(FEWEST_PAIRS, PAIRS_OF_ROWS_AT_ONCE // slots.rows.shape[1] ** 2)
    for first in range(0, one.size, step):
        check()
        chunk = slice(first, first + step)
        a, b = _Side(points, slots, one[chunk]), _Side(points, slots, other[chunk])
        if several:
            for side in (a, b):
                changed += _take_best(slots.rows, side, side, _gains_within(side), 1)[0]
            changed += _take_best(slots.rows, a, b, _gains_of_subgroups(a, b), slots.length)[0]
        for _ in range(STEPS):
            found, took = _take_best(slots.rows, a, b, _gains_of_rows(a, b), 1)
            changed += found
            a.keep(took)
            b.keep(took)
            if not took.any():
                break
    return np.concatenate(changed)


def _take_best(
    rows: Integers, one: _Side, other: _Side, gains: Singles, length: int
) -> tuple[list[Integers], Flags]:
    """Swap the best two stretches of so many slots of each pair; return groups, and which pairs."""
    best_of_first = gains.min(axis=1)
    best = best_of_first.min(axis=0)
    took = best < -WORTHWHILE
    at = np.flatnonzero(took)
    first = (best_of_first[:, at] == best[at]).argmax(axis=0)
    second = gains[first, :, at].argmin(axis=1)
    for place in range(length):
        a, b = first * length + place, second * length + place
        for mine, its in ((one.box, other.box), (one.shape, other.shape)):
            mine[a, :, at], its[b, :, at] = its[b, :, at], mine[a, :, at]
        g, h = one.group[at], other.group[at]
        rows[g, a], rows[h, b] = rows[h, b], rows[g, a]
    return [one.group[at], other.group[at]], took


def _gains_of_rows(one: _Side, other: _Side) -> Singles:
    """Return by how much the losses grow when a row of each group changes places."""
    gains = _widths_after(one, other, one.box, other.box)
    for a, b, swapped in ((one, other, False), (other, one, True)):
        others, before = _without_own(a)
        after = _lengths(others, b.shape)
        after -= before[:, None]
        gains -= after.transpose(1, 0, 2) if swapped else after
    if not (one.whole and other.whole):
        gains += one.never[:, None] + other.never[None]
    return gains


def _gains_of_subgroups(one: _Side, other: _Side) -> Singles:
    """Return by how much the value loss grows when subgroups of one size change places."""
    boxes = [side.of_subgroups(side.box).max(axis=1) for side in (one, other)]
    gains = _widths_after(one, other, *boxes)
    if not (one.whole and other.whole):
        held = [(side.of_subgroups(side.never) == 0).sum(axis=1) for side in (one, other)]
        gains[held[0][:, None] != held[1][None]] = np.inf
    return gains


def _gains_within(side: _Side) -> Singles:
    """Return by how much the pattern loss grows when rows of one group change places."""
    others, before = _without_own(side)
    gains = before[:, None] - _lengths(others, side.shape)
    gains = gains + gains.transpose(1, 0, 2)
    for first in range(0, gains.shape[0], side.length):
        gains[first : first + side.length, first : first + side.length] = 0.0
    if not side.whole:
        gains += side.never[:, None] + side.never[None]
    return gains


def _widths_after(one: _Side, other: _Side, boxes: Singles, other_boxes: Singles) -> Singles:
    """Return the growth of both groups' value loss when a box of each changes places."""
    gains: Singles | None = None
    for side, own, newcomers in ((one, boxes, other_boxes), (other, other_boxes, boxes)):
        without, whole = without_each(own)
        after = _widths(without, newcomers) - _width(whole)
        after *= side.size
        gains = after if gains is None else gains + after.transpose(1, 0, 2)
    assert gains is not None
    return gains


def _widths(boxes: Singles, newcomers: Singles) -> Singles:
    """Return the root of the summed squared ranges of each box with each newcomer."""
    points = boxes.shape[1] // 2
    total = np.zeros((boxes.shape[0], newcomers.shape[0], boxes.shape[2]), dtype=np.float32)
    low, high = np.empty_like(total), np.empty_like(total)
    for point in range(points):
        np.maximum(boxes[:, None, point], newcomers[None, :, point], out=low)
        np.maximum(boxes[:, None, points + point], newcomers[None, :, points + point], out=high)
        low += high
        low *= low
        total += low
    root: Singles = np.sqrt(total, out=total)
    return root


def _width(box: Singles) -> Singles:
    points = box.shape[0] // 2
    width: Singles = np.sqrt(np.square(box[:points] + box[points:]).sum(axis=0))
    return width


def _without_own(side: _Side) -> tuple[Singles, Singles]:
    """Return the sum of the other shapes of each slot's subgroup, and how long it is with it."""
    by_subgroup = side.of_subgroups(side.shape)
    total = by_subgroup.sum(axis=1, keepdims=True)
    before = np.sqrt(np.square(total).sum(axis=2))
    others = (total - by_subgroup).reshape(side.shape.shape)
    return others, np.repeat(before.reshape(-1, before.shape[2]), side.length, axis=0)


def _lengths(others: Singles, newcomers: Singles) -> Singles:
    """Return how long each sum of shapes is with each newcomer: |r + u|."""
    squares = np.square(others).sum(axis=1)[:, None] + np.square(newcomers).sum(axis=1)[None]
    product = np.empty_like(squares)
    squares *= np.float32(0.5)
    for point in range(others.shape[1]):
        np.multiply(others[:, None, point], newcomers[None, :, point], out=product)
        squares += product
    squares *= np.float32(2.0)
    np.maximum(squares, 0.0, out=squares)
    lengths: Singles = np.sqrt(squares, out=squares)
    return lengths
