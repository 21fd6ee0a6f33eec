"""Plan calls: compute facts about the arguments in a separate DuckDB instance, and write the SQL.

Each process has one such instance. It has no table of a user, reads no file, and its settings are
locked. The SQL depends only on the arguments, so the module caches the last 256 results.
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

_CACHED_TEXTS = 256  # texts, of some ten thousand letters each
# Lists that are longer take seconds to bind; no function takes so many columns, or anything.
_LONGEST_CALL = 500_000
_MACRO = re.compile(r"_(text|roles)_of_([a-z_]+)")
_NOT_OF_ARGUMENTS = (
    duckdb.InterruptException,
    duckdb.FatalException,
    duckdb.OutOfMemoryException,
)

_opening = Lock()
_opened: dict[int, duckdb.DuckDBPyConnection] = {}  # by process: no instance survives a fork


def opened() -> duckdb.DuckDBPyConnection:
    """Open the separate instance: macros and plans attached, no access to files."""
    # One thread: it may be left behind by a process that forks.
    connection = duckdb.connect(config={"threads": 1})
    built_files.attach(connection, built_files.TEXTS)
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


@lru_cache(maxsize=_CACHED_TEXTS)
def text_of(macro: str, given: str) -> str:
    """Return the SQL of a call, for example for ``_text_of_k_anonymity`` and ``'visits', ...``.

    ``_roles_of_<function>`` returns a query that first looks roles up. For wrong arguments the SQL
    raises the error, because DuckDB calls this function while it binds.
    """
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
    """Return the plan of a call; ``given`` is the SQL text of its arguments."""
    facts: Mapping[str, Any] = _evaluated(function, f"tanon._facts_of_{function}({given})")
    return call_plan.of_call(_stored_plan(function), facts)


def planned_as(macro: str, described: Mapping[str, Any], function: str, given: str) -> Plan:
    """Return the plan of a call from another stored plan and the macro that computes its facts."""
    with _instance().cursor() as cursor:
        cursor.execute(f"create or replace temporary macro tanon_facts{macro}")
        facts: Mapping[str, Any] = _value(cursor, f"tanon_facts({given})")
    return call_plan.of_call(described, facts)


def by_roles(function: str, given: str) -> str:
    """Return an SQL expression: the arguments of a call, completed from the declared roles."""
    return str(_evaluated(function, f"tanon._by_roles_to_{function}({given})"))


def call(function: str, given: str, values: Any = None) -> Mapping[str, Any]:
    """Return the given arguments of a typed call, and whether roles must or may complete it."""
    found: Mapping[str, Any] = _evaluated(function, f"tanon._call_of_{function}({given})", values)
    return found


def _evaluated(function: str, expression: str, values: Any = None) -> Any:
    if len(expression) > _LONGEST_CALL:
        letters = f"at most {_LONGEST_CALL:,} letters of SQL together"
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
                said = _wrong_kind_message(cursor, function, given) or said
            raise TanonError(said) from None


def _value(cursor: duckdb.DuckDBPyConnection, expression: str, values: Any = None) -> Any:
    (statement,) = cursor.extract_statements(f"select {expression}")
    return cursor.execute(statement, values).fetchall()[0][0]


def _wrong_kind_message(cursor: duckdb.DuckDBPyConnection, function: str, given: str) -> str | None:
    """Return the message for the first argument of a wrong kind; check each argument alone.

    Facts bind all checks together, so DuckDB can fail on an odd type before its check runs. If a
    check cannot be bound, its argument is wrong too.
    """
    for wrong, message in _stored_plan(function)["kinds"]:
        try:
            said = _macro_message(cursor, wrong, given)
        except _NOT_OF_ARGUMENTS:
            raise
        except duckdb.ParserException:
            return None
        except duckdb.Error:
            said = _macro_message(cursor, message, given)
        if said is not None:
            return said
    return None


def _macro_message(cursor: duckdb.DuckDBPyConnection, macro: str, given: str) -> str | None:
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
def _stored_plan(function: str) -> Mapping[str, Any]:
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
