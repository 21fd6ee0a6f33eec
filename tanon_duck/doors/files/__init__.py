"""The files door: `tanon-duck FUNCTION INPUT... -o OUTPUT`, generated from the catalog."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import duckdb

from tanon_duck.accounting.call import Call
from tanon_duck.accounting.manifest import made, publish
from tanon_duck.doors import preview
from tanon_duck.doors.connection import connect
from tanon_duck.doors.files.calls import call_of
from tanon_duck.doors.files.command import FunctionCommand, Request
from tanon_duck.doors.files.inputs import load
from tanon_duck.doors.files.lists import read_lists
from tanon_duck.doors.files.notes import notes
from tanon_duck.doors.files.options import two_columns
from tanon_duck.doors.files.roles import declared_input, have_roles, is_database, take_roles
from tanon_duck.doors.files.staging import Reading, staged
from tanon_duck.doors.files.verdicts import NotToldError, could_not_tell, judge, tell
from tanon_duck.doors.interruptible import InterruptibleRunner
from tanon_duck.doors.progress import ProgressBar
from tanon_duck.errors import TanonError, one_line, warn
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import Quoted, identifier

__all__ = ["NotToldError", "answered", "function_named", "is_database", "overview", "run", "sql_of"]
Found = TypeVar("Found", covariant=True)
_RELEASE = Quoted(f"temp.main.{identifier('the release')}")


class Work(Protocol[Found]):
    """What is done with inputs that are loaded."""

    def __call__(
        self, connection: duckdb.DuckDBPyConnection, function: Function, request: Request
    ) -> Found: ...


def function_named(word: str) -> str | None:
    """The function that the first word of a command line names; dashes count as underscores."""
    name = word.replace("-", "_")
    return name if name in catalog.functions() else None


def overview() -> str:
    """The functions by topic, for the help of the command as a whole."""
    topics: dict[str, list[Function]] = {}
    for function in catalog.functions().values():
        topics.setdefault(function.topic, []).append(function)
    lines = ["functions (tanon-duck FUNCTION --help):"]
    for topic in sorted(topics):
        lines.append(f"\n  {topic}")
        listed = sorted(topics[topic], key=lambda f: f.name)
        lines.append(two_columns([(f.name, f.header.summary) for f in listed], "    "))
    return "\n".join(lines)


def run(name: str, words: Sequence[str]) -> int:
    """Run one function on files; leaves with 2 for a wrong call, raises for a failure.

    A check is told by the status: 0 holds, 1 does not hold, 2 (``NotToldError``) could not tell.
    """
    function = catalog.function(name)
    try:
        request = FunctionCommand(function).read(words)
        if request.only_sql:
            print(sql_of(function, request))
        elif request.is_check:
            return _check(function, request)
        else:
            answered(function, request, _answer)
    except (TanonError, duckdb.Error, OSError) as error:
        raise NotToldError(one_line(error)) if function.header.holds else error from None
    return 0


def sql_of(function: Function, request: Request) -> str:
    """The SQL of the request: files are looked at only if a role stands for an argument."""
    call = call_of(function, request)
    declared = declared_input(function.header, request.inputs)
    paths = request.inputs.get(declared or "", [])
    if not have_roles(paths, request.roles):
        return preview.sql_of_call(call)
    with _connection() as connection:
        reading = _reading(request, declared)
        take_roles(connection, str(paths[0]), paths, reading.table, request.roles)
        return preview.sql_of_call(call, connection)


def _check(function: Function, request: Request) -> int:
    try:
        result = answered(function, request, judge)
    except (TanonError, duckdb.Error, OSError) as error:
        result = could_not_tell(function, request, error)
    return tell(result, request)


def answered(function: Function, request: Request, work: Work[Found]) -> Found:
    """What work gives on the inputs of a request once they are loaded."""
    with _connection() as connection, staged(request.inputs, request.reading) as inputs:
        runner, bar = InterruptibleRunner(connection), ProgressBar(connection, sys.stderr)

        def whole() -> Found:
            _load(connection, function, request, inputs)
            return work(connection, function, request)

        try:
            found = runner.run(whole, (lambda _seconds: None) if request.quiet else bar.watch)
        except duckdb.Error as error:
            if str(error).startswith("INTERRUPT"):
                raise TanonError("interrupted; nothing was written") from None
            raise
        finally:
            bar.wipe()
            runner.close()
        for line in () if request.quiet else notes(connection, function, request):
            print(line, file=sys.stderr)
        return found


@contextmanager
def _connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection for which a name means a table that was loaded, nothing of Python's."""
    with connect() as connection:
        connection.execute("set python_enable_replacements = false")
        yield connection


def _load(
    connection: duckdb.DuckDBPyConnection,
    function: Function,
    request: Request,
    inputs: dict[str, list[Path]],
) -> None:
    """Make the files tables that the call can name."""
    for name, paths in inputs.items():
        load(connection, name, paths, _reading(request, name))
        read_lists(connection, name, function.header, request.values, request.reading.as_text)
    if declared := declared_input(function.header, request.inputs):
        table = _reading(request, declared).table
        take_roles(connection, declared, request.inputs[declared], table, request.roles)
    if function.is_scalar and inputs:
        _refuse_taken_name(connection, function)


def _reading(request: Request, name: str | None) -> Reading:
    """How an input is read: what is said of files is said of the first."""
    return request.reading if name == next(iter(request.inputs), None) else Reading()


def _answer(connection: duckdb.DuckDBPyConnection, function: Function, request: Request) -> None:
    warns = bool(function.header.warnings) and request.values.get("for_owner") != "true"
    if request.accounted is None and not warns:
        request.output.write(connection, call_of(function, request))
        return
    call = Call(connection, function, _values(connection, request), _names_of_files(request))
    if request.accounted is not None:
        manifest, told = publish(call, _RELEASE)
        request.accounted.write(connection, _RELEASE, manifest)
    else:
        with made(call, _RELEASE) as told:
            request.output.write(connection, f"from {_RELEASE}")
    for line in told:
        warn(line)


def _values(connection: duckdb.DuckDBPyConnection, request: Request) -> dict[str, Any]:
    """The arguments as values of Python, relations by the names under which they are loaded."""
    names = list(request.values)
    (row,) = connection.execute(f"select {', '.join(request.values.values())}").fetchall()
    return {**dict(zip(names, row, strict=True)), **{n: identifier(n) for n in request.inputs}}


def _names_of_files(request: Request) -> dict[str, str]:
    return {
        name: ", ".join(path.name or "standard input" for path in paths)
        for name, paths in request.inputs.items()
    }


def _refuse_taken_name(connection: duckdb.DuckDBPyConnection, function: Function) -> None:
    rows = connection.execute(f"describe from {identifier('source')}").fetchall()
    if any(column.lower() == function.name for column, *_ in rows):
        raise TanonError(
            f"tanon.{function.name}: INPUT must be without a column {function.name}, which is added"
        )
