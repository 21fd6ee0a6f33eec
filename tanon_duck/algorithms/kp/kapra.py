"""KAPRA: makes P-subgroups of series with equal words first, then joins them into k-groups.

1. ``create_tree`` finds leaves: series with equal words, at a level as high as possible.
2. ``recycle`` merges the rows of leaves with fewer than P series at lower levels.
3. ``split_large`` divides leaves of 2P series and more by value: these are the P-subgroups.
4. The join (``near_groups``) makes k-groups of P-subgroups with near values.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.kp.classes import envelopes, number_by_first_row
from tanon_duck.algorithms.kp.create_tree import create_tree
from tanon_duck.algorithms.kp.near_groups import near_groups
from tanon_duck.algorithms.kp.recycle import recycle
from tanon_duck.algorithms.kp.untorn_split import untorn_split
from tanon_duck.algorithms.sax import Floats, Integers

# (points, smallest size, root of each row) -> the group of each row.
Split = Callable[[Floats, int, Integers], Integers]
# (low, high, size of each P-subgroup, k) -> the k-group of each P-subgroup.
Join = Callable[[Floats, Floats, Integers, int], Integers]


@dataclass(frozen=True)
class Grouping:
    """The P-subgroup of each series, -1 if suppressed; its level; each P-subgroup's k-group."""

    subgroup: Integers
    level: Integers
    k_group: Integers

    @property
    def has_k_groups(self) -> bool:
        """Whether the P-subgroups have at least k series in all, so that k-groups exist."""
        return bool((self.k_group >= 0).any())


def kapra(
    series: Floats,
    normalized: Floats,
    k: int,
    p: int,
    max_level: int,
    split: Split = untorn_split,
    join: Join = near_groups,
    roots: Integers | None = None,
) -> Grouping:
    """Return the P-subgroups and k-groups of series; fewer than P series are suppressed.

    ``series`` are the points in which values are compared, ``normalized`` the z-normalized series.
    ``roots`` divides the series into classes, such as bands of size. Leaves then hold series of
    one class, except leaves that recycling makes.
    """
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    leaves = create_tree(normalized, p, max_level, one_root if roots is None else roots)
    recycled = recycle(normalized, p, leaves, one_root)
    level = np.where(recycled.leaf >= 0, recycled.level[recycled.leaf], 0)
    subgroup = split_large(series, recycled.leaf, p, split)
    published = np.flatnonzero(subgroup >= 0)
    size = np.bincount(subgroup[published])
    low, high = envelopes(series[published], subgroup[published], size.size)
    return Grouping(subgroup, level, join(low, high, size, k))


def split_large(series: Floats, leaf: Integers, p: int, split: Split) -> Integers:
    """Return P-subgroups: leaves, of which those with 2P series and more are split by value.

    P-subgroups are numbered in the order of their first rows. Rows without a leaf have -1.
    """
    subgroup = number_by_first_row(leaf)
    in_leaf = np.flatnonzero(subgroup >= 0)
    size = np.bincount(subgroup[in_leaf])
    rows = in_leaf[size[subgroup[in_leaf]] >= 2 * p]
    if rows.size:
        subgroup[rows] = size.size + split(series[rows], p, subgroup[rows])
        subgroup = number_by_first_row(subgroup)
    return subgroup
