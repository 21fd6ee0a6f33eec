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

from tanon_duck.errors import must_be
from tanon_duck.quoting import literal

_KEPT = 256  # texts, of some ten thousand letters each
# Lists that are longer take seconds to bind; no function takes so many columns, or anything.
_LONGEST = 500_000
_MACRO = re.compile(r"_(text|query)_of_[a-z_]+")
_NOT_OF_ARGUMENTS = (
    duckdb.InterruptException,
    duckdb.FatalException,
    duckdb.OutOfMemoryException,
)

_opening = Lock()
_opened: dict[int, duckdb.DuckDBPyConnection] = {}  # by process: no instance survives a fork
_open: list[Callable[[], duckdb.DuckDBPyConnection]] = []
_kinds: list[Callable[[str], list[tuple[str, str]]]] = []


def made_by(
    opened: Callable[[], duckdb.DuckDBPyConnection],
    kinds_of: Callable[[str], list[tuple[str, str]]],
) -> None:
    """Say how the instance is opened, when the first text is asked for, and how kinds are checked.

    ``kinds_of`` gives, for the name of a function, two macros for each argument, from their
    parameters on: one for the message of the check of its kind, one for that of a wrong value.
    """
    _open[:], _kinds[:] = [opened], [kinds_of]


@lru_cache(maxsize=_KEPT)
def text_of(macro: str, given: str) -> str:
    """The text that the macro makes of arguments; of wrong ones, one that raises the message."""
    if len(given) > _LONGEST:
        letters = f"at most {_LONGEST:,} letters of SQL together"
        return _raising(
            must_be(macro.partition("_of_")[2], "arguments", letters, f"{len(given):,}")
        )
    with _instance().cursor() as cursor:
        try:
            return str(_value(cursor, f"tanon.{_known(macro)}({given})"))
        except _NOT_OF_ARGUMENTS:
            raise
        except duckdb.Error as error:
            said = str(error).removeprefix("Invalid Input Error: ")
            if not said.startswith("tanon."):
                said = _of_kinds(cursor, macro.partition("_of_")[2], given) or said
            return _raising(said)


def _value(cursor: duckdb.DuckDBPyConnection, expression: str) -> str | None:
    (statement,) = cursor.extract_statements(f"select {expression}")
    value = cursor.execute(statement).fetchall()[0][0]
    return None if value is None else str(value)


def _of_kinds(cursor: duckdb.DuckDBPyConnection, function: str, given: str) -> str | None:
    """The message of the first argument that is of a wrong kind, each looked at alone.

    What makes a text binds all checks at once, and the rest of the text with them: an argument of
    an odd type can end in an error of DuckDB before its check speaks. A check that cannot be bound
    either refuses its argument.
    """
    for wrong, message in _kinds[0](function):
        try:
            said = _of_macro(cursor, wrong, given)
        except _NOT_OF_ARGUMENTS:
            raise
        except duckdb.ParserException:
            return None
        except duckdb.Error:
            said = _of_macro(cursor, message, given)
        if said is not None:
            return said
    return None


def _of_macro(cursor: duckdb.DuckDBPyConnection, macro: str, given: str) -> str | None:
    cursor.execute(f"create or replace temporary macro tanon_wrong{macro}")
    return _value(cursor, f"tanon_wrong({given})")


def _raising(message: str) -> str:
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
