"""Run one check on a connection and tell whether its promise holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import duckdb

from tanon_duck.checking.results import Figure, Result
from tanon_duck.errors import TanonError, not_a_check, nothing_promised, one_line, unknown_argument
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Holds
from tanon_duck.quoting import identifier

_FOUND = "tanon_found"
_SHOWN_ROWS = 5
# What an error of DuckDB says of names; others may quote a value of the data.
_OF_NAMES = ("Binder Error", "Catalog Error")


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
    no_values: bool = False,
    rows: int = _SHOWN_ROWS,
) -> Result:
    """Run a check with Python values as its arguments; what goes wrong is told in the result."""
    try:
        called = _called(function, arguments)
        given = ", ".join(f"{name} := ${name}" for name in arguments)
        connection.execute(
            f"create or replace temp table {_FOUND} as from tanon.{function}({given})",
            dict(arguments),
        )
        told = without_queries(arguments) if no_values else arguments
        return judged(connection, called, _FOUND, told, 0 if no_values else rows)
    except (TanonError, duckdb.Error) as error:
        return could_not_tell(function, arguments, error, no_values)
    finally:
        drop(connection, _FOUND)


def judged(
    connection: duckdb.DuckDBPyConnection,
    function: Function,
    found: str,
    arguments: Mapping[str, Any],
    rows: int = _SHOWN_ROWS,
) -> Result:
    """What the rows of a check, kept in a table, say of its promise."""
    holds = function.header.holds
    assert holds is not None, "only checks are judged"
    columns = [name for name, *_ in connection.execute(f"describe {found}").fetchall()]
    plain = Result(function.name, arguments, None)
    if holds.column and holds.column not in columns:
        return replace(plain, message=nothing_promised(function.name, holds.bound))
    broken = f"from {found}" + (f" where {holds.column} is not true" if holds.column else "")
    figure = _figure(connection, found, holds, arguments)
    ((failing,),) = connection.execute(f"select count(*) {broken}").fetchall()
    shown = connection.execute(f"{broken} limit {rows}").fetchall() if rows else []
    return replace(
        plain,
        holds=failing == 0,
        failing=failing,
        figures=(figure,) if figure else (),
        columns=tuple(columns),
        rows=tuple(shown),
    )


def could_not_tell(
    function: str, arguments: Mapping[str, Any], error: Exception, no_values: bool = False
) -> Result:
    """The result of a check that failed to run."""
    if not no_values:
        return Result(function, arguments, None, message=one_line(error))
    told = without_queries(arguments)
    return Result(function, told, None, message=without_values(error))


def without_values(error: Exception) -> str:
    """An error without what came from the data: up to where a message says what it got."""
    message = one_line(error)
    if message.startswith("tanon"):
        return message.split(", got ")[0]
    kind = message.split(":")[0]
    named = isinstance(error, TanonError) or kind in _OF_NAMES
    return message if named else f"{kind} (its text may hold values)"


def without_queries(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without the text of queries, which may name values of the data."""
    return {
        name: "(a query)" if isinstance(value, str) and re.search(r"[(\s]", value) else value
        for name, value in arguments.items()
    }


def drop(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Take a temporary table away; a transaction that failed takes it along by itself."""
    try:
        connection.execute(f"drop table if exists temp.main.{identifier(table)}")
    except duckdb.Error:
        return


def _called(function: str, arguments: Mapping[str, Any]) -> Function:
    """The function, if it is a check and has these arguments."""
    called = catalog.function(function)
    if called.header.holds is None:
        raise TanonError(not_a_check(function, checks()))
    known = [a.name for a in called.header.arguments]
    for name in arguments:
        if name not in known:
            raise TanonError(unknown_argument(function, name, known))
    return called


def _figure(
    connection: duckdb.DuckDBPyConnection, found: str, holds: Holds, arguments: Mapping[str, Any]
) -> Figure | None:
    if not holds.figure:
        return None
    worst = "min" if holds.sign == ">=" else "max"
    ((value,),) = connection.execute(f"select {worst}({holds.figure}) from {found}").fetchall()
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
