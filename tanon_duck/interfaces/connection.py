"""The Python door: connections on which every ``tanon.`` function works."""

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

    What does not fit in memory goes to a folder that only its owner may read, and that is gone
    afterwards, unless the config names a ``temp_directory``.
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

    What stands for a connection and passes calls on to it, as that of duckdb-engine, is one too.

    The functions live in an attached catalog named ``tanon``, so that no database of the user is
    written. A cursor of our own does it: the caller's transaction, open or not, is left alone.
    """
    _install(_own(connection), is_new=False)


def _own(connection: Any) -> duckdb.DuckDBPyConnection:
    """DuckDB's connection: itself, or the one whose methods a wrapper hands out."""
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
    """A new database in memory holds nothing that could be in the way."""
    with _installing, connection.cursor() as cursor:
        if is_new or not _has_functions(cursor):
            python_functions.register(cursor, read_through=connection, reopen=opened_again)
            built_files.attach(cursor, built_files.CONNECTION)
            _call_sql.set_writer(_text_of)
        elif not python_functions.are_registered(cursor):
            python_functions.register(cursor, read_through=connection, reopen=opened_again)
        remember_connection(connection)


def _has_functions(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Whether the instance carries our functions already; an error if they are not ours."""
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


def _text_of(macro: str, given: str) -> str:
    """Make a text; what makes it is loaded when the first one is asked for."""
    from tanon_duck.interfaces import call_planner

    return call_planner.text_of(macro, given)


def _rows(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return cursor.execute(sql).fetchall()


@atexit.register
def _close_what_is_open() -> None:
    """An interpreter that ends with registered functions alive complains on stderr."""
    for connection in list(_open_connections):
        connection.close()
