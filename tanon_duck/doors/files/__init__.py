"""The files door: `tanon-duck FUNCTION INPUT... -o OUTPUT`, generated from the catalog."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import duckdb

from tanon_duck.doors import preview
from tanon_duck.doors.connection import connect
from tanon_duck.doors.files.command import FunctionCommand, Request, call_of
from tanon_duck.doors.files.inputs import load
from tanon_duck.doors.files.lists import read_lists
from tanon_duck.doors.files.notes import notes
from tanon_duck.doors.files.progress import ProgressBar
from tanon_duck.doors.interruptible import InterruptibleRunner
from tanon_duck.errors import TanonError
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import identifier

__all__ = ["function_named", "overview", "run"]


def function_named(word: str) -> str | None:
    """The function that the first word of a command line names; dashes count as underscores."""
    name = word.replace("-", "_")
    return name if name in catalog.functions() else None


def overview() -> str:
    """The functions by topic, for the help of the command as a whole."""
    topics: dict[str, list[Function]] = {}
    for function in catalog.functions().values():
        topics.setdefault(function.topic, []).append(function)
    width = max(map(len, catalog.functions()))
    lines = ["functions (tanon-duck FUNCTION --help):"]
    for topic in sorted(topics):
        lines.append(f"\n  {topic}")
        listed = sorted(topics[topic], key=lambda f: f.name)
        lines += [f"    {f.name:<{width}}  {f.header.summary}" for f in listed]
    return "\n".join(lines)


def run(name: str, words: Sequence[str]) -> int:
    """Run one function on files; leaves with 2 for a wrong call, raises for a failure."""
    function = catalog.function(name)
    request = FunctionCommand(function).read(words)
    if request.only_sql:
        print(preview.sql_of_call(call_of(function, request)))
        return 0
    with _connection() as connection:
        runner, bar = InterruptibleRunner(connection), ProgressBar(connection, sys.stderr)
        try:
            runner.run(lambda: _answer(connection, function, request), bar.watch)
        except duckdb.Error as error:
            if str(error).startswith("INTERRUPT"):
                raise TanonError("interrupted; nothing was written") from None
            raise
        finally:
            bar.wipe()
            runner.close()
        for line in notes(connection, function, request):
            print(line, file=sys.stderr)
    return 0


@contextmanager
def _connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection for which a name means a table that was loaded, nothing of Python's."""
    with connect() as connection:
        connection.execute("set python_enable_replacements = false")
        yield connection


def _answer(connection: duckdb.DuckDBPyConnection, function: Function, request: Request) -> None:
    main = next(iter(request.inputs), "")
    for name, paths in request.inputs.items():
        load(connection, name, paths, request.as_text if name == main else [])
        read_lists(connection, name, function.header, request.values, request.as_text)
    if function.is_scalar and request.inputs:
        _refuse_taken_name(connection, function)
    request.output.write(connection, call_of(function, request))


def _refuse_taken_name(connection: duckdb.DuckDBPyConnection, function: Function) -> None:
    rows = connection.execute(f"describe from {identifier('source')}").fetchall()
    if any(column.lower() == function.name for column, *_ in rows):
        raise TanonError(
            f"tanon.{function.name}: INPUT must be without a column {function.name}, which is added"
        )
