"""The instance of DuckDB that makes the texts of calls, and holds the macros that do."""

import duckdb

from tanon_duck.doors import kept_catalog
from tanon_duck.macros import left_out, rendering
from tanon_duck.macros.catalog import functions


def opened() -> duckdb.DuckDBPyConnection:
    """An instance that holds nothing else, and that nobody can read a file with."""
    # One thread: it may be left behind by a process that forks.
    connection = duckdb.connect(config={"threads": 1})
    kept_catalog.attach(connection, kept_catalog.TEXTS)
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def kinds_of(function: str) -> list[tuple[str, str]]:
    """Two macros for each argument, from their parameters on; none for an argument of any kind.

    One gives the message of the check of its kind, or NULL, one the message of a wrong value.
    """
    header = functions()[function].header
    needed, others = left_out.in_order(header)
    arguments = ", ".join([*(a.name for a in needed), *(f"{a.name} := NULL" for a in others)])
    found = []
    for a, say, wrong in rendering.checks_of_kinds(function, header):
        # No message shows a secret.
        got = say if a.kind.name == "secret" else f"tanon._got({say}, {a.name})"
        start = f"({arguments}) as (case when {a.name} is not null then"
        if wrong:
            found.append((f"{start} {wrong} end)", f"{start} {got} end)"))
    return found
