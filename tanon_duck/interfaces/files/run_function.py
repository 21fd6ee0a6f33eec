"""Run a function, a check or another task on files, and write its result."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import duckdb

from tanon_duck.accounting.call import Call
from tanon_duck.accounting.manifest import create_release, is_release, publish
from tanon_duck.checking import formats
from tanon_duck.checking import running as checking
from tanon_duck.checking.results import FAILS, Report, Result
from tanon_duck.errors import NotToldError, TanonError, one_line, warn
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.files.function_command import (
    FunctionCommand,
    Request,
    arguments_of,
    call_of,
)
from tanon_duck.interfaces.files.input_roles import declared_input, have_roles, take_roles
from tanon_duck.interfaces.files.inputs import load, read_lists
from tanon_duck.interfaces.files.staged_inputs import Reading, staged
from tanon_duck.interfaces.progress_bar import run_with_bar
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import Quoted, identifier

Found = TypeVar("Found", covariant=True)
_RELEASE = Quoted(f"temp.main.{identifier('the release')}")
_RESULT = "tanon_found"


class Work(Protocol[Found]):
    """A task on a connection with loaded inputs, for example writing the result."""

    def __call__(
        self, connection: duckdb.DuckDBPyConnection, function: Function, request: Request
    ) -> Found: ...


def run(name: str, words: Sequence[str]) -> int:
    """Run one function on files and return the exit status.

    A check returns 0 if it holds and 1 if not. It raises ``NotToldError`` (status 2) if it could
    not be decided.
    """
    function = catalog.function(name)
    try:
        request = FunctionCommand(function).read(words)
        if request.only_sql:
            print(sql_of(function, request))
        elif request.is_check:
            return _check(function, request)
        else:
            answered(function, request, _write_result)
    except (TanonError, duckdb.Error, OSError) as error:
        raise NotToldError(one_line(error)) if function.header.holds else error from None
    return 0


def sql_of(function: Function, request: Request) -> str:
    """Return the SQL of a request; read files only to find roles for omitted arguments."""
    from tanon_duck.interfaces import call_sql  # the compiler, which no other request needs

    call = call_of(function, request)
    declared = declared_input(function.header, request.inputs)
    paths = request.inputs.get(declared or "", [])
    if not have_roles(paths, request.roles):
        return call_sql.sql_of_call(call)
    with _connection() as connection:
        reading = _reading(request, declared)
        take_roles(connection, str(paths[0]), paths, reading.table, request.roles)
        return call_sql.sql_of_call(call, connection)


def _check(function: Function, request: Request) -> int:
    """Run a check, write its report in the requested format, and return the exit status."""
    try:
        result = answered(function, request, _write_and_judge)
    except (TanonError, duckdb.Error, OSError) as error:
        shown = request.show_values
        result = checking.could_not_tell(function.name, arguments_of(request), error, shown)
    if request.format is not None:
        sys.stdout.write(formats.written(Report([result]), request.format))
        sys.stdout.flush()
    if result.holds is None:
        raise NotToldError(result.message)
    if result.status == FAILS and request.format is None and not request.quiet:
        print(f"tanon-duck: {result.sentence()}", file=sys.stderr)
    return result.status


def _write_and_judge(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> Result:
    """Run a check on loaded inputs, write its failing rows, and return the result."""
    connection.execute(f"create or replace temp table {_RESULT} as {call_of(function, request)}")
    loaded = {name: identifier(name) for name in request.inputs}
    checking.refuse_too_few(connection, function, loaded, request.least_rows)
    if request.format is None or request.output.path is not None:
        request.output.write(connection, f"from {_RESULT}")
    rows = checking.SHOWN_ROWS if request.show_values else 0
    return checking.judged(connection, function, _RESULT, arguments_of(request), rows=rows)


def answered(function: Function, request: Request, work: Work[Found]) -> Found:
    """Load the inputs of a request, run the task with a progress bar, and return its result."""
    with _connection() as connection, staged(request.inputs, request.reading) as inputs:

        def whole() -> Found:
            _load(connection, function, request, inputs)
            return work(connection, function, request)

        try:
            found = run_with_bar(connection, whole, request.quiet)
        except duckdb.InterruptException:
            raise TanonError("interrupted; nothing was written") from None
        for line in () if request.quiet else _messages(connection, function, request):
            print(line, file=sys.stderr)
        return found


@contextmanager
def _connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection on which a table name never means a Python variable."""
    with connect() as connection:
        connection.execute("set python_enable_replacements = false")
        yield connection


def _load(
    connection: duckdb.DuckDBPyConnection,
    function: Function,
    request: Request,
    inputs: dict[str, list[Path]],
) -> None:
    """Load the input files as tables, with lists and roles."""
    for name, paths in inputs.items():
        load(connection, name, paths, _reading(request, name))
        read_lists(connection, name, function.header, request.values, request.reading.as_text)
    if declared := declared_input(function.header, request.inputs):
        table = _reading(request, declared).table
        take_roles(connection, declared, request.inputs[declared], table, request.roles)
    if function.is_scalar and inputs:
        _refuse_taken_name(connection, function)


def _reading(request: Request, name: str | None) -> Reading:
    """Return the settings for reading an input; they apply to the first input."""
    return request.reading if name == next(iter(request.inputs), None) else Reading()


def _write_result(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> None:
    warns = bool(function.header.warnings) and is_release(function, request.chosen())
    if request.accounted is None and not warns:
        request.output.write(connection, call_of(function, request))
        return
    call = Call(connection, function, _values(connection, request), _names_of_files(request))
    if request.accounted is not None:
        manifest, told = publish(call, _RELEASE)
        request.accounted.write(connection, _RELEASE, manifest)
    else:
        with create_release(call, _RELEASE) as told:
            request.output.write(connection, f"from {_RELEASE}")
    for line in told:
        warn(line)


def _values(connection: duckdb.DuckDBPyConnection, request: Request) -> dict[str, Any]:
    """Return the arguments as Python values; relations are the names of loaded tables."""
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


def _messages(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> Iterator[str]:
    """Yield the messages after the result: audience, and suppressed columns."""
    header, chosen = function.header, request.chosen()
    audience = header.answer(chosen["result"]).audience
    for_owner = audience == "the owner" or chosen["for_owner"]
    if for_owner and request.output.path is not None:
        yield f"{request.output.path}: for the owner, not for release"
    if audience == "others" and header.argument("keep") and request.inputs:
        source_columns = _columns(connection, identifier(next(iter(request.inputs))))
        released_columns = {
            c.lower() for c in _columns(connection, f"({call_of(function, request)})")
        }
        if absent := [c for c in source_columns if c.lower() not in released_columns]:
            yield f"columns not in the release: {', '.join(absent)}"


def _columns(connection: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    return [name for name, *_ in connection.execute(f"describe from {relation}").fetchall()]
