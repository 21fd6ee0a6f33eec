"""Naive: k-groups of near values first, P-subgroups of equal patterns inside each afterwards."""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.classes import by_first_row, expand, first_rows
from tanon_duck.algorithms.kp.create_tree import Leaves, create_tree
from tanon_duck.algorithms.kp.recycle import recycle
from tanon_duck.algorithms.kp.words import common_words, own_letters, word_numbers
from tanon_duck.algorithms.sax import Floats, Integers, Letters


@dataclass(frozen=True)
class Patterns:
    """The P-subgroup of every row (-1: none), and the level and letters it is published with."""

    subgroup: Integers
    level: Integers
    letters: Letters


def naive_patterns(
    normalized: Floats, groups: Integers, p: int, max_level: int, lowering: bool = True
) -> Patterns:
    """Find the P-subgroups within given groups of at least P rows.

    With `lowering`, rows of small leaves join a leaf at a level all have in common; without, they
    take the word of the most similar leaf, which may be foreign or even the opposite of their own.
    """
    leaves = create_tree(normalized, p, max_level, groups)
    if lowering:
        return _lowered(normalized, groups, p, leaves)
    return _adopted(normalized, groups, leaves)


def _numbered(leaves: Leaves, leaf: Integers) -> tuple[Integers, Integers]:
    """Renumber the leaves that have rows by their first row; return rows' leaves and levels."""
    renumbered = by_first_row(leaf)
    count = int(renumbered.max(initial=-1)) + 1
    placed = np.flatnonzero(renumbered >= 0)
    level = np.zeros(count, dtype=np.int64)
    level[renumbered[placed]] = leaves.level[leaf[placed]]
    return renumbered, level


class _LeavesOfGroups:
    """Lists, for guests of groups, every leaf of the guest's group."""

    def __init__(self, leaf: Integers, count: int, groups: Integers) -> None:
        placed = np.flatnonzero(leaf >= 0)
        owner = np.zeros(count, dtype=np.int64)
        owner[leaf[placed]] = groups[placed]
        self.by_group = np.argsort(owner, kind="stable")
        self.counts = np.bincount(owner, minlength=int(groups.max(initial=0)) + 1)
        self.starts = np.cumsum(self.counts) - self.counts

    def pairs(self, group: Integers) -> tuple[Integers, Integers, Integers]:
        """Return guest number, leaf of each pair, and where each guest's pairs start."""
        counts = self.counts[group]
        guest, place = expand(counts, self.starts[group])
        return guest, self.by_group[place], np.cumsum(counts) - counts


def _rank_within(group: Integers) -> Integers:
    """Count, for each entry of a list sorted by group, its place within the group."""
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    sizes = np.diff(np.append(starts, group.size))
    return np.arange(group.size) - np.repeat(starts, sizes)


def _first_of_best(guest: Integers, starts: Integers, keys: list[Integers]) -> Integers:
    """Return for each guest the pair with the smallest keys, the last key deciding last."""
    order = np.lexsort((*keys[::-1], guest))
    chosen: Integers = order[starts]
    return chosen


def _lowered(normalized: Floats, groups: Integers, p: int, leaves: Leaves) -> Patterns:
    """Recycle small leaves within their group; rows left join where the level stays high."""
    recycled = recycle(normalized, p, leaves, groups)
    leaf, level = _numbered(recycled, recycled.leaf)
    rest = np.flatnonzero(leaf < 0)
    if rest.size:
        rest = rest[np.argsort(groups[rest], kind="stable")]
        waiting = np.zeros(int(groups.max()) + 1, dtype=bool)
        waiting[groups[rest]] = True
        _join_common(normalized, groups, leaf, level, rest, np.flatnonzero(waiting[groups]))
    row_level = level[leaf]
    return Patterns(leaf, row_level, own_letters(normalized, row_level))


def _join_common(
    normalized: Floats,
    groups: Integers,
    leaf: Integers,
    level: Integers,
    rest: Integers,
    touched: Integers,
) -> None:
    """Place the rest, one row of every group at a time; lowers `level`, fills `leaf` in place."""
    words = np.zeros((int(level.max()) + 1, leaf.size), dtype=np.int64)
    words[:, touched] = word_numbers(normalized[touched], int(level.max()))
    # Leaves of untouched groups keep the word number 0 throughout and are never asked.
    common = common_words(words, leaf, level)
    size = np.bincount(leaf[leaf >= 0], minlength=level.size)
    leaves_of = _LeavesOfGroups(leaf, level.size, groups)
    rank = _rank_within(groups[rest])
    for turn in range(int(rank.max()) + 1):
        check()
        rows = rest[rank == turn]
        guest, host, starts = leaves_of.pairs(groups[rows])
        shared = np.ones(guest.size, dtype=np.int64)
        for each in range(2, words.shape[0]):
            check()
            shared[common[each, host] == words[each, rows[guest]]] = each
        best = _first_of_best(guest, starts, [-shared, size[host], host])
        chosen = host[best]
        leaf[rows] = chosen
        level[chosen] = shared[best]
        size[chosen] += 1
        agree = common[:, chosen] == words[:, rows]
        agree &= np.arange(words.shape[0])[:, None] <= shared[best]
        common[:, chosen] = np.where(agree, common[:, chosen], -1)


def _adopted(normalized: Floats, groups: Integers, leaves: Leaves) -> Patterns:
    """Let small leaves, smallest first, take over the word of the most similar leaf."""
    good_leaf = np.where(leaves.good[leaves.leaf], leaves.leaf, -1)
    leaf, level = _numbered(leaves, good_leaf)
    first = first_rows_of(leaf, level.size)
    letters = own_letters(normalized[first], level)
    bad_rows = np.flatnonzero(leaf < 0)
    if bad_rows.size:
        bad = by_first_row(leaves.leaf[bad_rows])
        size = np.bincount(bad)
        bad_first = bad_rows[first_rows(bad, size.size)]
        bad_level = leaves.level[leaves.leaf[bad_first]]
        bad_letters = own_letters(normalized[bad_first], bad_level)
        hosts = _most_similar(
            groups, leaf, (level, letters), (bad_first, size, bad_level, bad_letters)
        )
        leaf[bad_rows] = hosts[bad]
    return Patterns(leaf, level[leaf], letters[leaf])


def first_rows_of(leaf: Integers, count: int) -> Integers:
    """Return the first row of each leaf, looking only at rows that have one."""
    placed = np.flatnonzero(leaf >= 0)
    first: Integers = placed[first_rows(leaf[placed], count)]
    return first


def _most_similar(
    groups: Integers,
    leaf: Integers,
    good: tuple[Integers, Letters],
    bad: tuple[Integers, Integers, Integers, Letters],
) -> Integers:
    """Return the host of each bad leaf: the most similar word, then the smaller leaf."""
    bad_first, bad_size, bad_level, bad_letters = bad
    leaf_shape = sax.z_normalize(sax.reconstruct(good[1], good[0]))
    bad_shape = sax.z_normalize(sax.reconstruct(bad_letters, bad_level))
    size = np.bincount(leaf[leaf >= 0], minlength=good[0].size)
    leaves_of = _LeavesOfGroups(leaf, good[0].size, groups)
    order = np.lexsort((bad_first, bad_size, groups[bad_first]))
    rank = _rank_within(groups[bad_first][order])
    hosts = np.zeros(bad_first.size, dtype=np.int64)
    for turn in range(int(rank.max()) + 1):
        check()
        guests = order[rank == turn]
        guest, host, starts = leaves_of.pairs(groups[bad_first[guests]])
        distance = _distance(bad_shape[guests[guest]], leaf_shape[host])
        best = _first_of_best(guest, starts, [distance, size[host], host])
        hosts[guests] = host[best]
        size[host[best]] += bad_size[guests]
    return hosts


def _distance(one: Floats, other: Floats) -> Integers:
    """Return minus the correlation in billionths; two flat shapes are alike, one flat is not."""
    cosine = np.einsum("rp,rp->r", one, other) / (one.shape[1] - 1)
    cosine[~one.any(axis=1) & ~other.any(axis=1)] = 1.0
    distance: Integers = -np.rint(cosine * 1e9).astype(np.int64)
    return distance
