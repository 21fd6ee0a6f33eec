"""The instance of DuckDB that makes the texts of calls, and holds the macros that do."""

import duckdb

from tanon_duck.doors import kept_catalog


def opened() -> duckdb.DuckDBPyConnection:
    """An instance that holds nothing else, and that nobody can read a file with."""
    # One thread: it may be left behind by a process that forks.
    connection = duckdb.connect(config={"threads": 1})
    kept_catalog.attach(connection, kept_catalog.TEXTS)
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection
