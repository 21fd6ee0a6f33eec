"""Makes the release of series: groups, words and envelopes.

``kp_release`` makes a (k,P)-anonymous release, ``k_groups`` conventional groups without words. Both
number groups in the order of their published content, so that a number reveals nothing else.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import envelopes, number_labels, number_words
from tanon_duck.algorithms.kp.exchange import Effort, exchange, exchange_rows
from tanon_duck.algorithms.kp.kapra import Grouping, Join, Split, kapra
from tanon_duck.algorithms.kp.naive import Patterns, naive_patterns
from tanon_duck.algorithms.kp.near_groups import form_groups, near_groups
from tanon_duck.algorithms.kp.scaling import for_distances, size_bands
from tanon_duck.algorithms.kp.sequential_split import sequential_split
from tanon_duck.algorithms.kp.shared import shared
from tanon_duck.algorithms.kp.untorn_split import untorn_split
from tanon_duck.algorithms.kp.words import own_letters
from tanon_duck.algorithms.sax import Floats, Integers, Letters

SPLITS: dict[str, Split] = {"halves": untorn_split, "sequential": sequential_split}
# 'sequential' selects both the split and the join of the paper.
JOINS: dict[str, Join] = {"halves": near_groups, "sequential": form_groups}
ALGORITHMS = ("naive", "kapra", "kapra_refined", "shared")
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
# More rounds or partners take longer and hardly make envelopes narrower.
EFFORT_WITH_ROWS = Effort(rounds=8, partners=1)
EFFORT_WITH_SUBGROUPS = Effort(rounds=16, partners=2)
EFFORT_WITH_WORDS = Effort(rounds=8, partners=2)


@dataclass(frozen=True)
class Release:
    """A (k,P)-anonymous release.

    The first five fields have one entry for each series. A suppressed series has the groups -1.
    ``low`` and ``high`` have the envelope of each k-group.
    """

    k_group: Integers
    p_group: Integers
    level: Integers
    letters: Letters
    own_pattern: Flags  # the published letters are those of the series itself
    low: Floats
    high: Floats


class Groups(NamedTuple):
    """The group of each series, from 0, and per group its envelope: lowest and highest values."""

    group: Integers
    low: Floats
    high: Floats


def k_groups(series: Floats, k: int, method: str, scale: str = "none") -> Groups:
    """Return groups of at least k series with near values, and their envelopes.

    ``method`` is 'exchange' or a key of SPLITS. ``scale`` is explained in ``scaling``.
    """
    points = for_distances(series, scale)
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    if method == "exchange":
        group = balanced_split(points, k, one_root)
        ones = np.ones(series.shape[0], dtype=np.int64)
        group = exchange(points, points, ones, group, k, EFFORT_WITH_ROWS)
    else:
        group = SPLITS[method](points, k, one_root)
    return number_by_envelope(series, group)


def kp_release(
    series: Floats,
    k: int,
    p: int,
    algorithm: str,
    max_level: int,
    split: str = "halves",
    foreign_words: bool = False,
    scale: str = "none",
) -> Release:
    """Return the (k,P)-anonymous release of at least k series.

    ``algorithm`` is one of ALGORITHMS, ``split`` a key of SPLITS. ``foreign_words`` lets Naive
    publish a word that is not of the series itself. KAPRA may suppress fewer than P series.
    """
    points, normalized = for_distances(series, scale), sax.z_normalize(series)
    if algorithm == "shared":
        patterns, group = shared(points, normalized, k, p, max_level)
    elif algorithm == "naive":
        group = SPLITS[split](points, k, np.zeros(series.shape[0], dtype=np.int64))
        patterns = naive_patterns(normalized, group, p, max_level, not foreign_words)
    else:
        roots = size_bands(series, p) if scale == "series" else None
        grouping = kapra(points, normalized, k, p, max_level, SPLITS[split], JOINS[split], roots)
        refine = algorithm == "kapra_refined"
        patterns, group = _groups_of_rows(points, normalized, grouping, k, p, max_level, refine)
    return _number_groups(series, normalized, patterns, group)


def _groups_of_rows(
    points: Floats,
    normalized: Floats,
    grouping: Grouping,
    k: int,
    p: int,
    max_level: int,
    refine: bool,
) -> tuple[Patterns, Integers]:
    """Return the patterns and the k-group of each series from the grouping of KAPRA.

    ``refine`` moves series between k-groups to make envelopes narrower.
    """
    if not grouping.has_k_groups:
        # Fewer than k series are in P-subgroups. Then all series become one k-group.
        one_group = np.zeros(normalized.shape[0], dtype=np.int64)
        return naive_patterns(normalized, one_group, p, max_level), one_group
    letters = own_letters(normalized, grouping.level)
    published = np.flatnonzero(grouping.subgroup >= 0)
    subgroup = grouping.subgroup[published]
    group = np.full(normalized.shape[0], -1, dtype=np.int64)
    group[published] = grouping.k_group[subgroup]
    if refine:
        levels = grouping.level[published]
        word, _ = number_words(levels, letters[published], sax.HIGHEST_LEVEL)
        group[published] = _refine(points[published], subgroup, grouping.k_group, word, k)
    return Patterns(grouping.subgroup, grouping.level, letters), group


def _refine(
    points: Floats, subgroup: Integers, k_group: Integers, word: Integers, k: int
) -> Integers:
    """Return better k-groups of rows, from the k-group of each P-subgroup.

    First P-subgroups change their k-group. Then single rows with equal words change places.
    """
    low, high = envelopes(points, subgroup, k_group.size)
    size = np.bincount(subgroup, minlength=k_group.size)
    better = exchange(low, high, size, k_group, k, EFFORT_WITH_SUBGROUPS)
    return exchange_rows(points, word, better[subgroup], EFFORT_WITH_WORDS)


def number_by_envelope(series: Floats, group: Integers) -> Groups:
    """Renumber groups in the order of their envelopes.

    Groups with equal envelopes get one number, because a reader cannot distinguish them.
    """
    group, count = number_labels(group)
    low, high = envelopes(series, group, count)
    if not count:
        return Groups(group, low, high)
    bounds = np.hstack((low, high))
    order = np.argsort(bounds[:, 0], kind="stable")
    if (np.diff(bounds[order, 0]) == 0).any():
        order = np.lexsort(bounds.T[::-1])
    ordered = bounds[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    number = np.empty(count, dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    distinct = order[is_new]
    return Groups(number[group], low[distinct], high[distinct])


def _number_groups(
    series: Floats, normalized: Floats, patterns: Patterns, group: Integers
) -> Release:
    """Return the release, with k-groups and P-groups in the order of their published content."""
    published = np.flatnonzero(group >= 0)
    k_group = np.full(group.size, -1, dtype=np.int64)
    p_group = k_group.copy()
    k_group[published], low, high = number_by_envelope(series[published], group[published])
    class_key = k_group[published] * (sax.HIGHEST_LEVEL + 1) + patterns.level[published]
    p_group[published], _ = number_words(class_key, patterns.letters[published], sax.HIGHEST_LEVEL)
    is_own = (own_letters(normalized, patterns.level) == patterns.letters).all(axis=1)
    return Release(k_group, p_group, patterns.level, patterns.letters, is_own, low, high)
