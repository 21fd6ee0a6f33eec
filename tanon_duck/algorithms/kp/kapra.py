"""KAPRA: P-subgroups of equal patterns first, k-groups of near values from them afterwards."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.kp.classes import by_first_row, envelopes
from tanon_duck.algorithms.kp.create_tree import create_tree
from tanon_duck.algorithms.kp.near_groups import near_groups
from tanon_duck.algorithms.kp.recycle import recycle
from tanon_duck.algorithms.kp.untorn_split import untorn_split
from tanon_duck.algorithms.sax import Floats, Integers

Split = Callable[[Floats, int, Integers], Integers]
Join = Callable[[Floats, Floats, Integers, int], Integers]


@dataclass(frozen=True)
class Grouping:
    """The P-subgroup (-1: suppressed) and the level of every row, and each subgroup's k-group."""

    subgroup: Integers
    level: Integers
    k_group: Integers

    @property
    def publishable(self) -> bool:
        """Say whether a k-group could be formed at all."""
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
    """Group series by pattern and then by value; fewer than P rows may find no partner.

    With `roots`, words are looked for among the rows of one root, and among all rows for what is
    left over.
    """
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    leaves = create_tree(normalized, p, max_level, one_root if roots is None else roots)
    recycled = recycle(normalized, p, leaves, one_root)
    level = np.where(recycled.leaf >= 0, recycled.level[recycled.leaf], 0)
    subgroup = split_large(series, recycled.leaf, p, split)
    placed = np.flatnonzero(subgroup >= 0)
    size = np.bincount(subgroup[placed])
    low, high = envelopes(series[placed], subgroup[placed], size.size)
    return Grouping(subgroup, level, join(low, high, size, k))


def split_large(series: Floats, leaf: Integers, p: int, split: Split) -> Integers:
    """Cut leaves of 2P rows and more by value; number all subgroups by their first row."""
    subgroup = by_first_row(leaf)
    size = np.bincount(subgroup[subgroup >= 0])
    placed = np.flatnonzero(subgroup >= 0)
    rows = placed[size[subgroup[placed]] >= 2 * p]
    if rows.size:
        subgroup[rows] = size.size + split(series[rows], p, subgroup[rows])
        subgroup = by_first_row(subgroup)
    return subgroup
