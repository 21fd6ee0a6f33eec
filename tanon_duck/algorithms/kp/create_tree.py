"""The tree of words of KAPRA (CreateTree in the paper).

A node holds series with equal words at one level. Its children hold series with equal words at
the next level. A node becomes a leaf if a further level would divide it into parts of fewer than
P series. A leaf is good if it has at least P series. A root may be all series, or one class of
series. The tree grows level by level, for all open nodes at once.
"""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import number_words
from tanon_duck.algorithms.sax import Floats, Integers, Letters


@dataclass(frozen=True)
class Leaves:
    """The leaf of each row, and for each leaf its level and whether it has at least P rows."""

    leaf: Integers
    level: Integers
    good: np.ndarray[tuple[int], np.dtype[np.bool_]]


class _LeafCollector:
    """Collects finished leaves and numbers them from 0."""

    def __init__(self, rows: int) -> None:
        self.leaf = np.full(rows, -1, dtype=np.int64)
        self.levels: list[Integers] = []
        self.good: list[np.ndarray[tuple[int], np.dtype[np.bool_]]] = []
        self.count = 0

    def add(self, rows: Integers, nodes: Integers, level: int, good: bool) -> None:
        """Make each of ``nodes`` a leaf; ``nodes[i]`` is the node of row ``rows[i]``."""
        distinct, numbers = np.unique(nodes, return_inverse=True)
        self.leaf[rows] = self.count + numbers
        self.levels.append(np.full(distinct.size, level, dtype=np.int64))
        self.good.append(np.full(distinct.size, good))
        self.count += distinct.size

    def leaves(self) -> Leaves:
        levels = np.concatenate([np.zeros(0, dtype=np.int64), *self.levels])
        return Leaves(self.leaf, levels, np.concatenate([np.zeros(0, dtype=bool), *self.good]))


def letters_at(normalized: Floats, level: int) -> Letters:
    """Return the letters of z-normalized series at a level."""
    letters = np.zeros(normalized.shape, dtype=np.uint8)
    thresholds = sax.break_points(level) - sax.TOLERANCE
    step = max(1, sax.VALUES_AT_ONCE // max(normalized.shape[1], 1))
    for start in range(0, normalized.shape[0], step):
        check()
        block = slice(start, start + step)
        sax.add_thresholds_reached(normalized[block], thresholds, letters[block])
    return letters


def create_tree(normalized: Floats, p: int, max_level: int, roots: Integers) -> Leaves:
    """Return the leaves of the tree with the given root of each series."""
    collector = _LeafCollector(normalized.shape[0])
    rows, nodes = np.arange(normalized.shape[0]), roots
    too_small = np.bincount(nodes)[nodes] < p if nodes.size else np.zeros(0, dtype=bool)
    collector.add(rows[too_small], nodes[too_small], 1, False)
    rows, nodes = rows[~too_small], nodes[~too_small]
    level = 1
    while rows.size and level < max_level:
        check()
        rows, nodes = _grow_level(collector, normalized, rows, nodes, level, p)
        level += 1
    collector.add(rows, nodes, level, True)
    return collector.leaves()


def _grow_level(
    collector: _LeafCollector,
    normalized: Floats,
    rows: Integers,
    nodes: Integers,
    level: int,
    p: int,
) -> tuple[Integers, Integers]:
    """Divide all open nodes by their words at the next level.

    ``nodes[i]`` is the node of row ``rows[i]``. Add leaves to the collector, and return the rows
    and nodes that are still open at the next level. A node of 2P series and more is divided if a
    part has at least P series, a smaller node if all its series have the same word. If the small
    parts of a node have at least P series together, they become one leaf at the node's level.
    """
    every_row_is_open = rows.size == normalized.shape[0]
    letters = letters_at(normalized if every_row_is_open else normalized[rows], level + 1)
    parts, part_count = number_words(nodes, letters, level + 1)
    part_size = np.bincount(parts, minlength=part_count)
    parent = np.zeros(part_count, dtype=np.int64)
    parent[parts] = nodes
    node_count = int(nodes.max()) + 1
    node_size = np.bincount(nodes, minlength=node_count)
    is_good = part_size >= p
    has_one_word = np.bincount(parent, minlength=node_count) == 1
    good_parts = np.bincount(parent[is_good], minlength=node_count)
    rows_in_bad_parts = np.bincount(
        parent[~is_good], weights=part_size[~is_good], minlength=node_count
    )
    is_divided = np.where(node_size >= 2 * p, good_parts > 0, has_one_word)
    in_leaf = ~is_divided[nodes]
    collector.add(rows[in_leaf], nodes[in_leaf], level, True)
    in_bad_part = ~in_leaf & ~is_good[parts]
    merged = in_bad_part & (rows_in_bad_parts[nodes] >= p)
    collector.add(rows[merged], nodes[merged], level, True)
    in_bad_leaf = in_bad_part & ~merged
    collector.add(rows[in_bad_leaf], parts[in_bad_leaf], level + 1, False)
    still_open = ~in_leaf & ~in_bad_part
    return rows[still_open], parts[still_open]
