"""The search below a bucket of branches: whole levels at a time, packed bits, no candidate list.

An equivalence class is an itemset with its later extensions; the extensions that keep its
support belong to its closure. A closed itemset is reached once, from the branch of its first
item, because an extension is dropped when an earlier item outside the itemset would keep its
support too (prefix-preserving closure extension).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import contained, count_between, count_common
from .columns import Bucket
from .pairs import FrequentPairs
from .runs import parts, running
from .transactions import Codes, Flags, Integers, Words, run_starts

PAIRS_AT_ONCE = 1 << 20
BYTES_AT_ONCE = 1 << 26


@dataclass(frozen=True)
class Goal:
    """What to look for: `closed` leaves out itemsets with a superset of equal support."""

    min_count: int
    closed: bool
    maximal: bool
    max_length: int


@dataclass(frozen=True)
class Found:
    """Itemsets as ranks, padded with -1, their supports, and how many had to be looked at."""

    ranks: Codes
    supports: Integers
    looked_at: int = 0


@dataclass(frozen=True)
class Level:
    """Classes (branch, members as columns of the bucket, padded with -1) and their extensions.

    `left` are the extensions still to be joined with the later ones of their class.
    """

    branch: Integers
    members: Integers
    owner: Integers
    column: Integers
    count: Integers
    bits: Words
    left: Integers

    def joins(self) -> Integers:
        """With how many later extensions each of `left` is to be joined."""
        ends = np.searchsorted(self.owner, self.owner[self.left], side="right")
        return np.asarray(ends - self.left - 1)


def search(bucket: Bucket, supports: Integers, pairs: FrequentPairs, goal: Goal) -> Iterator[Found]:
    """All itemsets the goal asks for whose first item is a branch of the bucket."""
    roots, level = _first_level(bucket, supports, goal)
    yield roots
    if not goal.closed and goal.max_length >= 2:
        yield _found(bucket, _appended(level, np.arange(level.owner.size)), level.count)
    pending = [level] if goal.max_length > 2 or goal.closed else []
    while pending:
        check()
        level = pending.pop()
        halves = _halves(level)
        if halves:
            pending.extend(halves)
            continue
        found, deeper = _extend(bucket, level, pairs, goal)
        yield from found
        if deeper is not None and (goal.closed or deeper.members.shape[1] + 2 < goal.max_length):
            pending.append(deeper)


def _halves(level: Level) -> list[Level]:
    """A level whose joins may outgrow the memory, cut in two; nothing if it is small."""
    work = np.cumsum(level.joins() + 1)
    if level.left.size < 2 or int(work[-1]) * 8 * level.bits.shape[0] <= BYTES_AT_ONCE:
        return []
    middle = int(np.searchsorted(work, work[-1] // 2)) + 1
    middle = min(middle, level.left.size - 1)
    return [
        replace(level, left=level.left[middle:]),
        replace(level, left=level.left[:middle]),
    ]


def _first_level(bucket: Bucket, supports: Integers, goal: Goal) -> tuple[Found, Level]:
    """The branches themselves, and their later partners as extensions."""
    owner = np.repeat(np.arange(bucket.branches.size), np.diff(bucket.starts))
    own = supports[bucket.branches]
    later = bucket.item > bucket.branches[owner]
    keeps = bucket.count == own[owner] if goal.closed else np.zeros(owner.size, dtype=np.bool_)
    alive = np.ones(own.size, dtype=np.bool_)
    alive[owner[keeps & ~later]] = False
    closure = np.flatnonzero(keeps & later)
    members = _append_lists(np.empty((own.size, 0), dtype=np.int64), owner[closure], closure)
    published = alive.copy()
    if goal.maximal:
        published[owner[~keeps]] = False
    roots = (np.flatnonzero(published), members[published])
    columns = np.flatnonzero(later & ~keeps & alive[owner])
    level = Level(
        np.flatnonzero(alive),
        members[alive],
        (np.cumsum(alive) - 1)[owner[columns]],
        columns,
        bucket.count[columns],
        bucket.bits[:, columns],
        np.arange(columns.size),
    )
    return _found(bucket, roots, own[published]), level


def _found(bucket: Bucket, itemsets: tuple[Integers, Integers], supports: Integers) -> Found:
    branch, members = itemsets
    ranks = np.where(members < 0, -1, bucket.item[members]) if bucket.item.size else members
    itemsets_ranks = np.column_stack([bucket.branches[branch], ranks]).astype(np.int32)
    return Found(itemsets_ranks, supports, supports.size)


def _appended(level: Level, chosen: Integers) -> tuple[Integers, Integers]:
    """The itemsets made by adding the chosen extensions to their classes."""
    owner = level.owner[chosen]
    return level.branch[owner], np.column_stack([level.members[owner], level.column[chosen]])


def _append_lists(members: Integers, owner: Integers, column: Integers) -> Integers:
    """Add columns (sorted by owner) to the padded rows that own them."""
    if not owner.size:
        return members
    counts = np.bincount(owner, minlength=members.shape[0])
    place = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
    added = np.full((members.shape[0], int(counts.max())), -1, dtype=np.int64)
    added[owner, place] = column
    return np.concatenate([members, added], axis=1)


def _extend(
    bucket: Bucket, level: Level, pairs: FrequentPairs, goal: Goal
) -> tuple[list[Found], Level | None]:
    """One step down: join every live extension with the later ones of its class."""
    live = _prefix_preserving(bucket, level) if goal.closed else level.left
    level = replace(level, left=live)
    left, right, count = _joined(bucket, level, pairs, goal.min_count)
    if goal.closed:
        return _extend_closed(bucket, level, (left, right, count), goal)
    check()
    branch, members = _appended(level, left)
    members = np.column_stack([members, level.column[right]])
    check()
    found = [_found(bucket, (branch, members), count)]
    check()
    several = _has_sibling(left)
    return found, _next_level(level, (left[several], right[several], count[several]), None)


def _extend_closed(
    bucket: Bucket,
    level: Level,
    joined: tuple[Integers, Integers, Integers],
    goal: Goal,
) -> tuple[list[Found], Level | None]:
    live, (left, right, count) = level.left, joined
    same = count == level.count[left]
    branch, members = _appended(level, live)
    place_of = np.zeros(level.owner.size, dtype=np.int64)
    place_of[live] = np.arange(live.size)
    members = _append_lists(members, place_of[left[same]], level.column[right[same]])
    published = np.ones(live.size, dtype=np.bool_)
    if goal.maximal:
        published[place_of[left[~same]]] = False
        published &= ~_extends_earlier(bucket, level, live, published, goal.min_count)
    kept = _found(bucket, (branch[published], members[published]), level.count[live[published]])
    found = [replace(kept, looked_at=live.size)]
    deeper = (left[~same], right[~same], count[~same])
    return found, _next_level(level, deeper, (place_of, members))


def _next_level(
    level: Level,
    joined: tuple[Integers, Integers, Integers],
    closures: tuple[Integers, Integers] | None,
) -> Level | None:
    left, right, count = joined
    if not left.size:
        return None
    check()
    starts = run_starts(left)
    parents, owner = left[starts], np.cumsum(starts) - 1
    branch, members = _appended(level, parents)
    if closures is not None:
        place_of, closed = closures
        members = closed[place_of[parents]]
    return Level(
        branch,
        members,
        owner,
        level.column[right],
        count,
        level.bits.take(left, axis=1) & level.bits.take(right, axis=1),
        np.arange(right.size),
    )


def _has_sibling(left: Integers) -> Flags:
    """Entries (sorted) whose class has another entry: the others need no further join."""
    if not left.size:
        return np.zeros(0, dtype=np.bool_)
    counts = np.bincount(left)
    return np.asarray(counts[left] > 1)


def _joined(
    bucket: Bucket, level: Level, pairs: FrequentPairs, min_count: int
) -> tuple[Integers, Integers, Integers]:
    """Frequent joins of the extensions on the left with later ones of the same class."""
    widths = level.joins()
    item = bucket.item[level.column]
    kept = []
    for part in parts(widths, PAIRS_AT_ONCE):
        check()
        left = np.repeat(level.left[part], widths[part])
        right = left + 1 + running(widths[part])
        frequent = pairs.contains(item[left] * pairs.n_ranks + item[right])
        left, right = left[frequent], right[frequent]
        count = count_common(level.bits, left, right)
        enough = count >= min_count
        kept.append((left[enough], right[enough], count[enough]))
    joined = [np.concatenate([k[i] for k in kept]) if kept else _none() for i in range(3)]
    return joined[0], joined[1], joined[2]


def _none() -> Integers:
    return np.empty(0, dtype=np.int64)


def _prefix_preserving(bucket: Bucket, level: Level) -> Integers:
    """Of `left` those that no earlier item outside the itemset accompanies in every row."""
    kept = np.ones(level.owner.size, dtype=np.bool_)
    for entry, column in _earlier(bucket, level, level.left):
        check()
        enough = bucket.count[column] >= level.count[entry]
        entry, column = entry[enough], column[enough]
        implied = contained(level.bits, entry, bucket.bits, column)
        kept[entry[implied]] = False
    found: Integers = level.left[kept[level.left]]
    return found


def _extends_earlier(
    bucket: Bucket, level: Level, live: Integers, asked: Flags, min_count: int
) -> Flags:
    """Which of the live extensions asked for stay frequent with an earlier item added."""
    extends = np.zeros(level.owner.size, dtype=np.bool_)
    for entry, column in _earlier(bucket, level, live[asked]):
        check()
        count = count_between(level.bits, entry, bucket.bits, column)
        extends[entry[count >= min_count]] = True
    return extends[live]


def _earlier(
    bucket: Bucket, level: Level, entries: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Every entry with every column of its branch that comes earlier and is not in its class."""
    starts = bucket.starts[level.branch[level.owner[entries]]]
    widths = level.column[entries] - starts
    for part in parts(widths, PAIRS_AT_ONCE):
        own_widths = widths[part]
        column = np.repeat(starts[part], own_widths) + running(own_widths)
        outside = np.ones(column.size, dtype=np.bool_)
        first = np.cumsum(own_widths) - own_widths
        members = level.members[level.owner[entries[part]]]
        earlier = (members >= 0) & (members < level.column[entries[part]][:, None])
        row, place = np.nonzero(earlier)
        outside[first[row] + members[row, place] - starts[part][row]] = False
        yield np.repeat(entries[part], own_widths)[outside], column[outside]
