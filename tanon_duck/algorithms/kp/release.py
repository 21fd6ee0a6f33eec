"""What is published of series: groups, words and envelopes, numbered by their content alone."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, dense_words, envelopes
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
# The published way to split goes with the published way to join.
JOINS: dict[str, Join] = {"halves": near_groups, "sequential": form_groups}
ALGORITHMS = ("naive", "kapra", "kapra_refined", "shared")
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
EFFORT_WITH_ROWS = Effort(rounds=8, partners=1)
EFFORT_WITH_SUBGROUPS = Effort(rounds=16, partners=2)
EFFORT_WITH_WORDS = Effort(rounds=8, partners=2)


@dataclass(frozen=True)
class Release:
    """Per row its k-group and P-group (-1: suppressed), level, letters and whether the letters are
    its own; per k-group its envelope.
    """

    k_group: Integers
    p_group: Integers
    level: Integers
    letters: Letters
    own_pattern: Flags
    low: Floats
    high: Floats


class Groups(NamedTuple):
    """The group of each series, from 0, and per group its envelope: lowest and highest values."""

    group: Integers
    low: Floats
    high: Floats


def k_groups(series: Floats, k: int, method: str, scale: str = "none") -> Groups:
    """Return conventional groups of at least k series with near values, and their envelopes."""
    scaled = for_distances(series, scale)
    root = np.zeros(series.shape[0], dtype=np.int64)
    if method == "exchange":
        group = balanced_split(scaled, k, root)
        ones = np.ones(series.shape[0], dtype=np.int64)
        group = exchange(scaled, scaled, ones, group, k, EFFORT_WITH_ROWS)
    else:
        group = SPLITS[method](scaled, k, root)
    return by_envelope(series, group)


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
    """Group at least k series; fewer than P of them may have to be suppressed (k_group -1)."""
    scaled, normalized = for_distances(series, scale), sax.z_normalize(series)
    if algorithm == "shared":
        patterns, group = shared(scaled, normalized, k, p, max_level)
    elif algorithm == "naive":
        group = SPLITS[split](scaled, k, np.zeros(series.shape[0], dtype=np.int64))
        patterns = naive_patterns(normalized, group, p, max_level, not foreign_words)
    else:
        roots = size_bands(series, p) if scale == "series" else None
        ways = SPLITS[split], JOINS[split]
        found = kapra(scaled, normalized, k, p, max_level, *ways, roots)
        patterns, group = _published(scaled, normalized, found, k, p, max_level, algorithm)
    return _numbered(series, normalized, patterns, group)


def _published(
    points: Floats,
    normalized: Floats,
    found: Grouping,
    k: int,
    p: int,
    max_level: int,
    algorithm: str,
) -> tuple[Patterns, Integers]:
    """Turn what KAPRA found into patterns and k-groups of rows."""
    if not found.publishable:
        # No k series are left: all of them make one k-group, at levels they have in common.
        everyone = np.zeros(normalized.shape[0], dtype=np.int64)
        return naive_patterns(normalized, everyone, p, max_level), everyone
    letters = own_letters(normalized, found.level)
    placed = np.flatnonzero(found.subgroup >= 0)
    group = np.full(normalized.shape[0], -1, dtype=np.int64)
    group[placed] = found.k_group[found.subgroup[placed]]
    if algorithm == "kapra_refined":
        word, _ = dense_words(found.level[placed], letters[placed], sax.HIGHEST_LEVEL)
        group[placed] = _refined(points[placed], found.subgroup[placed], found.k_group, word, k)
    return Patterns(found.subgroup, found.level, letters), group


def _refined(
    series: Floats, subgroup: Integers, k_group: Integers, word: Integers, k: int
) -> Integers:
    """Let P-subgroups change their k-group, and then rows of one word change places."""
    low, high = envelopes(series, subgroup, k_group.size)
    size = np.bincount(subgroup, minlength=k_group.size)
    better = exchange(low, high, size, k_group, k, EFFORT_WITH_SUBGROUPS)
    return exchange_rows(series, word, better[subgroup], EFFORT_WITH_WORDS)


def by_envelope(series: Floats, group: Integers) -> Groups:
    """Number groups in order of their envelopes: equal envelopes are one group to any reader."""
    group, count = dense(group)
    low, high = envelopes(series, group, count)
    if not count:
        return Groups(group, low, high)
    boxes = np.hstack((low, high))
    order = np.argsort(boxes[:, 0], kind="stable")
    if (np.diff(boxes[order, 0]) == 0).any():
        order = np.lexsort(boxes.T[::-1])
    ordered = boxes[order]
    starts = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    number = np.empty(count, dtype=np.int64)
    number[order] = np.cumsum(starts) - 1
    kept = order[starts]
    return Groups(number[group], low[kept], high[kept])


def _numbered(series: Floats, normalized: Floats, patterns: Patterns, group: Integers) -> Release:
    """Number groups by what is published of them, so that a number tells nothing more."""
    placed = np.flatnonzero(group >= 0)
    k_group = np.full(group.size, -1, dtype=np.int64)
    p_group = k_group.copy()
    k_group[placed], low, high = by_envelope(series[placed], group[placed])
    class_key = k_group[placed] * (sax.HIGHEST_LEVEL + 1) + patterns.level[placed]
    p_group[placed], _ = dense_words(class_key, patterns.letters[placed], sax.HIGHEST_LEVEL)
    own = (own_letters(normalized, patterns.level) == patterns.letters).all(axis=1)
    return Release(k_group, p_group, patterns.level, patterns.letters, own, low, high)
