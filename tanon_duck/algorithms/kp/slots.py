"""Rows of all k-groups side by side: each row in a slot of its group and of its P-subgroup."""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.kp.classes import dense, stable_order
from tanon_duck.algorithms.sax import Integers

ORDINARY = 0.9


@dataclass(frozen=True)
class Slots:
    """The row in each slot of each group, -1 for none; a subgroup has slots side by side."""

    rows: Integers
    length: int


def slots_of(subgroup: Integers, k_group: Integers) -> Slots:
    """Lay out all k-groups but those that are larger, or cut otherwise, than nine in ten."""
    group, count = dense(k_group)
    within, numbers = dense(subgroup)
    order = stable_order(group * numbers + within)
    new = np.append(True, subgroup[order[1:]] != subgroup[order[:-1]])[: order.size]
    first = np.flatnonzero(new)
    number = np.cumsum(new) - 1
    place = np.arange(order.size) - first[number]
    owner = group[order[first]]
    subgroups = np.bincount(owner, minlength=count)
    first_of_group = np.cumsum(subgroups) - subgroups
    size = np.diff(np.append(first, order.size))
    longest = np.maximum.reduceat(size, first_of_group)
    usual = int(np.ceil(ORDINARY * (count - 1)))
    most, length = int(np.sort(subgroups)[usual]), int(np.sort(longest)[usual])
    ordinary = (subgroups <= most) & (longest <= length)
    slot = (number - first_of_group[group[order]]) * length + place
    kept = ordinary[group[order]]
    rows = np.full((int(ordinary.sum()), most * length), -1, dtype=np.int64)
    rows[(np.cumsum(ordinary) - 1)[group[order[kept]]], slot[kept]] = order[kept]
    return Slots(rows, length)
