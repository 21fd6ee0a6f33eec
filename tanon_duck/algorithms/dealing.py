"""Deals records into groups so that no group holds a value twice, nor a person twice.

A record joins a person and a value: records are the edges of a bipartite multigraph, and groups are
colours. No colour may meet at a person or at a value. König's theorem gives such a colouring when
nobody has more records than there are groups; docs/decisions/groups-of-persons.md has the proof.

Records come in the order of their values. Each round gives one record to every group, in an order
drawn anew, and values never meet. Records of a person that meet are taken out and put back one by
one: if the group has the value already, two groups exchange an alternating path of records (Kempe).
In the end larger groups exchange such paths with smaller ones.

A value or a person with more records than there are groups counts as several, none with more.
"""

from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

Integers = NDArray[np.int64]

BLOCK = 1 << 12  # words that are made at once


class Draws:
    """Numbers that nobody foresees without the key (SHAKE-256)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._asked = 0
        self._words: list[int] = []

    def words(self, count: int) -> NDArray[np.uint64]:
        """So many words of 64 bits."""
        self._asked += 1
        digest = shake_256(self._key + self._asked.to_bytes(8, "big")).digest(8 * count)
        return np.frombuffer(digest, "<u8")

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        if not self._words:
            self._words = self.words(BLOCK).tolist()
        return self._words.pop() % n

    def order(self, n: int) -> Integers:
        """The numbers from 0 to n - 1 in any order."""
        return np.argsort(self.words(n), kind="stable")


def deal(
    groups: int, counts: Integers, turns: Integers, persons: Integers, draws: Draws
) -> Integers:
    """The group of each record, from 0.

    counts: the records of each value, one value after the other. turns: the places in this order
    of the records whose person has several; persons: who these are.
    """
    value_of, degrees = _vertices_of_values(groups, counts)
    group_of = _dealt_in_rounds(groups, value_of, degrees, draws)
    order = np.lexsort((draws.words(len(turns)), persons))
    turns, persons = turns[order], persons[order]
    vertices = _vertices_of_persons(groups, persons)
    kept = np.unique(vertices * groups + group_of[turns], return_index=True)[1]
    loose = np.delete(turns, kept)
    if len(loose):
        loose = loose[draws.order(len(loose))]
        _Deal(groups, value_of, degrees, turns, vertices, group_of, loose, draws).mend()
    return group_of


def _vertices_of_values(groups: int, counts: Integers) -> tuple[Integers, Integers]:
    """Of each turn the first turn of its vertex, and how many turns this vertex has."""
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    turns = np.arange(len(starts))
    first = starts + (turns - starts) // groups * groups
    return first, np.minimum(starts + np.repeat(counts, counts) - first, groups)


def _vertices_of_persons(groups: int, persons: Integers) -> Integers:
    """Numbers from 0; persons are in order."""
    places = np.arange(len(persons))
    starts = np.searchsorted(persons, persons)
    return np.cumsum((places - starts) % groups == 0) - 1


def _dealt_in_rounds(groups: int, value_of: Integers, degrees: Integers, draws: Draws) -> Integers:
    """Each round is an order of the groups; a value that goes on gets others than it has."""
    group_of = np.empty(len(value_of), np.int64)
    for start in range(0, len(value_of), groups):
        check()
        order = draws.order(groups)
        first = value_of[start]
        has = np.zeros(groups, bool)
        has[group_of[first:start]] = True
        others = np.flatnonzero(~has[order])[: first + degrees[start] - start]
        order = np.concatenate([order[others], np.delete(order, others)])
        group_of[start : start + groups] = order[: len(value_of) - start]
    return group_of


class _Deal:
    """A deal in which some records have no group yet: group_of is -1 there."""

    def __init__(
        self,
        groups: int,
        value_of: Integers,
        degrees: Integers,
        turns: Integers,
        vertices: Integers,
        group_of: Integers,
        loose: Integers,
        draws: Draws,
    ) -> None:
        self.groups = groups
        self.draws = draws
        self.group_of = group_of
        self.loose = loose.tolist()
        group_of[loose] = -1
        self.value_of = value_of
        self.degrees = degrees
        # Values are named by their first turn, persons by numbers below 0.
        self.person_of = dict(zip(turns.tolist(), (-1 - vertices).tolist(), strict=True))
        self.turns = turns
        self.firsts = np.searchsorted(vertices, np.arange(vertices[-1] + 2))
        self.order = np.argsort(group_of, kind="stable")
        self.sizes = np.bincount(group_of + 1, minlength=groups + 1)
        self.ends = np.cumsum(self.sizes)
        self.sizes = self.sizes[1:]
        self.members: dict[int, dict[int, int]] = {}
        self.spare: dict[int, list[int]] = {}

    def mend(self) -> None:
        """Give a group to each record that has none, and make all groups alike in size."""
        for turn in self.loose:
            check()
            self._insert(turn)
        self._balance()

    def _ends_of(self, turn: int) -> tuple[int, int | None]:
        return int(self.value_of[turn]), self.person_of.get(turn)

    def _held(self, group: int) -> dict[int, int]:
        """The record of each value, and of each person with several, in this group."""
        held = self.members.get(group)
        if held is None:
            held = self.members[group] = {}
            for turn in self.order[self.ends[group] : self.ends[group + 1]].tolist():
                held.update((end, turn) for end in self._ends_of(turn) if end is not None)
        return held

    def _turns_of(self, vertex: int) -> Integers:
        if vertex >= 0:
            return np.arange(vertex, vertex + self.degrees[vertex])
        return self.turns[self.firsts[-1 - vertex] : self.firsts[-vertex]]

    def _free(self, vertex: int) -> int:
        """A group, drawn, that has no record of this value or person."""
        turns = self._turns_of(vertex)
        if 2 * len(turns) <= self.groups:
            while vertex in self._held(group := self.draws.below(self.groups)):
                pass
            return group
        if vertex not in self.spare:
            used = np.zeros(self.groups + 1, bool)  # the last one for those without a group
            used[self.group_of[turns]] = True
            self.spare[vertex] = np.flatnonzero(~used[:-1]).tolist()
        spare = self.spare[vertex]
        while True:
            place = self.draws.below(len(spare))
            group = spare[place]
            if vertex not in self._held(group):
                return group
            spare[place] = spare[-1]
            spare.pop()

    def _insert(self, turn: int) -> None:
        value, person = self._ends_of(turn)
        assert person is not None
        group = self._free(person)
        if value in self._held(group):
            other = self._free(value)
            path = self._walk(value, group, other)
            self._exchange(path, group, other)
            last = {end for end in self._ends_of(path[-1]) if end is not None}
            for vertex in ({value} | last) & self.spare.keys():
                self.spare[vertex] += (g for g in (group, other) if vertex not in self._held(g))
        self._put(turn, group)

    def _walk(self, vertex: int | None, group: int, other: int, until: int = -1) -> list[int]:
        """The records of both groups in turn that lead away from a value or a person."""
        path: list[int] = []
        while vertex is not None:
            turn = self._held(group).get(vertex)
            if turn is None or turn == until:
                break
            path.append(turn)
            value, person = self._ends_of(turn)
            vertex = person if vertex == value else value
            group, other = other, group
        return path

    def _exchange(self, path: list[int], group: int, other: int) -> None:
        """Records of the one group go to the other, and those of the other to the one."""
        goes = [(turn, other if self.group_of[turn] == group else group) for turn in path]
        for turn in path:
            held = self._held(int(self.group_of[turn]))
            self.sizes[self.group_of[turn]] -= 1
            for end in self._ends_of(turn):
                if end is not None:
                    del held[end]
        for turn, to in goes:
            self._put(turn, to)

    def _put(self, turn: int, group: int) -> None:
        self._held(group).update((end, turn) for end in self._ends_of(turn) if end is not None)
        self.sizes[group] += 1
        self.group_of[turn] = group

    def _balance(self) -> None:
        least, more = divmod(len(self.group_of), self.groups)
        most = least + (more > 0)
        while True:
            large = np.flatnonzero(self.sizes > most)
            small = np.flatnonzero(self.sizes < least)
            if not len(large) and not len(small):
                return
            if not len(large):
                large = np.flatnonzero(self.sizes == most)
            elif not len(small):
                small = np.flatnonzero(self.sizes == least)
            large = large[self.draws.order(len(large))]
            small = small[self.draws.order(len(small))]
            for one, other in zip(large.tolist(), small.tolist(), strict=False):
                check()
                self._level(one, other)

    def _level(self, large: int, small: int) -> None:
        """Make the one group smaller by a record, and the other larger."""
        turns = list(dict.fromkeys(self._held(large).values()))
        for place in self.draws.order(len(turns)).tolist():
            turn = turns[place]
            value, person = self._ends_of(turn)
            path = [turn, *self._walk(value, small, large, turn)]
            if len(path) < 2 or not self._meets(path[-1], person, small):
                path += self._walk(person, small, large, turn)
            if sum(self.group_of[t] == large for t in path) * 2 > len(path):
                self._exchange(path, large, small)
                return

    def _meets(self, turn: int, person: int | None, group: int) -> bool:
        """Whether a path came back to where it began."""
        return person is not None and self._held(group).get(person) == turn
