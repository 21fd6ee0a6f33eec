"""The Python functions that SQL bodies call as ``tanon_<name>(...)``, and how DuckDB learns them.

Each file of ``tanon_duck/udfs`` declares one, with ``@arrow_function``. DuckDB keeps them beside
its own functions, in no schema of ours: an underscore in front keeps them apart.
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

# Stands in a setting that DuckDB ignores where an instance knows the functions.
MARK = "tanon_duck"
_kept_alive: list[Callable[..., Any]] = []  # DuckDB keeps only their addresses


@cache
def names() -> frozenset[str]:
    """The names of all Python functions: the stems of their files, shared pieces (``_``) aside."""
    modules = (module.name for module in pkgutil.iter_modules(folder.__path__))
    return frozenset(name for name in modules if not name.startswith("_"))


@cache
def load() -> tuple[ArrowFunction, ...]:
    """All Python functions. The cache keeps them alive, as DuckDB keeps only their addresses."""
    return tuple(
        getattr(import_module(f"{folder.__name__}.{name}"), name) for name in sorted(names())
    )


def called_in(sql: str) -> Iterator[str]:
    """The names of the Python functions that a body calls."""
    return (name for name in re.findall(r"\btanon_(\w+)\s*\(", sql) if name in names())


def with_sql_names(sql: str) -> str:
    """The SQL with each call of ``tanon_<name>`` under the name that DuckDB knows."""

    def renamed(call: re.Match[str]) -> str:
        by_name = {f.name: f for f in load()}
        known = by_name.get(call[1])
        return f"system.main.{identifier(known.sql_name)}(" if known else call[0]

    return re.sub(r"\btanon_(\w+)\s*\(", renamed, sql)


def register(
    connection: duckdb.DuckDBPyConnection,
    lasting: duckdb.DuckDBPyConnection | None = None,
    opened_again: Callable[[], duckdb.DuckDBPyConnection] | None = None,
) -> None:
    """Make every Python function known to the connection's database instance.

    ``lasting`` is the one through which they read it, if that is not the connection itself.
    """
    instance = Instance(lasting or connection, opened_again)
    for function in load():
        connection.create_function(
            function.sql_name,
            _call_of(function, instance),
            *_types(function),
            type=PythonUDFType.ARROW,
            null_handling=function.null_handling,
            side_effects=function.side_effects,
        )
    # Where settings are locked, roles are those of the session's variable alone.
    with suppress(duckdb.InvalidInputException):
        connection.execute(f"set global username = {literal(MARK)}")


@cache
def _types(function: ArrowFunction) -> tuple[list[Any], DuckDBPyType]:
    """What it takes and gives; to read a type costs as much as to register a function."""
    return [DuckDBPyType(kind) for kind in function.parameters], DuckDBPyType(function.returns)


def _call_of(function: ArrowFunction, instance: Instance) -> Callable[..., Any]:
    if not function.of_instance:
        return function.call
    bound = partial(function.call, instance)
    _kept_alive.append(bound)
    return bound


def are_known(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the connection's database instance knows the Python functions already."""
    known = "from duckdb_functions() where lower(function_name) = $name limit 1"
    return all(
        connection.execute(known, {"name": f.sql_name.lower()}).fetchall() for f in load()[:1]
    )
