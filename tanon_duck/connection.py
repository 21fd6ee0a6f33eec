"""The Python door: connections on which every ``tanon.`` function works."""

import atexit
import contextlib
import threading
import weakref
from os import PathLike
from typing import Any

import duckdb

from tanon_duck import __version__, kept_catalog, python_functions
from tanon_duck.errors import (
    TanonError,
    database_named_tanon,
    foreign_schema,
    other_version,
)
from tanon_duck.quoting import literal

_open_connections: "weakref.WeakSet[duckdb.DuckDBPyConnection]" = weakref.WeakSet()
# What the stock shell of today can open; by itself DuckDB 2.0 writes a newer format.
STORAGE_OF_THE_SHELL = "v1.5.0"
# Two threads that open one database at once must not both create the functions.
_installing = threading.Lock()


def connect(
    path: str | PathLike[str] = ":memory:", read_only: bool = False, **duckdb_options: Any
) -> duckdb.DuckDBPyConnection:
    """Open a database with every ``tanon.`` function ready; its file stays as it is."""
    connection = duckdb.connect(str(path), read_only=read_only, **duckdb_options)
    try:
        install(connection)
    except BaseException:
        connection.close()
        raise
    _open_connections.add(connection)
    return connection


def install(connection: duckdb.DuckDBPyConnection) -> None:
    """Make every ``tanon.`` function ready on a connection that is open already.

    The functions live in an attached catalog named ``tanon``, so that no database of the user is
    written. A cursor of our own does it: the caller's transaction, open or not, is left alone.
    """
    with _installing, connection.cursor() as cursor:
        if not _has_functions(cursor):
            python_functions.register(cursor)
            _attach_functions(cursor)
        elif not python_functions.are_known(cursor):
            python_functions.register(cursor)


def _attach_functions(cursor: duckdb.DuckDBPyConnection) -> None:
    """From the kept file where there is one that can be attached, else in memory."""
    if kept := kept_catalog.file():
        with contextlib.suppress(duckdb.Error):
            cursor.execute(f"attach {literal(str(kept))} as tanon (read_only)")
            return
    cursor.execute("attach ':memory:' as tanon (read_write)")
    cursor.execute(kept_catalog.statements())


def _has_functions(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Whether the instance carries our functions already; an error if they are not ours."""
    if _rows(cursor, "from duckdb_databases() where database_name = 'tanon'"):
        if installed_version(cursor, "tanon.main") != __version__:
            raise TanonError(database_named_tanon())
        return True
    current = "schema_name = 'tanon' and database_name = current_database()"
    if not _rows(cursor, f"from duckdb_schemas() where {current}"):
        return False
    where = "from duckdb_databases() where database_name = current_database()"
    database = _rows(cursor, f"select coalesce(path, database_name) {where}")[0][0]
    found = installed_version(cursor, "tanon")
    if found is None:
        raise TanonError(foreign_schema(database))
    if found != __version__:
        raise TanonError(other_version(database, found, __version__))
    return True


def installed_version(cursor: duckdb.DuckDBPyConnection, schema: str) -> str | None:
    """The version of the functions in this schema, None where it holds none of ours."""
    try:
        return str(_rows(cursor, f"select {schema}.version()")[0][0])
    except duckdb.Error:
        return None


def _rows(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return cursor.execute(sql).fetchall()


@atexit.register
def _close_what_is_open() -> None:
    """An interpreter that ends with registered functions alive complains on stderr."""
    for connection in list(_open_connections):
        connection.close()
