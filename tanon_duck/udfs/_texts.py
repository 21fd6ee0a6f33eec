"""Making the texts of calls in an instance of DuckDB beside the user's, one a process.

A text hangs on the arguments alone, so that the last ones are kept: to bind the expression that
makes it is most of a call on few rows. Nothing of the user's is there, and nothing can be reached
from there; whoever calls the function by hand gets what the macros give.
"""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

import duckdb

from tanon_duck.quoting import literal

_KEPT = 256  # texts, of some ten thousand letters each
_MACRO = re.compile(r"_(text|query)_of_[a-z_]+")

_opening = Lock()
_opened: dict[int, duckdb.DuckDBPyConnection] = {}  # by process: no instance survives a fork
_open: list[Callable[[], duckdb.DuckDBPyConnection]] = []


def made_by(opened: Callable[[], duckdb.DuckDBPyConnection]) -> None:
    """Say how the instance is opened; it is when the first text is asked for."""
    _open[:] = [opened]


@lru_cache(maxsize=_KEPT)
def text_of(macro: str, given: str) -> str:
    """The text that the macro makes of arguments; of wrong ones, one that raises the message."""
    with _instance().cursor() as cursor:
        try:
            (statement,) = cursor.extract_statements(f"select tanon.{_known(macro)}({given})")
            return str(cursor.execute(statement).fetchall()[0][0])
        except (duckdb.InterruptException, duckdb.FatalException, duckdb.OutOfMemoryException):
            raise
        except duckdb.Error as error:
            message = str(error).removeprefix("Invalid Input Error: ")
            return f"from system.main.query(system.main.error({literal(message)})::varchar)"


def _known(macro: str) -> str:
    if not _MACRO.fullmatch(macro):
        raise ValueError(f"no macro makes texts that is called {macro!r}")
    return macro


def _instance() -> duckdb.DuckDBPyConnection:
    with _opening:
        own = os.getpid()
        if own not in _opened:
            _opened[own] = _open[0]()
        return _opened[own]
