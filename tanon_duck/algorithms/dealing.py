"""Deals records into groups so that no sensitive value and no person occurs twice in a group.

A record joins a person and a value. So records are the edges of a bipartite multigraph, persons
and values are its vertices, and the groups are colours of edges. No vertex may have two edges of
one colour. By König's theorem such a colouring exists if no vertex has more edges than there are
colours (docs/decisions/groups-of-persons.md). A value or person with more records than groups
counts as several vertices, each with at most as many records as there are groups.

``deal`` works in three stages:

1. ``_deal_in_rounds`` deals the records in the order of their values. A round gives one record to
   each group, in random order. Then no value occurs twice in a group, but a person may.
2. ``_Repair`` takes records of persons that occur twice out of their groups, and puts them back
   one by one. If the new group has the record's value already, two groups exchange the records
   on an alternating path (a Kempe chain): its records are in turn in the one and the other group.
3. ``_Repair`` makes groups equally large: a larger and a smaller group exchange such a path.

Records are numbered from 0 in the order of their values. A value vertex has the number of its
first record, a person vertex a negative number.
"""

from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

Integers = NDArray[np.int64]
WORDS_AT_ONCE = 1 << 12  # random words that ``Draws.below`` computes in advance


class Draws:
    """A stream of random numbers that nobody can predict without the key (SHAKE-256)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._requests = 0
        self._unused_words: list[int] = []

    def words(self, count: int) -> NDArray[np.uint64]:
        """Return this many random words of 64 bits."""
        self._requests += 1
        digest = shake_256(self._key + self._requests.to_bytes(8, "big")).digest(8 * count)
        return np.frombuffer(digest, "<u8")

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1."""
        if not self._unused_words:
            self._unused_words = self.words(WORDS_AT_ONCE).tolist()
        return self._unused_words.pop() % n

    def order(self, n: int) -> Integers:
        """Return the numbers from 0 to n - 1 in random order."""
        return np.argsort(self.words(n), kind="stable")


def deal(
    n_groups: int, records_of_values: Integers, repeated: Integers, persons: Integers, draws: Draws
) -> Integers:
    """Return the group, from 0, of each record.

    ``records_of_values`` is the number of records of each value, for example [2, 1] if records 0
    and 1 have the first value. ``repeated`` lists the records of persons with several records, and
    ``persons`` the person of each of them, by any number.
    """
    first_of_value, degrees = _value_vertices(n_groups, records_of_values)
    group_of = _deal_in_rounds(n_groups, first_of_value, degrees, draws)
    order = np.lexsort((draws.words(len(repeated)), persons))
    repeated, persons = repeated[order], persons[order]
    person_vertices = _person_vertices(n_groups, persons)
    # The first record of each person in each group stays; the others are to be repaired.
    _, staying = np.unique(person_vertices * n_groups + group_of[repeated], return_index=True)
    conflicting = np.delete(repeated, staying)
    if len(conflicting):
        conflicting = conflicting[draws.order(len(conflicting))]
        repair = _Repair(
            n_groups, first_of_value, degrees, repeated, person_vertices, group_of, draws
        )
        repair.insert_again(conflicting)
        repair.make_equally_large()
    return group_of


def _value_vertices(n_groups: int, records_of_values: Integers) -> tuple[Integers, Integers]:
    """Return for each record its value vertex, and how many records this vertex has.

    The vertex is the number of its first record. Each vertex has at most ``n_groups`` records.
    """
    starts = np.repeat(np.cumsum(records_of_values) - records_of_values, records_of_values)
    records = np.arange(len(starts))
    first = starts + (records - starts) // n_groups * n_groups
    remaining = starts + np.repeat(records_of_values, records_of_values) - first
    return first, np.minimum(remaining, n_groups)


def _person_vertices(n_groups: int, persons: Integers) -> Integers:
    """Return for each entry of ``persons``, which is sorted, its person vertex, from 0.

    A person with more than ``n_groups`` records has several vertices.
    """
    entries = np.arange(len(persons))
    starts = np.searchsorted(persons, persons)
    return np.cumsum((entries - starts) % n_groups == 0) - 1


def _deal_in_rounds(
    n_groups: int, first_of_value: Integers, degrees: Integers, draws: Draws
) -> Integers:
    """Return groups in which no value occurs twice.

    Each round deals ``n_groups`` records to the groups in random order. If the last value of a
    round goes on in the next round, its records go first, to groups without this value.
    """
    group_of = np.empty(len(first_of_value), np.int64)
    for start in range(0, len(first_of_value), n_groups):
        check()
        order = draws.order(n_groups)
        first = first_of_value[start]
        has_value = np.zeros(n_groups, bool)
        has_value[group_of[first:start]] = True
        still_to_deal = first + degrees[start] - start
        without_value = np.flatnonzero(~has_value[order])[:still_to_deal]
        order = np.concatenate([order[without_value], np.delete(order, without_value)])
        group_of[start : start + n_groups] = order[: len(first_of_value) - start]
    return group_of


class _Repair:
    """Removes conflicts from a deal. It changes ``group_of``, in which -1 means no group yet."""

    def __init__(
        self,
        n_groups: int,
        first_of_value: Integers,
        degrees: Integers,
        repeated: Integers,
        person_vertices: Integers,
        group_of: Integers,
        draws: Draws,
    ) -> None:
        self.n_groups = n_groups
        self.draws = draws
        self.group_of = group_of
        self.value_of = first_of_value
        self.degrees = degrees
        vertices = (-1 - person_vertices).tolist()
        self.person_of = dict(zip(repeated.tolist(), vertices, strict=True))
        self.records_of_persons = repeated
        self.person_starts = np.searchsorted(person_vertices, np.arange(person_vertices[-1] + 2))
        # For each group: the record of each vertex that occurs in it, filled on demand.
        self.members: dict[int, dict[int, int]] = {}
        # For vertices with many records: groups that may be without the vertex.
        self.candidates: dict[int, list[int]] = {}

    def insert_again(self, conflicting: Integers) -> None:
        """Take these records out of their groups, and put each into a group without conflict."""
        self.group_of[conflicting] = -1
        self.by_group = np.argsort(self.group_of, kind="stable")
        self.sizes = np.bincount(self.group_of + 1, minlength=self.n_groups + 1)
        self.group_starts = np.cumsum(self.sizes)
        self.sizes = self.sizes[1:]
        for record in conflicting.tolist():
            check()
            self._insert(record)

    def _ends(self, record: int) -> tuple[int, int | None]:
        """Return the value vertex of a record, and its person vertex if the person has several."""
        return int(self.value_of[record]), self.person_of.get(record)

    def _vertices(self, record: int) -> list[int]:
        """Return the vertices of a record: its value, and its person if the person has several."""
        return [end for end in self._ends(record) if end is not None]

    def _records_in(self, group: int) -> dict[int, int]:
        """Return the record of each vertex that occurs in this group."""
        records = self.members.get(group)
        if records is None:
            records = self.members[group] = {}
            start, end = self.group_starts[group], self.group_starts[group + 1]
            for record in self.by_group[start:end].tolist():
                records.update((vertex, record) for vertex in self._vertices(record))
        return records

    def _records_of(self, vertex: int) -> Integers:
        """Return all records of a value or a person."""
        if vertex >= 0:
            return np.arange(vertex, vertex + self.degrees[vertex])
        start, end = self.person_starts[-1 - vertex], self.person_starts[-vertex]
        return self.records_of_persons[start:end]

    def _draw_group_without(self, vertex: int) -> int:
        """Return a random group that has no record of this value or person."""
        records = self._records_of(vertex)
        if 2 * len(records) <= self.n_groups:
            # At least half of the groups will do, so that two draws suffice on average.
            while vertex in self._records_in(group := self.draws.below(self.n_groups)):
                pass
            return group
        if vertex not in self.candidates:
            used = np.zeros(self.n_groups + 1, bool)  # group -1 is the last entry
            used[self.group_of[records]] = True
            self.candidates[vertex] = np.flatnonzero(~used[:-1]).tolist()
        candidates = self.candidates[vertex]
        while True:
            position = self.draws.below(len(candidates))
            group = candidates[position]
            if vertex not in self._records_in(group):
                return group
            candidates[position] = candidates[-1]
            candidates.pop()

    def _insert(self, record: int) -> None:
        """Put a record without a group into one, after an exchange of other records if needed."""
        value, person = self._ends(record)
        assert person is not None
        group = self._draw_group_without(person)
        if value in self._records_in(group):
            other = self._draw_group_without(value)
            path = self._alternating_path(value, group, other)
            self._exchange(path, group, other)
            for vertex in {value, *self._vertices(path[-1])} & self.candidates.keys():
                self.candidates[vertex] += (
                    g for g in (group, other) if vertex not in self._records_in(g)
                )
        self._put(record, group)

    def _alternating_path(
        self, vertex: int | None, group: int, other: int, stop_at: int = -1
    ) -> list[int]:
        """Return the records, in turn of ``group`` and ``other``, that lead away from a vertex.

        The path ends at a vertex without a record in the next group, or before ``stop_at``.
        """
        path: list[int] = []
        while vertex is not None:
            record = self._records_in(group).get(vertex)
            if record is None or record == stop_at:
                break
            path.append(record)
            value, person = self._ends(record)
            vertex = person if vertex == value else value
            group, other = other, group
        return path

    def _exchange(self, path: list[int], group: int, other: int) -> None:
        """Move the records of a path from ``group`` to ``other``, and those of ``other`` back."""
        moves = [(record, other if self.group_of[record] == group else group) for record in path]
        for record in path:
            records = self._records_in(int(self.group_of[record]))
            self.sizes[self.group_of[record]] -= 1
            for vertex in self._vertices(record):
                del records[vertex]
        for record, new_group in moves:
            self._put(record, new_group)

    def _put(self, record: int, group: int) -> None:
        self._records_in(group).update((vertex, record) for vertex in self._vertices(record))
        self.sizes[group] += 1
        self.group_of[record] = group

    def make_equally_large(self) -> None:
        """Exchange records until the sizes of any two groups differ by at most one."""
        smallest, remainder = divmod(len(self.group_of), self.n_groups)
        largest = smallest + (remainder > 0)
        while True:
            large = np.flatnonzero(self.sizes > largest)
            small = np.flatnonzero(self.sizes < smallest)
            if not len(large) and not len(small):
                return
            if not len(large):
                large = np.flatnonzero(self.sizes == largest)
            elif not len(small):
                small = np.flatnonzero(self.sizes == smallest)
            large = large[self.draws.order(len(large))]
            small = small[self.draws.order(len(small))]
            for one, other in zip(large.tolist(), small.tolist(), strict=False):
                check()
                self._shift_one_record(one, other)

    def _shift_one_record(self, large: int, small: int) -> None:
        """Exchange a path that makes ``large`` one record smaller and ``small`` one larger.

        It has more records of ``large``. Some path has, because ``large`` has more records in all.
        """
        records = list(dict.fromkeys(self._records_in(large).values()))
        for position in self.draws.order(len(records)).tolist():
            record = records[position]
            value, person = self._ends(record)
            path = [record, *self._alternating_path(value, small, large, record)]
            is_cycle = len(path) > 1 and self._is_in(path[-1], person, small)
            if not is_cycle:
                path += self._alternating_path(person, small, large, record)
            if sum(self.group_of[r] == large for r in path) * 2 > len(path):
                self._exchange(path, large, small)
                return

    def _is_in(self, record: int, person: int | None, group: int) -> bool:
        """Return whether this is the record of this person in this group."""
        return person is not None and self._records_in(group).get(person) == record
