"""Run one check on a connection and return its result."""

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
SHOWN_ROWS = 5  # failing rows that a result contains
# These errors of DuckDB name tables and columns; others may quote a value of the data.
_ERRORS_WITHOUT_VALUES = ("Binder Error", "Catalog Error")
_NEAREST = re.compile(r"; did you mean [^;]+\?$")


def is_check(function: str) -> bool:
    """Return whether a function is a check, whose promise can hold or fail."""
    return catalog.function(function).header.holds is not None


def checks() -> list[str]:
    """Return the names of all checks."""
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
    """Run a check with Python values as arguments; errors become part of the result.

    The result contains counts and names of columns. If ``values`` is true, it also contains the
    first ``rows`` failing rows. Up to ``allowed`` rows may fail. A relation with fewer than
    ``least`` rows is an error.
    """
    try:
        called = check_named(function, arguments)
        shown_arguments = arguments if values else without_queries(arguments)
        with found_by(connection, function, arguments) as found:
            refuse_too_few(connection, called, arguments, least)
            shown = rows if values else 0
            return judged(connection, called, found, shown_arguments, allowed=allowed, rows=shown)
    except duckdb.InterruptException:
        raise
    except (TanonError, duckdb.Error) as error:
        return could_not_tell(function, arguments, error, values)


def least_rows(min_rows: int | None, allow_empty: bool) -> int:
    """Return how many rows a relation must have: 1 unless an argument changes it."""
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
    """Raise if the relation of a check has fewer than `least` rows."""
    main = function.header.relations()[0].name
    ((relation,),) = connection.execute(
        "select tanon._relation($source)", {"source": arguments[main]}
    ).fetchall()
    ((found,),) = connection.execute(
        f"select count(*) from (from {relation} limit {least})"
    ).fetchall()
    if found < least:
        # A count of rows is not a value of the data, so that the message may contain it.
        wanted = "a row, unless allow_empty says otherwise" if least == 1 else f"min_rows ({least})"
        message = must_be(function.name, main, f"a relation with {wanted}", f"{found} rows")
        raise DataError(message, message)


@contextmanager
def found_by(
    connection: duckdb.DuckDBPyConnection, function: str, arguments: Mapping[str, Any]
) -> Iterator[str]:
    """Store the rows of a function in a temporary table; drop it afterwards."""
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
    """Return the result of a check whose rows are in the table `found`."""
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
    """Return the SQL clause that shows the worst rows first, equal in every run."""
    figure = f"{holds.figure} {'desc' if holds.sign == '<=' else 'asc'} nulls last, "
    return f"order by {figure if holds.figure else ''}columns(*) asc nulls last"


def breaking(holds: Holds) -> str:
    """Return the SQL condition that a row of a check breaks its promise."""
    return f"{identifier(holds.column)} is not true" if holds.column else "true"


def could_not_tell(
    function: str, arguments: Mapping[str, Any], error: Exception, values: bool = False
) -> Result:
    """Return the result of a check that raised an error."""
    if values:
        return Result(function, arguments, None, message=one_line(error))
    shown_arguments = without_queries(arguments)
    return Result(function, shown_arguments, None, message=without_values(error))


def without_values(error: Exception) -> str:
    """Return the message of an error without values of the data.

    The part after 'got' is removed. A hint such as 'did you mean' stays, because it names a column
    or an argument.
    """
    message = one_line(error)
    if isinstance(error, DataError):
        return error.without_values
    if message.startswith("tanon"):
        nearest = _NEAREST.search(message)
        return message.split(", got ")[0] + (nearest[0] if nearest else "")
    kind = message.split(":")[0]
    named = isinstance(error, TanonError) or kind in _ERRORS_WITHOUT_VALUES
    return message if named else f"{kind} (its text may contain values)"


def without_queries(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the text of each query with '(a query)', as it may contain values."""
    return {name: without_query(value) for name, value in arguments.items()}


def without_query(value: Any) -> Any:
    """Return '(a query)' for text with a blank or parenthesis, else the value."""
    return "(a query)" if isinstance(value, str) and re.search(r"[(\s]", value) else value


def drop(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Drop a temporary table, and ignore errors.

    A failed transaction drops the table itself.
    """
    try:
        connection.execute(f"drop table if exists temp.main.{identifier(table)}")
    except duckdb.Error:
        return


def check_named(function: str, arguments: Mapping[str, Any]) -> Function:
    """Return the check of this name; raise if an argument is unknown."""
    called = catalog.function(function)
    if called.header.holds is None:
        raise TanonError(f"tanon.{function} is not a check; checks are {', '.join(checks())}")
    known = [a.name for a in called.header.arguments]
    for name in arguments:
        if name not in known:
            raise TanonError(unknown_argument(function, name, known))
    return called


def _figure(
    connection: duckdb.DuckDBPyConnection, rows: str, holds: Holds, arguments: Mapping[str, Any]
) -> Figure | None:
    """Return the worst value of the column that the check measures, with its bound."""
    if not holds.figure:
        return None
    worst = "min" if holds.sign == ">=" else "max"
    ((value,),) = connection.execute(f"select {worst}({holds.figure}) from {rows}").fetchall()
    return Figure(holds.figure, value, holds.sign, _as_number(arguments.get(holds.bound)))


def _as_number(value: Any) -> Any:
    """Return a bound as a number if its text is one."""
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
