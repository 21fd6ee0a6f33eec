"""Run one check on a connection and tell whether its promise holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import duckdb

from tanon_duck.checking.results import Figure, Result
from tanon_duck.errors import (
    DataError,
    TanonError,
    must_be,
    nothing_promised,
    one_line,
    unknown_argument,
)
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Holds
from tanon_duck.quoting import identifier

_FOUND = "tanon_found"
SHOWN_ROWS = 5  # of those that break a promise
# What an error of DuckDB says of names; others may quote a value of the data.
_OF_NAMES = ("Binder Error", "Catalog Error")
_NEAREST = re.compile(r"; did you mean [^;]+\?$")


def is_check(function: str) -> bool:
    """Whether the function promises something that can hold or not."""
    return catalog.function(function).header.holds is not None


def checks() -> list[str]:
    """The names of all checks."""
    return sorted(name for name in catalog.functions() if is_check(name))


def run(
    connection: duckdb.DuckDBPyConnection,
    function: str,
    arguments: Mapping[str, Any],
    *,
    values: bool = False,
    rows: int = SHOWN_ROWS,
    allowed: int = 0,
    least: int = 1,
) -> Result:
    """Run a check with Python values as its arguments; the result holds any error.

    The result holds counts and names of columns; with ``values`` also the first rows that break the
    promise. Up to ``allowed`` rows may break it. Fewer than ``least`` rows are an error.
    """
    try:
        called = check_named(function, arguments)
        told = arguments if values else without_queries(arguments)
        with found_by(connection, function, arguments) as found:
            refuse_too_few(connection, called, arguments, least)
            shown = rows if values else 0
            return judged(connection, called, found, told, allowed=allowed, rows=shown)
    except duckdb.InterruptException:
        raise
    except (TanonError, duckdb.Error) as error:
        return could_not_tell(function, arguments, error, values)


def least_rows(min_rows: int | None, allow_empty: bool) -> int:
    """How many rows a table must have so that a check of it tells something: one by itself."""
    if min_rows is not None and (type(min_rows) is not int or min_rows < 1):
        raise TanonError(f"min_rows must be a whole number of 1 or more, got {min_rows!r}")
    if min_rows is not None and allow_empty:
        raise TanonError("allow_empty must not come with min_rows")
    return 0 if allow_empty else min_rows or 1


def refuse_too_few(
    connection: duckdb.DuckDBPyConnection,
    function: Function,
    arguments: Mapping[str, Any],
    least: int,
) -> None:
    """Raise if the relation that a check looks at has fewer rows than it must have."""
    main = function.header.relations()[0].name
    ((relation,),) = connection.execute(
        "select tanon._relation($source)", {"source": arguments[main]}
    ).fetchall()
    ((found,),) = connection.execute(
        f"select count(*) from (from {relation} limit {least})"
    ).fetchall()
    if found < least:
        # A count is no value.
        wanted = "a row, unless allow_empty says otherwise" if least == 1 else f"min_rows ({least})"
        message = must_be(function.name, main, f"a relation with {wanted}", f"{found} rows")
        raise DataError(message, message)


@contextmanager
def found_by(
    connection: duckdb.DuckDBPyConnection, function: str, arguments: Mapping[str, Any]
) -> Iterator[str]:
    """The rows that a function gives, in a table that is gone afterwards."""
    given = ", ".join(f"{name} := ${name}" for name in arguments)
    call = f"create or replace temp table {_FOUND} as from tanon.{function}({given})"
    try:
        connection.execute(call, dict(arguments))
        yield _FOUND
    finally:
        drop(connection, _FOUND)


def judged(
    connection: duckdb.DuckDBPyConnection,
    function: Function,
    found: str,
    arguments: Mapping[str, Any],
    *,
    allowed: int = 0,
    rows: int = SHOWN_ROWS,
) -> Result:
    """Return the result of a check whose rows stand in a table."""
    holds = function.header.holds
    assert holds is not None, "only checks are judged"
    columns = [name for name, *_ in connection.execute(f"describe {found}").fetchall()]
    plain = Result(function.name, arguments, None, allowed=allowed)
    if holds.column and holds.column not in columns:
        return replace(plain, message=nothing_promised(function.name, function.header.held_to()))
    broken = f"from {found} where {breaking(holds)}"
    figure = _figure(connection, found if holds.column else f"({broken})", holds, arguments)
    ((failing,),) = connection.execute(f"select count(*) {broken}").fetchall()
    shown = connection.execute(f"{broken} {_worst_first(holds)} limit {rows}").fetchall()
    return replace(
        plain,
        holds=failing <= allowed,
        failing=failing,
        figures=(figure,) if figure else (),
        columns=tuple(columns),
        rows=tuple(shown),
    )


def _worst_first(holds: Holds) -> str:
    """The order of rows that are shown: the same in every run."""
    figure = f"{holds.figure} {'desc' if holds.sign == '<=' else 'asc'} nulls last, "
    return f"order by {figure if holds.figure else ''}columns(*) asc nulls last"


def breaking(holds: Holds) -> str:
    """Return the SQL condition that a row of a check breaks its promise."""
    return f"{identifier(holds.column)} is not true" if holds.column else "true"


def could_not_tell(
    function: str, arguments: Mapping[str, Any], error: Exception, values: bool = False
) -> Result:
    """The result of a check that failed to run."""
    if values:
        return Result(function, arguments, None, message=one_line(error))
    told = without_queries(arguments)
    return Result(function, told, None, message=without_values(error))


def without_values(error: Exception) -> str:
    """An error without what came from the data: what a message says it got.

    The name that is nearest to a misspelt one stays: it is a column's or a word of ours.
    """
    message = one_line(error)
    if isinstance(error, DataError):
        return error.without_values
    if message.startswith("tanon"):
        nearest = _NEAREST.search(message)
        return message.split(", got ")[0] + (nearest[0] if nearest else "")
    kind = message.split(":")[0]
    named = isinstance(error, TanonError) or kind in _OF_NAMES
    return message if named else f"{kind} (its text may hold values)"


def without_queries(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without the text of queries, which may name values of the data."""
    return {name: without_query(value) for name, value in arguments.items()}


def without_query(value: Any) -> Any:
    """The same for one argument: each text with a space or a parenthesis counts as a query."""
    return "(a query)" if isinstance(value, str) and re.search(r"[(\s]", value) else value


def drop(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Take a temporary table away; a transaction that failed takes it along by itself."""
    try:
        connection.execute(f"drop table if exists temp.main.{identifier(table)}")
    except duckdb.Error:
        return


def check_named(function: str, arguments: Mapping[str, Any]) -> Function:
    """The function, if it is a check and has these arguments."""
    called = catalog.function(function)
    if called.header.holds is None:
        raise TanonError(f"tanon.{function} is not a check: checks are {', '.join(checks())}")
    known = [a.name for a in called.header.arguments]
    for name in arguments:
        if name not in known:
            raise TanonError(unknown_argument(function, name, known))
    return called


def _figure(
    connection: duckdb.DuckDBPyConnection, rows: str, holds: Holds, arguments: Mapping[str, Any]
) -> Figure | None:
    if not holds.figure:
        return None
    worst = "min" if holds.sign == ">=" else "max"
    ((value,),) = connection.execute(f"select {worst}({holds.figure}) from {rows}").fetchall()
    return Figure(holds.figure, value, holds.sign, _as_number(arguments.get(holds.bound)))


def _as_number(value: Any) -> Any:
    """A bound as it was given; text of a command line or of a rational as a number."""
    if not isinstance(value, str):
        return value
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return None
