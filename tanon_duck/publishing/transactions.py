"""Transactions of the connection of a user: one of our own, all or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from tanon_duck.errors import TanonError
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.parameters import FUNCTION


def in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether one is open: a second BEGIN would spoil it."""
    asked = of_text("select txid_current()")
    first, second = (connection.execute(asked).fetchall() for _ in range(2))
    return first == second


@contextmanager
def transaction(
    connection: duckdb.DuckDBPyConnection, name: str, keep: bool = True
) -> Iterator[None]:
    """All or nothing, whatever happens to the process in between; nothing unless it is kept."""
    if in_transaction(connection):
        raise TanonError(
            f"tanon.{FUNCTION}: a step of {name!r} is a transaction of its own: "
            "end the one that is open on this connection"
        )
    connection.execute("begin transaction")
    try:
        yield
    except BaseException as error:
        connection.execute("rollback")
        if isinstance(error, duckdb.TransactionException):
            raise TanonError(
                f"tanon.{FUNCTION}: {name!r} is being moved on by another connection, "
                "and nothing is done here: try again"
            ) from None
        raise
    connection.execute("commit" if keep else "rollback")


def keep_at_once(connection: duckdb.DuckDBPyConnection) -> None:
    """Write what no later step can give again, as the secret, past the log: a log can be lost."""
    with suppress(duckdb.Error):  # somebody else's transaction is open
        connection.execute("checkpoint")
