"""Run a step of a publication in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from tanon_duck.errors import TanonError
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.parameters import FUNCTION


def in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the connection has an open transaction.

    Two calls of txid_current() return the same number only inside a transaction.
    """
    query = of_text("select txid_current()")
    first, second = (connection.execute(query).fetchall() for _ in range(2))
    return first == second


@contextmanager
def transaction(
    connection: duckdb.DuckDBPyConnection, name: str, commit: bool = True
) -> Iterator[None]:
    """Run the block in a transaction: commit it, or roll it back if it raises.

    If `commit` is false, the transaction is always rolled back. Raise if a transaction is already
    open.
    """
    if in_transaction(connection):
        raise TanonError(
            f"tanon.{FUNCTION}: a step of {name!r} must be a transaction of its own, "
            "got a connection with an open one; commit it or roll it back first"
        )
    connection.execute("begin transaction")
    try:
        yield
    except BaseException as error:
        connection.execute("rollback")
        if isinstance(error, duckdb.TransactionException):
            raise TanonError(
                f"tanon.{FUNCTION}: another connection is advancing {name!r}, "
                "so that this step changed nothing; try again"
            ) from None
        raise
    connection.execute("commit" if commit else "rollback")


def write_checkpoint(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the database's log into its file, because a log can be lost.

    The secret of a new publication cannot be computed again. Nothing happens if another transaction
    is open.
    """
    with suppress(duckdb.Error):  # another transaction is open
        connection.execute("checkpoint")
