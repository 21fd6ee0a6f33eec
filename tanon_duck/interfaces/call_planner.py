"""The instance of DuckDB that knows about arguments what the text of a call needs.

There is one in a process. It holds no table of a user, reads no file, and no setting of it can be
changed. A text depends on the arguments alone, so that the last ones are kept.
"""

import json
import os
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from threading import Lock
from typing import Any

import duckdb

from tanon_duck.errors import TanonError, must_be
from tanon_duck.interfaces import built_files
from tanon_duck.macros import call_plan
from tanon_duck.macros.call_plan import Plan
from tanon_duck.quoting import literal

_KEPT = 256  # texts, of some ten thousand letters each
# Lists that are longer take seconds to bind; no function takes so many columns, or anything.
_LONGEST = 500_000
_MACRO = re.compile(r"_(text|roles)_of_([a-z_]+)")
_NOT_OF_ARGUMENTS = (
    duckdb.InterruptException,
    duckdb.FatalException,
    duckdb.OutOfMemoryException,
)

_opening = Lock()
_opened: dict[int, duckdb.DuckDBPyConnection] = {}  # by process: no instance survives a fork


def opened() -> duckdb.DuckDBPyConnection:
    """An instance that holds nothing else, and that nobody can read a file with."""
    # One thread: it may be left behind by a process that forks.
    connection = duckdb.connect(config={"threads": 1})
    built_files.attach(connection, built_files.TEXTS)
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


@lru_cache(maxsize=_KEPT)
def text_of(macro: str, given: str) -> str:
    """The text of a call, or of a query that finds its roles; of wrong arguments the error."""
    found = _MACRO.fullmatch(macro)
    if not found or found[2] not in _functions():
        raise ValueError(f"no macro makes texts that is called {macro!r}")
    function = found[2]
    try:
        if found[1] == "roles":
            made = f"tanon._made({literal(function)}, {by_roles(function, given)})"
            return f"from system.main.query({made})"
        return planned(function, given).text()
    except TanonError as error:
        return f"from system.main.query(system.main.error({literal(str(error))})::varchar)"


def planned(function: str, given: str) -> Plan:
    """The plan of a call, by the text of its arguments."""
    facts: Mapping[str, Any] = _asked(function, f"tanon._facts_of_{function}({given})")
    return call_plan.of_call(_described(function), facts)


def planned_as(macro: str, described: Mapping[str, Any], function: str, given: str) -> Plan:
    """The same by another plan of the function, and a macro that gives the facts for it."""
    with _instance().cursor() as cursor:
        cursor.execute(f"create or replace temporary macro tanon_facts{macro}")
        facts: Mapping[str, Any] = _value(cursor, f"tanon_facts({given})")
    return call_plan.of_call(described, facts)


def by_roles(function: str, given: str) -> str:
    """The SQL of the text of all arguments, roles filled in where it runs."""
    return str(_asked(function, f"tanon._by_roles_to_{function}({given})"))


def call(function: str, given: str, values: Any = None) -> Mapping[str, Any]:
    """What a call as it is typed gives, and whether roles must or may stand for what it lacks."""
    found: Mapping[str, Any] = _asked(function, f"tanon._call_of_{function}({given})", values)
    return found


def _asked(function: str, expression: str, values: Any = None) -> Any:
    if len(expression) > _LONGEST:
        letters = f"at most {_LONGEST:,} letters of SQL together"
        raise TanonError(must_be(function, "arguments", letters, f"{len(expression):,}"))
    with _instance().cursor() as cursor:
        try:
            return _value(cursor, expression, values)
        except _NOT_OF_ARGUMENTS:
            raise
        except duckdb.Error as error:
            said = str(error).removeprefix("Invalid Input Error: ")
            if not said.startswith("tanon.") and values is None:
                given = expression[expression.index("(") + 1 : -1]
                said = _of_kinds(cursor, function, given) or said
            raise TanonError(said) from None


def _value(cursor: duckdb.DuckDBPyConnection, expression: str, values: Any = None) -> Any:
    (statement,) = cursor.extract_statements(f"select {expression}")
    return cursor.execute(statement, values).fetchall()[0][0]


def _of_kinds(cursor: duckdb.DuckDBPyConnection, function: str, given: str) -> str | None:
    """The message of the first argument that is of a wrong kind, each looked at alone.

    The facts bind all checks at once: an argument of an odd type can end in an error of DuckDB
    before its check speaks. A check that cannot be bound either refuses its argument.
    """
    for wrong, message in _described(function)["kinds"]:
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
    found: str | None = _value(cursor, f"tanon_wrong({given})")
    return found


@cache
def _functions() -> frozenset[str]:
    with _instance().cursor() as cursor:
        return frozenset(
            n for (n,) in cursor.execute("select function from tanon.plans").fetchall()
        )


@cache
def _described(function: str) -> Mapping[str, Any]:
    with _instance().cursor() as cursor:
        asked = "select plan from tanon.plans where function = $1"
        ((text,),) = cursor.execute(asked, [function]).fetchall()
    described: Mapping[str, Any] = json.loads(text)
    return described


def _instance() -> duckdb.DuckDBPyConnection:
    with _opening:
        own = os.getpid()
        if own not in _opened:
            _opened[own] = opened()
        return _opened[own]
