"""Write the manifest of a release: names, counts, digests, promises.

A manifest contains no value of a person, so that others may receive it together with the release.
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
_OWNERS_COPY = Quoted(f"temp.main.{identifier('the copy of the owner')}")


def publish(call: Call, table: Quoted) -> tuple[Manifest, list[str]]:
    """Call a publisher into a new table, check the release and describe it.

    Return the manifest, and the warnings for the owner.
    """
    if not is_release(call.function, call.values):
        raise TanonError(not_for_others(call.function.name, publishers()))
    with create_release(call, table) as warnings:
        return _manifest_of(call, table), warnings


@contextmanager
def create_release(call: Call, table: Quoted) -> Iterator[list[str]]:
    """Create the table of a release, and yield the warnings for its owner.

    If a check counts respondents, the publisher makes the owner's copy first. The release is this
    copy without the column of respondents, so that nothing is computed twice. The copy of a release
    with a remainder has other rows, and the publisher is then called twice. The copy exists until
    the block ends.
    """
    connection = call.connection
    if "$tanon_owner" not in call.function.header.promises:
        call.create(table)
        yield warned.lines(call, table)
        return
    call.create(_OWNERS_COPY, for_owner=True)
    try:
        respondent = identifier(call.values["respondent"])
        if call.values.get("remainder"):
            call.create(table)
        else:
            connection.execute(
                f"{creating(table)} select * exclude ({respondent}) from {_OWNERS_COPY}"
            )
        yield warned.lines(call, table, _OWNERS_COPY)
    finally:
        connection.execute(f"drop table if exists {_OWNERS_COPY}")


def is_release(function: Function, values: Mapping[str, Any]) -> bool:
    """Return whether the result of a call is for others.

    A copy for the owner and a summary are not for others.
    """
    is_for_others = function.header.answer(values.get("result")).audience == "others"
    return is_for_others and not values.get("for_owner")


def publishers() -> list[str]:
    """Return the names of the functions whose results are for others."""
    return sorted(name for name, f in catalog.functions().items() if f.header.promises)


def written(manifest: Manifest) -> str:
    """Return a manifest as the JSON text of a file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str) + "\n"


def _manifest_of(call: Call, table: Quoted) -> Manifest:
    """Return the manifest of a release; raise if a promise does not hold."""
    function, release, source = call.function, described(call.connection, table), call.source()
    chosen, suppressed = _chosen(call), source["rows"] - release["rows"]
    criteria = (chosen or {}).pop("criteria", None) or []
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
        "suppressed": (chosen or {}).get("suppressed", suppressed)
        if any(answer.name == "suppressed" for answer in function.header.answers)
        else None,
        "checks": _checked(call, table) + require_promises(function.name, criteria),
    }


def now() -> str:
    """Return the current time in UTC, for example '2024-03-02T09:30:00+00:00'."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """Return the versions of tanon_duck and DuckDB."""
    return {"tanon_duck": __version__, "duckdb": duckdb.__version__}


def described(connection: duckdb.DuckDBPyConnection, relation: str) -> Manifest:
    """Return columns, row count and digest of a released relation."""
    (row,) = records(connection, "from tanon.row_digest($relation)", {"relation": relation})
    return {"columns": columns_of(connection, relation), **row}


def _checked(call: Call, table: Quoted) -> list[dict[str, Any]]:
    """Check the promises of a publisher's header; return a row for each promise."""
    name, _, rest = call.function.header.promises.partition("(")
    values = call.values | {"tanon_release": str(table), "tanon_owner": str(_OWNERS_COPY)}
    return checked(call.connection, call.function.name, f"{name}($tanon_release, {rest}", values)


def checked(
    connection: duckdb.DuckDBPyConnection, function: str, check: str, values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Run a check of a release; return its rows, or raise if a promise is broken.

    `check` is a call with prepared values, for example 'check_release($values, k := $k)'.
    """
    used = {word: values[word] for word in re.findall(r"\$(\w+)", check)}
    return require_promises(function, records(connection, f"from tanon.{check}", used))


def require_promises(function: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of checks; raise if one of them does not hold."""
    broken = [row for row in rows if row["holds"] is not True]
    if broken:
        problems = "; ".join(
            f"{r['property']}: {r['found']} instead of {r['promise']}" for r in broken
        )
        raise TanonError(
            f"tanon.{function}: the release must keep its promises, got {problems}; nothing was "
            f"written"
        )
    return rows


def _chosen(call: Call) -> dict[str, Any] | None:
    """Return the publisher's summary: what it chose by itself, None without one."""
    if all(answer.name != "summary" for answer in call.function.header.answers):
        return None
    given = call.given | {"result": "summary"}
    named = ", ".join(f"{name} := ${name}" for name in given)
    rows = records(call.connection, f"from tanon.{call.function.name}({named})", given)
    return rows[0] if rows else None


def records(
    connection: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries."""
    cursor = connection.execute(sql, dict(values))
    names = [name for name, *_ in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
