"""Files that DuckDB writes with COPY."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from tanon_duck.quoting import literal

_SETTING = "select system.main.current_setting('async_threads')"


def copy(connection: duckdb.DuckDBPyConnection, rows: str, path: str, options: str) -> None:
    """Write the rows of a query to a file, or to a folder of files, so that Ctrl-C can stop it."""
    with _without_asynchronous_threads(connection):
        connection.execute(f"copy ({rows}) to {literal(path)} ({options})")


@contextmanager
def _without_asynchronous_threads(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Turn off the threads for whose tasks DuckDB 2.0.0 can wait for ever after an interrupt.

    They stay on if the configuration is locked.
    """
    (threads,) = connection.execute(_SETTING).fetchall()[0]
    with suppress(duckdb.InvalidInputException):
        connection.execute("set async_threads = 0")
    try:
        yield
    finally:
        with suppress(duckdb.InvalidInputException):
            connection.execute(f"set async_threads = {threads}")
