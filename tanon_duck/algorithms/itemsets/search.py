"""Searches all itemsets whose first item is a branch of a bucket, one level after the other.

A class is an itemset and its extensions: later items that keep it frequent. Each level joins every
extension with the later extensions of its class. The result are the classes of the next level. The
support of a join is the number of bits that two bit columns share.

For closed itemsets, an extension that keeps the support belongs to the closure of the itemset. An
extension is dropped if an earlier item outside the itemset would keep its support too. So each
closed itemset is found exactly once (the prefix-preserving closure extension of LCM).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .bits import contained, count_between, count_common
from .columns import Bucket
from .goal import Found, Goal
from .pairs import FrequentPairs
from .runs import parts, running
from .transactions import Flags, Integers, Words, run_starts

PAIRS_AT_ONCE = 1 << 20
# Bytes of the bit columns of a level. A level with more joins is divided.
BYTES_AT_ONCE = 1 << 26


@dataclass(frozen=True)
class Level:
    """The classes of one level, and their extensions."""

    # Of each class: the branch, and the other items as columns of the bucket, padded with -1.
    branch: Integers
    members: Integers
    # Of each extension: its class, its column in the bucket, its support, and its bit column.
    owner: Integers
    column: Integers
    count: Integers
    bits: Words
    # The extensions that are still to be joined with the later extensions of their class.
    left: Integers

    def joins(self) -> Integers:
        """Return for each extension in ``left`` the number of later extensions of its class."""
        ends = np.searchsorted(self.owner, self.owner[self.left], side="right")
        return np.asarray(ends - self.left - 1)


def search(bucket: Bucket, supports: Integers, pairs: FrequentPairs, goal: Goal) -> Iterator[Found]:
    """Yield the itemsets of the goal whose first item is a branch of the bucket."""
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
    """Return two halves of a level whose joins may need too much memory, or an empty list."""
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
    """Return the itemsets of the branches themselves, and the level of their extensions."""
    owner = np.repeat(np.arange(bucket.branches.size), np.diff(bucket.starts))
    branch_support = supports[bucket.branches]
    is_later = bucket.item > bucket.branches[owner]
    if goal.closed:
        keeps_support = bucket.count == branch_support[owner]
    else:
        keeps_support = np.zeros(owner.size, dtype=np.bool_)
    # A branch with an earlier item in all of its rows is found in the branch of that item.
    is_searched = np.ones(branch_support.size, dtype=np.bool_)
    is_searched[owner[keeps_support & ~is_later]] = False
    closure = np.flatnonzero(keeps_support & is_later)
    no_members = np.empty((branch_support.size, 0), dtype=np.int64)
    members = _append_lists(no_members, owner[closure], closure)
    is_result = is_searched.copy()
    if goal.maximal:
        is_result[owner[~keeps_support]] = False
    roots = (np.flatnonzero(is_result), members[is_result])
    columns = np.flatnonzero(is_later & ~keeps_support & is_searched[owner])
    level = Level(
        np.flatnonzero(is_searched),
        members[is_searched],
        (np.cumsum(is_searched) - 1)[owner[columns]],
        columns,
        bucket.count[columns],
        bucket.bits[:, columns],
        np.arange(columns.size),
    )
    return _found(bucket, roots, branch_support[is_result]), level


def _found(bucket: Bucket, itemsets: tuple[Integers, Integers], supports: Integers) -> Found:
    """Return itemsets, given as branches and columns of the bucket, as ranks."""
    branch, members = itemsets
    ranks = np.where(members < 0, -1, bucket.item[members]) if bucket.item.size else members
    itemsets_ranks = np.column_stack([bucket.branches[branch], ranks]).astype(np.int32)
    return Found(itemsets_ranks, supports, supports.size)


def _appended(level: Level, chosen: Integers) -> tuple[Integers, Integers]:
    """Return the itemsets of the chosen extensions, as branches and columns of the bucket."""
    owner = level.owner[chosen]
    return level.branch[owner], np.column_stack([level.members[owner], level.column[chosen]])


def _append_lists(members: Integers, owner: Integers, column: Integers) -> Integers:
    """Return ``members`` with each column added to the row of its owner; owners are sorted."""
    if not owner.size:
        return members
    counts = np.bincount(owner, minlength=members.shape[0])
    position = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
    added = np.full((members.shape[0], int(counts.max())), -1, dtype=np.int64)
    added[owner, position] = column
    return np.concatenate([members, added], axis=1)


def _extend(
    bucket: Bucket, level: Level, pairs: FrequentPairs, goal: Goal
) -> tuple[list[Found], Level | None]:
    """Join each extension with the later ones of its class; return itemsets and the next level."""
    extensions = _prefix_preserving(bucket, level) if goal.closed else level.left
    level = replace(level, left=extensions)
    left, right, count = _joined(bucket, level, pairs, goal.min_count)
    if goal.closed:
        return _extend_closed(bucket, level, (left, right, count), goal)
    check()
    branch, members = _appended(level, left)
    members = np.column_stack([members, level.column[right]])
    check()
    found = [_found(bucket, (branch, members), count)]
    check()
    has_sibling = _has_sibling(left)
    deeper = (left[has_sibling], right[has_sibling], count[has_sibling])
    return found, _next_level(level, deeper, None)


def _extend_closed(
    bucket: Bucket,
    level: Level,
    joined: tuple[Integers, Integers, Integers],
    goal: Goal,
) -> tuple[list[Found], Level | None]:
    """Return the closed or maximal itemsets of the extensions, and the next level.

    ``joined`` are the frequent joins: two extensions and their support. A join that keeps the
    support of the first extension adds the second one to its closure.
    """
    extensions, (left, right, count) = level.left, joined
    keeps_support = count == level.count[left]
    branch, members = _appended(level, extensions)
    number_of = np.zeros(level.owner.size, dtype=np.int64)
    number_of[extensions] = np.arange(extensions.size)
    added = level.column[right[keeps_support]]
    members = _append_lists(members, number_of[left[keeps_support]], added)
    is_result = np.ones(extensions.size, dtype=np.bool_)
    if goal.maximal:
        is_result[number_of[left[~keeps_support]]] = False
        is_result &= ~_has_earlier_extension(bucket, level, extensions, is_result, goal.min_count)
    itemsets = (branch[is_result], members[is_result])
    found = _found(bucket, itemsets, level.count[extensions[is_result]])
    deeper = (left[~keeps_support], right[~keeps_support], count[~keeps_support])
    next_level = _next_level(level, deeper, (number_of, members))
    return [replace(found, examined=extensions.size)], next_level


def _next_level(
    level: Level,
    joined: tuple[Integers, Integers, Integers],
    closures: tuple[Integers, Integers] | None,
) -> Level | None:
    """Return the level of joins, whose classes are their first extensions; None without joins.

    ``closures`` has the number of each extension, and the members of its closure.
    """
    left, right, count = joined
    if not left.size:
        return None
    check()
    starts = run_starts(left)
    parents, owner = left[starts], np.cumsum(starts) - 1
    branch, members = _appended(level, parents)
    if closures is not None:
        number_of, closed = closures
        members = closed[number_of[parents]]
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
    """Mark joins whose class has another join; only these can be joined at the next level."""
    if not left.size:
        return np.zeros(0, dtype=np.bool_)
    counts = np.bincount(left)
    return np.asarray(counts[left] > 1)


def _joined(
    bucket: Bucket, level: Level, pairs: FrequentPairs, min_count: int
) -> tuple[Integers, Integers, Integers]:
    """Return the frequent joins of extensions in ``level.left`` with later ones of their class.

    Return the first extension, the second one and the support of each join.
    """
    widths = level.joins()
    item = bucket.item[level.column]
    joins = []
    for part in parts(widths, PAIRS_AT_ONCE):
        check()
        left = np.repeat(level.left[part], widths[part])
        right = left + 1 + running(widths[part])
        frequent = pairs.contains(item[left] * pairs.n_ranks + item[right])
        left, right = left[frequent], right[frequent]
        count = count_common(level.bits, left, right)
        is_frequent = count >= min_count
        joins.append((left[is_frequent], right[is_frequent], count[is_frequent]))
    if not joins:
        return _none(), _none(), _none()
    lefts, rights, counts = (np.concatenate(column) for column in zip(*joins, strict=True))
    return lefts, rights, counts


def _none() -> Integers:
    return np.empty(0, dtype=np.int64)


def _prefix_preserving(bucket: Bucket, level: Level) -> Integers:
    """Return the extensions in ``left`` for which no earlier item outside keeps the support."""
    is_first = np.ones(level.owner.size, dtype=np.bool_)
    for extension, column in _earlier_columns(bucket, level, level.left):
        check()
        is_possible = bucket.count[column] >= level.count[extension]
        extension, column = extension[is_possible], column[is_possible]
        keeps_support = contained(level.bits, extension, bucket.bits, column)
        is_first[extension[keeps_support]] = False
    found: Integers = level.left[is_first[level.left]]
    return found


def _has_earlier_extension(
    bucket: Bucket, level: Level, extensions: Integers, chosen: Flags, min_count: int
) -> Flags:
    """Mark the chosen extensions that are still frequent with an earlier item added."""
    has_extension = np.zeros(level.owner.size, dtype=np.bool_)
    for extension, column in _earlier_columns(bucket, level, extensions[chosen]):
        check()
        count = count_between(level.bits, extension, bucket.bits, column)
        has_extension[extension[count >= min_count]] = True
    return has_extension[extensions]


def _earlier_columns(
    bucket: Bucket, level: Level, extensions: Integers
) -> Iterator[tuple[Integers, Integers]]:
    """Yield each extension with each earlier column of its branch outside the itemset."""
    starts = bucket.starts[level.branch[level.owner[extensions]]]
    widths = level.column[extensions] - starts
    for part in parts(widths, PAIRS_AT_ONCE):
        part_widths = widths[part]
        column = np.repeat(starts[part], part_widths) + running(part_widths)
        is_outside = np.ones(column.size, dtype=np.bool_)
        first = np.cumsum(part_widths) - part_widths
        members = level.members[level.owner[extensions[part]]]
        is_earlier = (members >= 0) & (members < level.column[extensions[part]][:, None])
        row, position = np.nonzero(is_earlier)
        is_outside[first[row] + members[row, position] - starts[part][row]] = False
        yield np.repeat(extensions[part], part_widths)[is_outside], column[is_outside]
