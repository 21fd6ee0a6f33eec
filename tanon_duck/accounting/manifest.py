"""The manifest of a release: names, counts, digests and promises; no value of anybody.

It may go where the release goes. Of the source it has a digest only where the secret lasts, keyed
by it: by a plain digest whoever knows all values but one would find the one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import duckdb

from tanon_duck._version import __version__
from tanon_duck.accounting import warned
from tanon_duck.accounting.call import Call, columns_of, creating
from tanon_duck.errors import TanonError, not_for_others
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import Quoted, identifier

VERSION = 1
Manifest = dict[str, Any]
_OWNERS = Quoted(f"temp.main.{identifier('the copy of the owner')}")


def publish(call: Call, table: Quoted) -> tuple[Manifest, list[str]]:
    """Call a publisher into a table that is made, check what it gave, and write down what was done.

    The manifest, and what the owner should know of the release.
    """
    if not is_release(call.function, call.values):
        raise TanonError(not_for_others(call.function.name, publishers()))
    with made(call, table) as told:
        return _account(call, table), told


@contextmanager
def made(call: Call, table: Quoted) -> Iterator[list[str]]:
    """The table of a release, and what its owner should know of it.

    Where the check counts respondents the table is made of the owner's copy, the same rows with
    whom each is about, so that everything is worked out once; not so a remainder, of which the copy
    has the rows one by one. The copy is there meanwhile.
    """
    connection = call.connection
    if "$tanon_owner" not in call.function.header.promises:
        call.create(table)
        yield warned.lines(call, table)
        return
    call.create(_OWNERS, for_owner=True)
    try:
        respondent = identifier(call.values["respondent"])
        if call.values.get("remainder"):
            call.create(table)
        else:
            connection.execute(f"{creating(table)} select * exclude ({respondent}) from {_OWNERS}")
        yield warned.lines(call, table, _OWNERS)
    finally:
        connection.execute(f"drop table if exists {_OWNERS}")


def is_release(function: Function, values: Mapping[str, Any]) -> bool:
    """Say whether a call gives something for others; neither a copy for the owner nor a summary."""
    is_for_others = function.header.answer(values.get("result")).audience == "others"
    return is_for_others and not values.get("for_owner")


def publishers() -> list[str]:
    """The functions whose results are for others."""
    return sorted(name for name, f in catalog.functions().items() if f.header.promises)


def written(manifest: Manifest) -> str:
    """A manifest as the text of a file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str) + "\n"


def _account(call: Call, table: Quoted) -> Manifest:
    function, release, source = call.function, described(call.connection, table), call.source()
    chosen, left_out = _chosen(call), source["rows"] - release["rows"]
    criteria = (chosen or {}).pop("criteria", None) or []  # counted in the rows that leave
    return {
        "manifest": VERSION,
        "function": f"tanon.{function.name}",
        "released": now(),
        "versions": versions(),
        "release": release,
        "source": source,
        "roles": call.roles(),
        "parameters": call.parameters(),
        "secret": call.secret(),
        "chosen": chosen,
        "suppressed": (chosen or {}).get("suppressed", left_out)
        if any(answer.name == "suppressed" for answer in function.header.answers)
        else None,
        "checks": _checked(call, table) + held(function.name, criteria),
    }


def now() -> str:
    """The time of a release."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """What made a release."""
    return {"tanon_duck": __version__, "duckdb": duckdb.__version__}


def described(connection: duckdb.DuckDBPyConnection, relation: str) -> Manifest:
    """Columns, rows and digest of what left."""
    (row,) = records(connection, "from tanon.row_digest($relation)", {"relation": relation})
    return {"columns": columns_of(connection, relation), **row}


def _checked(call: Call, table: Quoted) -> list[dict[str, Any]]:
    """What the function promises of the release: promise, found, holds; raises if one fails."""
    name, _, rest = call.function.header.promises.partition("(")
    values = call.values | {"tanon_release": str(table), "tanon_owner": str(_OWNERS)}
    return checked(call.connection, call.function.name, f"{name}($tanon_release, {rest}", values)


def checked(
    connection: duckdb.DuckDBPyConnection, function: str, check: str, values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The rows of a check of a release; raises if one does not hold."""
    used = {word: values[word] for word in re.findall(r"\$(\w+)", check)}
    return held(function, records(connection, f"from tanon.{check}", used))


def held(function: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Promises and what was found of them; raises if one does not hold."""
    broken = [row for row in rows if row["holds"] is not True]
    if broken:
        told = "; ".join(f"{r['property']}: {r['found']} instead of {r['promise']}" for r in broken)
        raise TanonError(
            f"tanon.{function}: the release must keep its promises, got {told}: nothing was written"
        )
    return rows


def _chosen(call: Call) -> dict[str, Any] | None:
    """Return the row of the publisher's summary: what it decided by itself."""
    if all(answer.name != "summary" for answer in call.function.header.answers):
        return None
    given = call.given | {"result": "summary"}
    named = ", ".join(f"{name} := ${name}" for name in given)
    rows = records(call.connection, f"from tanon.{call.function.name}({named})", given)
    return rows[0] if rows else None


def records(
    connection: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The rows of a query by the names of their columns."""
    cursor = connection.execute(sql, dict(values))
    names = [name for name, *_ in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
