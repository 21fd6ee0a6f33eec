"""A check as a command: its rows or a report, and an exit status that a pipeline can stop at."""

from __future__ import annotations

import sys

import duckdb

from tanon_duck.checking import formats, running
from tanon_duck.checking.results import FAILS, Report, Result
from tanon_duck.doors.files.calls import call_of
from tanon_duck.doors.files.command import Request
from tanon_duck.errors import TanonError
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import identifier

_FOUND = "tanon_found"


def judge(connection: duckdb.DuckDBPyConnection, function: Function, request: Request) -> Result:
    """Run the check on inputs that are loaded, write its rows, and say whether it holds."""
    connection.execute(f"create or replace temp table {_FOUND} as {call_of(function, request)}")
    loaded = {name: identifier(name) for name in request.inputs}
    running.refuse_too_few(connection, function, loaded, request.least_rows)
    if request.format is None or request.output.path is not None:
        request.output.write(connection, f"from {_FOUND}")
    rows = running.SHOWN_ROWS if request.show_values else 0
    return running.judged(connection, function, _FOUND, arguments_of(request), rows=rows)


def could_not_tell(function: Function, request: Request, error: Exception) -> Result:
    """The result where something went wrong."""
    return running.could_not_tell(
        function.name, arguments_of(request), error, values=request.show_values
    )


def tell(result: Result, request: Request) -> int:
    """Print the report where one was asked for, and what is wrong on standard error."""
    if request.format is not None:
        sys.stdout.write(formats.written(Report([result]), request.format))
        sys.stdout.flush()
    if result.holds is None:
        raise NotToldError(result.message)
    if result.status == FAILS and request.format is None and not request.quiet:
        print(f"tanon-duck: {result.sentence()}", file=sys.stderr)
    return result.status


def arguments_of(request: Request) -> dict[str, str]:
    """What was typed, for the report."""
    files = {name: ", ".join(map(str, paths)) for name, paths in request.inputs.items()}
    return files | request.values


class NotToldError(TanonError):
    """Whether a promise holds could not be told: exit status 2."""
