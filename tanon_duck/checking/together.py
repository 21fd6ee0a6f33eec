"""Run the promises of a policy: what they can share is counted once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from tanon_duck.checking import running
from tanon_duck.checking.results import Result
from tanon_duck.checking.running import SHOWN_ROWS
from tanon_duck.checking.shared import Call, Shared
from tanon_duck.errors import DataError, TanonError
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function


@dataclass(frozen=True)
class Promise:
    """One check of a policy: its arguments as they were written, and what is at stake."""

    title: str
    function: str
    arguments: Mapping[str, Any]
    severity: str = "fail"
    allow: int = 0  # rows that may break it
    ratchet: bool = False  # no worse than what was recorded
    least: int = 1  # rows that the table must have


def run_all(
    connection: duckdb.DuckDBPyConnection,
    promises: Sequence[Promise],
    relations: Mapping[str, str],
    *,
    values: bool = False,
    rows: int = SHOWN_ROWS,
) -> list[Result]:
    """The results of promises, in their order, with the first rows that break them for ``values``.

    ``relations`` says what stands in SQL for a relation that a policy has a name for.
    """
    run = _Run(connection, relations, values, rows if values else 0)
    found: dict[int, Result] = {}
    for batch in _by_relation(promises, relations):
        found |= run.relation(batch)
    return [found[number] for number in range(len(promises))]


Numbered = tuple[int, Promise, Call]


def _by_relation(
    promises: Sequence[Promise], relations: Mapping[str, str]
) -> Iterable[list[Numbered]]:
    """Promises about the same relation together; those that share nothing each by itself."""
    together: dict[str, list[Numbered]] = {}
    for number, promise in enumerate(promises):
        call = called(promise, relations)
        key = f"of {call.reads}" if call.reads else f"alone {number}"
        together.setdefault(key, []).append((number, promise, call))
    return together.values()


def _by_bound(batch: Iterable[Numbered]) -> Iterable[list[Numbered]]:
    """Promises that differ in their bound alone, the strictest first; the others one by one."""
    together: dict[str, list[Numbered]] = {}
    for number, promise, call in batch:
        holds = catalog.function(promise.function).header.holds
        key = str(number)
        if holds and running.can_share_bound(holds, call.arguments):
            others = {k: v for k, v in call.arguments.items() if k != holds.bound}
            key = repr((promise.function, sorted(others.items(), key=lambda item: item[0])))
        together.setdefault(key, []).append((number, promise, call))
    for same in together.values():
        holds = catalog.function(same[0][1].function).header.holds
        if holds and len(same) > 1:
            bound, largest_first = holds.bound, holds.sign == ">="
            same.sort(key=lambda each: each[2].arguments[bound], reverse=largest_first)
        yield same


def called(promise: Promise, relations: Mapping[str, str]) -> Call:
    """The promise as a call, with what stands in SQL for its relations."""
    header = catalog.function(promise.function).header
    given = dict(promise.arguments)
    for argument in header.arguments:
        name = given.get(argument.name)
        if argument.kind.name == "relation" and isinstance(name, str):
            given[argument.name] = relations.get(name, name)
    return Call(promise.function, given)


@dataclass(frozen=True)
class _Run:
    connection: duckdb.DuckDBPyConnection
    relations: Mapping[str, str]
    values: bool
    rows: int

    def relation(self, batch: list[Numbered]) -> dict[int, Result]:
        """The results of all promises about one relation, by their numbers."""
        found: dict[int, Result] = {}
        calls = [call for _, _, call in batch]
        shared = Shared(self.connection, calls, set(self.relations.values()))
        try:
            for same in _by_bound(batch):
                found |= self._same(shared, same)
        finally:
            shared.close()
        return found

    def _same(self, shared: Shared, same: list[Numbered]) -> dict[int, Result]:
        """Promises that one run of their function tells: it is the first, the strictest."""
        strictest = same[0][2]
        if people := shared.of_people(strictest):
            found = self._found(people, same, rows=0)
            # What breaks a promise is shown with all its rows, and errors name what is there.
            wanted = [r for r in found.values() if r.holds is None or (self.rows and r.failing)]
            if not wanted:
                return found
        return self._found(shared.of_all_rows(strictest), same, self.rows)

    def _found(
        self, arguments: Mapping[str, Any], same: list[Numbered], rows: int
    ) -> dict[int, Result]:
        function = catalog.function(same[0][1].function)
        results: dict[int, Result] = {}
        try:
            with running.found_by(self.connection, function.name, arguments) as found:
                for number, promise, call in same:
                    results[number] = self._judged(function, found, promise, call, rows)
        except duckdb.InterruptException:
            raise
        except (TanonError, duckdb.Error) as error:
            results = {number: self._could_not_tell(promise, error) for number, promise, _ in same}
        return {number: titled(results[number], promise) for number, promise, _ in same}

    def _judged(
        self, function: Function, found: str, promise: Promise, call: Call, rows: int
    ) -> Result:
        try:
            running.refuse_too_few(self.connection, function, call.arguments, promise.least)
        except DataError as error:
            return self._could_not_tell(promise, error)
        arguments = promise.arguments
        told = arguments if self.values else running.without_queries(arguments)
        return running.judged(
            self.connection, function, found, told, allowed=promise.allow, rows=rows
        )

    def _could_not_tell(self, promise: Promise, error: Exception) -> Result:
        return running.could_not_tell(promise.function, promise.arguments, error, self.values)


def titled(result: Result, promise: Promise) -> Result:
    """The result under the name of its promise."""
    return replace(result, name=promise.title, severity=promise.severity, allowed=promise.allow)
