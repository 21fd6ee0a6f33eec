"""Open DuckDB connections with the functions, or install the functions on open connections."""

import atexit
import threading
import weakref
from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck._version import __version__
from tanon_duck.errors import (
    TanonError,
    database_named_tanon,
    foreign_schema,
    must_be,
)
from tanon_duck.interfaces import built_files, installed_functions, open_database, spill_folder
from tanon_duck.udfs import _call_sql
from tanon_duck.udfs import _registry as python_functions
from tanon_duck.udfs._instances import remember_connection

_open_connections: "weakref.WeakSet[duckdb.DuckDBPyConnection]" = weakref.WeakSet()
# Two threads that open one database at once must not both create the functions.
_installing = threading.Lock()


def connect(
    path: str | PathLike[str] = ":memory:", read_only: bool = False, **duckdb_options: Any
) -> duckdb.DuckDBPyConnection:
    """Open a database with every ``tanon.`` function ready; its file stays as it is.

    DuckDB writes data that exceeds the memory to a temporary folder that only its owner can read.
    Name another folder with ``temp_directory`` in ``config``.
    """
    connection = open_database.opened(path, read_only=read_only, **duckdb_options)
    is_new = str(path) == ":memory:"
    again = partial(duckdb.connect, Path(path).absolute(), read_only, **duckdb_options)
    try:
        _install(connection, is_new, None if is_new or not Path(path).exists() else again)
        if "temp_directory" not in (duckdb_options.get("config") or {}):
            spill_folder.keep_private(connection)
    except BaseException:
        connection.close()
        raise
    _open_connections.add(connection)
    return connection


def install(connection: Any) -> None:
    """Make every ``tanon.`` function ready on a connection that is open already.

    ``connection`` can also be a wrapper, for example the one of duckdb-engine.

    The functions are in an attached catalog named ``tanon``. No database of the user changes, and
    an open transaction stays open, because a separate cursor attaches the catalog.
    """
    _install(_unwrapped(connection), is_new=False)


def _unwrapped(connection: Any) -> duckdb.DuckDBPyConnection:
    """Return the DuckDB connection behind an object: the object itself, or the one it wraps."""
    given = getattr(connection, "driver_connection", None) or connection
    for each in (given, getattr(getattr(given, "interrupt", None), "__self__", None)):
        if isinstance(each, duckdb.DuckDBPyConnection):
            return each
    got = type(connection).__name__
    raise TanonError(must_be("install", "connection", "a DuckDB connection", got))


def _install(
    connection: duckdb.DuckDBPyConnection,
    is_new: bool,
    opened_again: Callable[[], duckdb.DuckDBPyConnection] | None = None,
) -> None:
    """Attach the catalog and register the Python functions, if the database does not have them."""
    with _installing, connection.cursor() as cursor:
        if is_new or not _has_functions(cursor):
            python_functions.register(cursor, read_through=connection, reopen=opened_again)
            built_files.attach(cursor, built_files.CONNECTION)
            _call_sql.set_writer(_call_text)
        elif not python_functions.are_registered(cursor):
            python_functions.register(cursor, read_through=connection, reopen=opened_again)
        remember_connection(connection)


def _has_functions(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the database has our functions; raise if its ``tanon`` is of someone else."""
    attached = _rows(
        cursor, "select path from system.main.duckdb_databases() where database_name = 'tanon'"
    )
    if attached:
        if attached[0][0] != str(built_files.file(built_files.CONNECTION)):
            raise TanonError(database_named_tanon())
        return True
    current = "schema_name = 'tanon' and database_name = system.main.current_database()"
    if not _rows(cursor, f"from system.main.duckdb_schemas() where {current}"):
        return False
    where = (
        "from system.main.duckdb_databases() where database_name = system.main.current_database()"
    )
    path, name = _rows(cursor, f"select coalesce(path, database_name), database_name {where}")[0]
    found = installed_functions.listed(cursor, name, "tanon")
    version = installed_functions.stated_version(found)
    if version is None:
        raise TanonError(foreign_schema(path))
    if version != __version__:
        theirs = f"of version {version}, this is tanon_duck {__version__}"
        raise TanonError(_wrong_functions(path, theirs))
    if not built_files.are_own(cursor, found):
        theirs = "that are not those of this tanon_duck"
        raise TanonError(_wrong_functions(path, theirs))
    return True


def _wrong_functions(database: str, found: str) -> str:
    return (
        f"{database} carries tanon functions {found}: type `tanon-duck install {database}` to "
        f"renew them or `tanon-duck uninstall {database}` to take them out"
    )


def _call_text(macro: str, given: str) -> str:
    """Return the SQL of a call; import the planner only now, to keep ``connect`` fast."""
    from tanon_duck.interfaces import call_planner

    return call_planner.text_of(macro, given)


def _rows(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return cursor.execute(sql).fetchall()


@atexit.register
def _close_what_is_open() -> None:
    """Close all connections; else Python reports registered functions on stderr at its end."""
    for connection in list(_open_connections):
        connection.close()
