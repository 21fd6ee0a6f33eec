"""Run ``tanon-duck report KIND INPUT ... -o FILE.html``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.errors import NotToldError, TanonError, file_exists, one_line
from tanon_duck.interfaces.files import run_function
from tanon_duck.interfaces.files.function_command import FunctionCommand, Request, call_of
from tanon_duck.interfaces.files.function_parser import report_of
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import Quoted
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.making import QUERY_COUNT, Report


def run(kind: str, words: Sequence[str]) -> int:
    """Write a report on files; return 0 if the promises hold, else 1.

    `kind` is 'events', 'table_pair', 'stream', 'series' or 'itemsets'; `words` are the other words
    of the command line.
    """
    function, typed, add_page = report_of(kind)
    command = FunctionCommand(function, typed, add_page)
    options = command.parsed(words)
    target, options.output = None if options.output == "-" else Path(options.output), "-"
    request = command.request(options)
    if function.header.argument("queries") is not None:
        request.values.setdefault("queries", str(QUERY_COUNT))
    try:
        if request.only_sql:
            print(run_function.sql_of(function, request))
            return 0
        _check(target, options.force)
        rows = run_function.answered(function, request, _facts)
        made = Report(
            kind, _arguments(request), Facts.read(rows, options.audience), options.audience
        )
        _write(made, target, options.force)
    except (TanonError, duckdb.Error, OSError) as error:
        raise NotToldError(one_line(error)) from None
    if not request.quiet:
        print(f"tanon-duck: {made.page.verdict}", file=sys.stderr)
    return 0 if made.passed else 1


def _check(target: Path | None, force: bool) -> None:
    """Raise if the page cannot be written to `target`; None is standard output."""
    if target is None:
        return
    if target.suffix.lower() not in (".html", ".htm"):
        raise TanonError(f"{target} must end in .html, or be -")
    if not target.parent.is_dir():
        raise TanonError(f"there is no folder {target.parent}")
    if target.exists() and not force:
        raise TanonError(file_exists(target) + "; --force replaces it")


def _facts(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> list[tuple[Any, ...]]:
    """Call a report function and return its rows."""
    return connection.execute(call_of(function, request)).fetchall()


def _arguments(request: Request) -> dict[str, Any]:
    """Return the arguments as the page shows them, with file names for the inputs."""
    inputs = {name: ", ".join(map(str, paths)) for name, paths in request.inputs.items()}
    return inputs | {name: Quoted(value) for name, value in request.values.items()}


def _write(made: Report, target: Path | None, force: bool) -> None:
    """Write the page to a file, or to standard output if `target` is None."""
    if target is None:
        sys.stdout.write(made.html)
        sys.stdout.flush()
    else:
        made.save(target, force)
