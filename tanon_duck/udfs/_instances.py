"""Cursors for Python functions that read the database while DuckDB binds a query.

A function may not use the connection whose query calls it, but may use a cursor of that
connection. An ``Instance`` finds such a cursor. It refers to connections weakly: a function that
kept a connection alive would keep the database file locked.
"""

import weakref
from collections.abc import Callable
from pathlib import Path

import duckdb

from tanon_duck.errors import TanonError

_open_connections: "weakref.WeakSet[duckdb.DuckDBPyConnection]" = weakref.WeakSet()


def remember_connection(connection: duckdb.DuckDBPyConnection) -> None:
    """Add a connection to those that an ``Instance`` may make cursors of."""
    _open_connections.add(connection)


class Instance:
    """A DuckDB database instance, reached through whichever of its connections is still open."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        reopen: Callable[[], duckdb.DuckDBPyConnection] | None = None,
    ) -> None:
        """Refer to the instance of ``connection``.

        ``reopen`` opens the database file once more. In one process DuckDB then returns another
        connection to the same instance.
        """
        self._reopen = reopen
        self._connection = weakref.ref(connection)
        # A cursor, so that a transaction of the connection is not touched.
        with connection.cursor() as cursor:
            self._file = _database_file(cursor)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a new cursor of the instance, or raise TanonError if no connection is open."""
        if self._reopen and (cursor := _opened_or_none(self._reopen)):
            return cursor
        connection = self._connection()
        if connection is not None and (cursor := _opened_or_none(connection.cursor)):
            return cursor
        # Other connections come last, because they may belong to other threads. A connection
        # cannot be closed while a cursor is made of it.
        for other in list(_open_connections) if self._file else ():
            cursor = _opened_or_none(other.cursor)
            if cursor is None:
                continue
            if _database_file(cursor) == self._file:
                return cursor
            cursor.close()
        raise TanonError(
            "tanon: the connection that tanon_duck.connect opened is closed, so that roles cannot "
            "be read: keep it open as long as its cursors, or name all columns in the call"
        )


def _opened_or_none(
    opening: Callable[[], duckdb.DuckDBPyConnection],
) -> duckdb.DuckDBPyConnection | None:
    """Return the connection that ``opening`` opens, or None if DuckDB raises an error."""
    try:
        return opening()
    except duckdb.Error:
        return None


def _database_file(connection: duckdb.DuckDBPyConnection) -> Path | None:
    """Return the file of the connection's current database, or None if it is in memory."""
    rows = connection.execute(
        "select path from system.main.duckdb_databases() "
        "where database_name = system.main.current_database()"
    ).fetchall()
    return Path(rows[0][0]) if rows and rows[0][0] else None
