"""Lists the Python functions of this package and registers them in DuckDB.

SQL files call a function as ``tanon_<name>(...)``. DuckDB stores Python functions in its schema
``system.main``, among the built-in functions. There the name is ``_tanon_<name>``.
``with_sql_names`` rewrites the calls in SQL text.
"""

import pkgutil
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import Any

import duckdb
from duckdb.func import PythonUDFType
from duckdb.sqltypes import DuckDBPyType

from tanon_duck import udfs as folder
from tanon_duck.quoting import identifier, literal
from tanon_duck.udfs import ArrowFunction
from tanon_duck.udfs._instances import Instance

# The value of the setting ``username`` in an instance that has the functions. DuckDB ignores it.
MARK = "tanon_duck"
# DuckDB stores only the address of a function. This list prevents that Python frees it.
_functions_with_instance: list[Callable[..., Any]] = []
_CALL = re.compile(r"\btanon_(\w+)\s*\(")


@cache
def names() -> frozenset[str]:
    """Return the names of all Python functions, which are the names of their files."""
    modules = (module.name for module in pkgutil.iter_modules(folder.__path__))
    return frozenset(name for name in modules if not name.startswith("_"))


@cache
def load() -> tuple[ArrowFunction, ...]:
    """Import and return all Python functions.

    DuckDB stores only the address of a function. The cache prevents that Python frees it.
    """
    return tuple(
        getattr(import_module(f"{folder.__name__}.{name}"), name) for name in sorted(names())
    )


def called_in(sql: str) -> Iterator[str]:
    """Yield the name of the Python function of each call ``tanon_<name>(...)`` in SQL text."""
    return (name for name in _CALL.findall(sql) if name in names())


def with_sql_names(sql: str) -> str:
    """Return SQL text in which ``tanon_<name>(`` is ``system.main._tanon_<name>(``.

    Names that are not of Python functions, such as those of steps, do not change.
    """

    def renamed(call: re.Match[str]) -> str:
        by_name = {f.name: f for f in load()}
        function = by_name.get(call[1])
        return f"system.main.{identifier(function.sql_name)}(" if function else call[0]

    return _CALL.sub(renamed, sql)


def register(
    connection: duckdb.DuckDBPyConnection,
    read_through: duckdb.DuckDBPyConnection | None = None,
    reopen: Callable[[], duckdb.DuckDBPyConnection] | None = None,
) -> None:
    """Register every Python function in the connection's database instance.

    Functions that read the database make cursors of ``read_through``, by default of
    ``connection``. Pass it if ``connection`` is closed soon. ``Instance`` explains ``reopen``.
    """
    instance = Instance(read_through or connection, reopen)
    for function in load():
        connection.create_function(
            function.sql_name,
            _call_with_instance(function, instance),
            *_duckdb_types(function),
            type=PythonUDFType.ARROW,
            null_handling=function.null_handling,
            side_effects=function.side_effects,
        )
    # If settings are locked, tanon reads roles only from the session's variable.
    with suppress(duckdb.InvalidInputException):
        connection.execute(f"set global username = {literal(MARK)}")


@cache
def _duckdb_types(function: ArrowFunction) -> tuple[list[Any], DuckDBPyType]:
    """Return the types of the parameters and of the result.

    They are cached, because to parse a type takes as long as to register a function.
    """
    parameters = [DuckDBPyType(sql_type) for sql_type in function.parameters]
    return parameters, DuckDBPyType(function.returns)


def _call_with_instance(function: ArrowFunction, instance: Instance) -> Callable[..., Any]:
    """Return the Python callable, with the instance as its first argument if it takes one."""
    if not function.takes_instance:
        return function.call
    call = partial(function.call, instance)
    _functions_with_instance.append(call)
    return call


def are_registered(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the connection's database instance has the Python functions already."""
    query = "from duckdb_functions() where lower(function_name) = $name limit 1"
    # ``register`` registers all functions or none, so that the first stands for all.
    return all(
        connection.execute(query, {"name": f.sql_name.lower()}).fetchall() for f in load()[:1]
    )
