"""The tree of pattern words, grown for all nodes at once, one SAX level after the other."""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import dense_words
from tanon_duck.algorithms.sax import Floats, Integers, Letters


@dataclass(frozen=True)
class Leaves:
    """The leaf of every row, and for each leaf its level and whether it holds at least P rows."""

    leaf: Integers
    level: Integers
    good: np.ndarray[tuple[int], np.dtype[np.bool_]]


class _Harvest:
    """Collects finished leaves under fresh numbers."""

    def __init__(self, rows: int) -> None:
        self.leaf = np.full(rows, -1, dtype=np.int64)
        self.levels: list[Integers] = []
        self.good: list[np.ndarray[tuple[int], np.dtype[np.bool_]]] = []
        self.count = 0

    def add(self, rows: Integers, nodes: Integers, level: int, good: bool) -> None:
        found, numbers = np.unique(nodes, return_inverse=True)
        self.leaf[rows] = self.count + numbers
        self.levels.append(np.full(found.size, level, dtype=np.int64))
        self.good.append(np.full(found.size, good))
        self.count += found.size

    def leaves(self) -> Leaves:
        levels = np.concatenate([np.zeros(0, dtype=np.int64), *self.levels])
        return Leaves(self.leaf, levels, np.concatenate([np.zeros(0, dtype=bool), *self.good]))


def letters_at(normalized: Floats, level: int) -> Letters:
    """Return the letters of series that are normalized already."""
    found = np.zeros(normalized.shape, dtype=np.uint8)
    thresholds = sax.break_points(level) - sax.TOLERANCE
    step = max(1, sax.VALUES_AT_ONCE // max(normalized.shape[1], 1))
    for start in range(0, normalized.shape[0], step):
        check()
        block = slice(start, start + step)
        sax.add_thresholds_reached(normalized[block], thresholds, found[block])
    return found


def create_tree(normalized: Floats, p: int, max_level: int, roots: Integers) -> Leaves:
    """Grow one tree of words per root; every step is one level for all open nodes of all roots."""
    harvest = _Harvest(normalized.shape[0])
    rows, nodes = np.arange(normalized.shape[0]), roots
    too_small = np.bincount(nodes)[nodes] < p if nodes.size else np.zeros(0, dtype=bool)
    harvest.add(rows[too_small], nodes[too_small], 1, False)
    rows, nodes = rows[~too_small], nodes[~too_small]
    level = 1
    while rows.size and level < max_level:
        check()
        rows, nodes = _grow(harvest, normalized, rows, nodes, level, p)
        level += 1
    harvest.add(rows, nodes, level, True)
    return harvest.leaves()


def _grow(
    harvest: _Harvest, normalized: Floats, rows: Integers, nodes: Integers, level: int, p: int
) -> tuple[Integers, Integers]:
    """Try the next level on all open nodes; return the rows and nodes that stay open there."""
    whole = rows.size == normalized.shape[0]
    letters = letters_at(normalized if whole else normalized[rows], level + 1)
    parts, part_count = dense_words(nodes, letters, level + 1)
    part_size = np.bincount(parts, minlength=part_count)
    parent = np.zeros(part_count, dtype=np.int64)
    parent[parts] = nodes
    node_count = int(nodes.max()) + 1
    node_size = np.bincount(nodes, minlength=node_count)
    part_good = part_size >= p
    agree = np.bincount(parent, minlength=node_count) == 1
    good_parts = np.bincount(parent[part_good], minlength=node_count)
    in_bad_parts = np.bincount(
        parent[~part_good], weights=part_size[~part_good], minlength=node_count
    )
    splits = np.where(node_size >= 2 * p, good_parts > 0, agree)
    stays = ~splits[nodes]
    harvest.add(rows[stays], nodes[stays], level, True)
    small_part = ~stays & ~part_good[parts]
    merged = small_part & (in_bad_parts[nodes] >= p)
    harvest.add(rows[merged], nodes[merged], level, True)
    bad = small_part & ~merged
    harvest.add(rows[bad], parts[bad], level + 1, False)
    goes_on = ~stays & ~small_part
    return rows[goes_on], parts[goes_on]
