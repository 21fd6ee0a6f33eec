"""A database with the private macros, which are most of what making a text costs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import duckdb

from tanon_duck.macros import creating


class _OfThread(threading.local):
    """One for each thread, made when it is first wanted."""

    @cached_property
    def database(self) -> duckdb.DuckDBPyConnection:
        made = duckdb.connect()
        made.execute("attach ':memory:' as tanon")
        for statement in creating.private_statements():
            made.execute(statement)
        return made


_own = _OfThread()


@contextmanager
def private_macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """The database, for one text: what is made for it is gone afterwards."""
    _own.database.execute("begin")
    try:
        yield _own.database
    finally:
        _own.database.execute("rollback")
