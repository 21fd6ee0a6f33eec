"""Rows in slots, and what each k-group and P-subgroup would be without each row and each subgroup.

A slot belongs to a k-group and a P-subgroup for good, so no swap changes a size. What a swap does
to both losses then follows from two things alone: what is left when one leaves, and what comes.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.slots import Slots
from tanon_duck.algorithms.sax import Integers

Singles = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
HALF = np.float32(0.5)
GROUPS_AT_ONCE = 1 << 12


@dataclass(frozen=True)
class Planes:
    """Rows or subgroups side by side, a plane for each number that a swap needs of them.

    `box` is lows negated, then highs; `rest_box` that of the others of the k-group, whose loss and
    size follow. Of rows: the shape with half its square, and the sum of the other shapes of the
    subgroup with half its square and how long it is with the row's own.
    """

    box: Singles
    rest_box: Singles
    loss: Singles
    size: Singles
    group: Integers
    shape: Singles | None = None
    rest_shape: Singles | None = None
    subgroup: Integers | None = None

    def windows(self, length: int) -> "Planes":
        """Look at so many neighbours at a time, from the first place, the second and so on."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        several = {name: x for name, x in parts.items() if x is not None}
        return Planes(**{name: sliding_window_view(x, length, -1) for name, x in several.items()})


class Arrangement:
    """Which row stands in which slot; kept up to date for all groups that a swap touches."""

    def __init__(self, values: Singles, shapes: Singles, slots: Slots) -> None:
        rows, self.points = values.shape
        self.length = slots.length
        placed = slots.rows >= 0
        # An empty slot holds a row that has no box and no shape.
        self.rows = np.where(placed, slots.rows, rows)
        self.slot = np.full(rows + 1, -1, dtype=np.int64)
        self.slot[self.rows.ravel()] = np.arange(self.rows.size)
        self.held = placed.reshape(-1, slots.length).sum(axis=1)
        self.size = placed.sum(axis=1).astype(np.float32)
        self.loss = np.zeros_like(self.size)
        self.box = np.full((rows + 1, 2 * self.points), -np.inf, dtype=np.float32)
        self.box[:rows] = np.hstack((-values, values))
        self.shape = np.zeros((rows + 1, shapes.shape[1] + 1), dtype=np.float32)
        self.shape[:rows] = np.hstack((shapes, np.square(shapes).sum(axis=1)[:, None] * HALF))
        self.rest_box = np.zeros_like(self.box)
        self.rest_shape = np.zeros((rows + 1, shapes.shape[1] + 2), dtype=np.float32)
        self.joint_box = np.zeros((self.held.size, 2 * self.points), dtype=np.float32)
        self.rest_of_joint = np.zeros_like(self.joint_box)
        groups, subgroups = np.arange(self.size.size), np.arange(self.held.size)
        for first in range(0, subgroups.size, GROUPS_AT_ONCE):
            check()
            self.renew(groups[first : first + GROUPS_AT_ONCE])
            self.renew_shapes(subgroups[first : first + GROUPS_AT_ONCE])

    def total_loss(self) -> float:
        """Return both losses of all groups, up to what no swap changes."""
        lengths = self.rest_shape[self.rows[:, :: self.length].ravel(), -1]
        return float(self.loss.sum(dtype=np.float64) - lengths.sum(dtype=np.float64))

    def planes(self, rows: Integers) -> Planes:
        """Return what swaps of these rows need."""
        slot = self.slot[rows]
        group = slot // self.rows.shape[1]
        box, rest_box = _planes(self.box, rows), _planes(self.rest_box, rows)
        shapes = _planes(self.shape, rows), _planes(self.rest_shape, rows)
        loss, size = self.loss[group], self.size[group]
        return Planes(box, rest_box, loss, size, group, *shapes, slot // self.length)

    def planes_of_subgroups(self, subgroups: Integers) -> Planes:
        """Return what swaps of whole subgroups need."""
        group = subgroups * self.length // self.rows.shape[1]
        box, rest_box = _planes(self.joint_box, subgroups), _planes(self.rest_of_joint, subgroups)
        return Planes(box, rest_box, self.loss[group], self.size[group], group)

    def swap(self, one: Integers, other: Integers) -> None:
        """Let rows of different k-groups or subgroups change places, each row at most once."""
        here, there = self.slot[one], self.slot[other]
        flat = self.rows.reshape(-1)
        flat[here], flat[there] = other, one
        self.slot[one], self.slot[other] = there, here
        both = np.concatenate((here, there))
        self.renew(both // self.rows.shape[1])
        self.renew_shapes(both // self.length)

    def swap_subgroups(self, one: Integers, other: Integers) -> None:
        """Let whole subgroups of one size and different k-groups change places."""
        stretches = self.rows.reshape(-1, self.length)
        stretches[one], stretches[other] = stretches[other], stretches[one]
        both = np.concatenate((one, other))
        self.slot[stretches[both]] = both[:, None] * self.length + np.arange(self.length)
        self.renew(both * self.length // self.rows.shape[1])

    def renew(self, groups: Integers) -> None:
        """Work out anew the boxes of these k-groups without each row and each subgroup."""
        rows = np.ascontiguousarray(self.rows[groups].T)
        box = self.box.take(rows, axis=0)
        self.rest_box[rows], whole = without_each(box)
        ranges = whole[:, : self.points] + whole[:, self.points :]
        self.loss[groups] = self.size[groups] * np.sqrt(np.einsum("gp,gp->g", ranges, ranges))
        several = rows.shape[0] // self.length
        joint = box.reshape(several, self.length, *box.shape[1:]).max(axis=1)
        subgroups = groups * several + np.arange(several)[:, None]
        self.joint_box[subgroups] = joint
        self.rest_of_joint[subgroups], _ = without_each(joint)

    def renew_shapes(self, subgroups: Integers) -> None:
        """Work out anew the sums of shapes of these subgroups without each row."""
        rows = np.ascontiguousarray(self.rows.reshape(-1, self.length)[subgroups].T)
        shape = self.shape.take(rows, axis=0)[..., :-1]
        total = shape.sum(axis=0)
        rest = np.empty((*rows.shape, shape.shape[2] + 2), dtype=np.float32)
        np.subtract(total, shape, out=rest[..., :-2])
        rest[..., -2] = np.einsum("lsp,lsp->ls", rest[..., :-2], rest[..., :-2]) * HALF
        rest[..., -1] = np.sqrt(np.einsum("sp,sp->s", total, total))
        self.rest_shape[rows] = rest


def _planes(table: Singles, rows: Integers) -> Singles:
    """Return the columns of these rows, one after the other."""
    return np.ascontiguousarray(table.take(rows, axis=0).T)


def without_each(boxes: Singles) -> tuple[Singles, Singles]:
    """Return the box around all others for each, side by side, and the one around all."""
    widest = boxes[0].copy()
    runner_up = np.full_like(widest, -np.inf)
    for box in boxes[1:]:
        np.maximum(runner_up, np.minimum(widest, box), out=runner_up)
        np.maximum(widest, box, out=widest)
    return np.where(boxes == widest, runner_up, widest), widest


def value_gains(one: Planes, other: Planes) -> Singles:
    """Return by how much the value loss grows when each of one and of the other change places."""
    shape = np.broadcast_shapes(one.group.shape, other.group.shape)
    gains, low, high, total = (np.zeros(shape, dtype=np.float32) for _ in range(4))
    points = one.box.shape[0] // 2
    for left, comes in ((one, other), (other, one)):
        total[...] = 0.0
        for point in range(points):
            np.maximum(left.rest_box[point], comes.box[point], out=low)
            np.maximum(left.rest_box[points + point], comes.box[points + point], out=high)
            low += high
            low *= low
            total += low
        np.sqrt(total, out=total)
        total *= left.size
        gains += total
        gains -= left.loss
    return gains


def pattern_gains(one: Planes, other: Planes) -> Singles:
    """Return by how much the pattern loss grows when each of one and of the other change places.

    The loss of a subgroup is its rows less how long the sum of their shapes is: |r + u|.
    """
    shape = np.broadcast_shapes(one.group.shape, other.group.shape)
    gains, product, length = (np.zeros(shape, dtype=np.float32) for _ in range(3))
    for left, comes in ((one.rest_shape, other.shape), (other.rest_shape, one.shape)):
        assert left is not None and comes is not None
        gains += left[-1]
        np.add(left[-2], comes[-1], out=length)
        for point in range(comes.shape[0] - 1):
            np.multiply(left[point], comes[point], out=product)
            length += product
        length *= np.float32(2.0)
        np.maximum(length, 0.0, out=length)
        gains -= np.sqrt(length, out=length)
    return gains


def gains_of_rows(one: Planes, other: Planes) -> Singles:
    """Return by how much both losses grow; within one k-group only the patterns change."""
    pattern = pattern_gains(one, other)
    gains = value_gains(one, other)
    gains += pattern
    same = np.nonzero(one.group == other.group)
    assert one.subgroup is not None and other.subgroup is not None
    mine = np.broadcast_to(one.subgroup, gains.shape)[same]
    its = np.broadcast_to(other.subgroup, gains.shape)[same]
    gains[same] = np.where(mine == its, np.float32(np.inf), pattern[same])
    return gains
