"""A database instance as a Python function sees it that reads while a query is bound.

A connection may not be used by what runs inside its own query, but a cursor of it may. The instance
is held weakly: a function that kept a connection alive would keep the file locked.
"""

import weakref
from collections.abc import Callable
from pathlib import Path

import duckdb

from tanon_duck.errors import TanonError

_known: "weakref.WeakSet[duckdb.DuckDBPyConnection]" = weakref.WeakSet()


def remember(connection: duckdb.DuckDBPyConnection) -> None:
    """A connection through which its instance can be read as long as it is open."""
    _known.add(connection)


class Instance:
    """The instance of a connection, found again through another one where that one is closed."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        opened_again: Callable[[], duckdb.DuckDBPyConnection] | None = None,
    ) -> None:
        """``opened_again`` opens its file a second time: DuckDB finds the instance by its path."""
        self._opened_again = opened_again
        self._connection = weakref.ref(connection)
        with connection.cursor() as cursor:  # its own transaction, if it has one, is left alone
            self._file = _file_of(cursor)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the instance."""
        # Those of other threads are asked last: one of which a cursor is made cannot be closed.
        if self._opened_again and (found := _tried(self._opened_again)):
            return found
        own = self._connection()
        if own is not None and (found := _tried(own.cursor)):
            return found
        for other in list(_known) if self._file else ():
            found = _tried(other.cursor)
            if found is None:
                continue
            if _file_of(found) == self._file:
                return found
            found.close()
        raise TanonError(
            "tanon: the connection that tanon_duck.connect opened is closed, so that roles cannot "
            "be read: keep it open as long as its cursors, or name all columns in the call"
        )


def _tried(opening: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection | None:
    try:
        return opening()
    except duckdb.Error:
        return None


def _file_of(connection: duckdb.DuckDBPyConnection) -> Path | None:
    """The file of the database that the instance was opened with; None in memory."""
    rows = connection.execute(
        "select path from system.main.duckdb_databases() "
        "where database_name = system.main.current_database()"
    ).fetchall()
    return Path(rows[0][0]) if rows and rows[0][0] else None
