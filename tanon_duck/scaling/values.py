"""Add the result of a scalar function as a column of a DataFrame."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck import quoting
from tanon_duck.errors import TanonError, must_be, nearest, one_line
from tanon_duck.interfaces.call_errors import misfit
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import as_sql, identifier
from tanon_duck.scaling import databases
from tanon_duck.scaling.shard import RESULT, ROWS, types, without_values

_OF_COLUMNS = ("value", "time", "integer")


def expression(function: Function, arguments: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Return the call as SQL; a text names a column if a value or time is expected."""
    given = []
    for name, value in arguments.items():
        argument = function.header.argument(name)
        of_column = argument is not None and argument.kind.name in _OF_COLUMNS
        if of_column and isinstance(value, str):
            found = next((c for c in columns if c.lower() == value.lower()), None)
            if found is None:
                got = f"{value!r}{nearest(value, columns)}"
                raise TanonError(must_be(function.name, name, "a column of the DataFrame", got))
            given.append(f"{name} := {identifier(found)}")
        else:
            given.append(f"{name} := {_constant(function.name, name, value)}")
    if wrong := misfit(function, quoting.arguments(f"{', '.join(given)})", 0)[0]):
        raise TanonError(wrong)
    return f"tanon.{function.name}({', '.join(given)})"


def _constant(function: str, name: str, value: Any) -> str:
    if value is None or isinstance(value, str | bool | int | float):
        return as_sql(value)
    allowed = "the name of a column, a text or a number"
    raise TanonError(must_be(function, name, allowed, type(value).__name__))


def described(create: str, call: str, column: str) -> dict[str, str]:
    """Return the columns after adding one, with their types; raise if it exists."""
    with databases.cursor({}, {}) as connection:
        connection.execute(create)
        if column.lower() in (c.lower() for c in types(connection, ROWS)[0]):
            name = call.partition("(")[0].removeprefix("tanon.")
            raise TanonError(must_be(name, "column", "a name that no column has", repr(column)))
        nothing = ", ".join("null" for _ in types(connection, ROWS)[0])
        connection.execute(f"insert into {ROWS} values ({nothing})")
        try:
            connection.execute(
                f"create temp table {RESULT} as "
                f"select *, {call} as {identifier(column)} from {ROWS}"
            )
        except duckdb.Error as error:
            raise TanonError(one_line(error)) from None
        return types(connection, RESULT)[0]


Batches = Iterable[pa.RecordBatch]


def task(
    call: str, stored: str, column: str, memory: str, settings: Mapping[str, str]
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Return the function that a Python worker applies to its batches."""
    config = {"threads": "1", "memory_limit": memory}

    def each(batches: Batches) -> Iterator[pa.RecordBatch]:
        with databases.cursor(config, settings) as connection:
            for batch in batches:
                connection.register(ROWS, pa.Table.from_batches([batch]))
                query = f"select *, {call} as {identifier(column)} from {ROWS}"
                try:
                    yield from connection.sql(f"select {stored} from ({query})").to_arrow_reader()
                except duckdb.Error as error:
                    # Spark writes this into logs of the cluster.
                    raise TanonError(without_values(error)) from None
                connection.unregister(ROWS)

    return each
