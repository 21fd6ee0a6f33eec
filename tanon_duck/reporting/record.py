"""Read recorded releases: their digests, their arguments and their source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import duckdb

from tanon_duck.accounting.call import A_QUERY
from tanon_duck.accounting.ledger import TABLE
from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros import catalog
from tanon_duck.quoting import as_sql
from tanon_duck.reporting.facts import Facts

# These arguments select a part of the release and do not change the release.
_RESULT_ARGUMENTS = ("for_owner", "result", "secret", "allow_identifying")


@dataclass(frozen=True)
class Record:
    """Digests of source and release, and the releases of the same source.

    A digest is (name, rows, digest). A release is (time, table, function, rows, digest).
    """

    digests: tuple[tuple[str, str, str], ...] = ()
    releases: tuple[tuple[str, ...], ...] = ()


def of(connection: duckdb.DuckDBPyConnection, source: Any, released: str | None) -> Record:
    """Return digests and recorded releases of a source."""
    digests = []
    for name, relation in (("source", source), ("release", released)):
        if isinstance(relation, str) and (row := _digest(connection, relation)):
            digests.append((name, f"{row[0]}", row[1]))
    return Record(tuple(digests), tuple(_releases(connection, source)))


def _digest(connection: duckdb.DuckDBPyConnection, relation: str) -> tuple[int, str] | None:
    """Return row count and digest of a relation, None if no digest can be computed."""
    try:
        rows = connection.execute("from tanon.row_digest($source)", {"source": relation}).fetchall()
    except duckdb.Error:
        return None
    return (rows[0][0], rows[0][1]) if rows else None


def _ledger_exists(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the current schema has a table of recorded releases."""
    found = connection.execute(
        "select count(*) from duckdb_tables() where table_name = $name "
        "and schema_name = current_schema() and database_name = current_database()",
        {"name": TABLE},
    ).fetchall()
    return bool(found[0][0])


def _releases(connection: duckdb.DuckDBPyConnection, source: Any) -> list[tuple[str, ...]]:
    """Return the recorded releases of a source, oldest first."""
    if not isinstance(source, str) or not _ledger_exists(connection):
        return []
    rows = connection.execute(
        f'select released, "table", "function", "rows", digest from {TABLE} '
        "where source = $source order by released asc nulls last",
        {"source": source},
    ).fetchall()
    return [tuple(str(value) for value in row) for row in rows]


def arguments_of(
    connection: duckdb.DuckDBPyConnection, released: str
) -> tuple[str, dict[str, Any], dict[str, Any] | None]:
    """Return publisher, arguments and chosen levels of a recorded release.

    For example ('publish_events', {'source': 'visits', 'k': 5}, {'granularity': 'week'}).
    """
    known: list[str] = []
    if _ledger_exists(connection):
        known = [n for (n,) in connection.execute(f'select "table" from {TABLE}').fetchall()]
    if released not in known:
        listed = ", ".join(known) or "none"
        raise TanonError(
            f"report: release must be one on record, got {released!r}; there are {listed}"
            + nearest(released, known)
        )
    rows = connection.execute(
        f'select manifest from {TABLE} where "table" = $name '
        "order by released desc nulls last limit 1",
        {"name": released},
    ).fetchall()
    manifest = json.loads(rows[0][0])
    function = catalog.function(manifest["function"].removeprefix("tanon."))
    found: dict[str, Any] = {function.header.relations()[0].name: manifest["source"]["relation"]}
    for name, value in (manifest["parameters"] | manifest["roles"]).items():
        argument = function.header.argument(name)
        if argument is None or value in (None, []):
            continue
        single = isinstance(value, list) and not argument.kind.is_listed
        found[name] = value[0] if single else value
    return function.name, found, manifest.get("chosen")


def _has_roles(connection: duckdb.DuckDBPyConnection, source: Any, column: str) -> bool:
    """Return whether a column of the source has a role, or a hierarchy.

    `column` is the column of tanon.roles that must not be NULL: 'role' or 'how'.
    """
    query = f"select count(*) from tanon.roles($source) where {column} is not null"
    return isinstance(source, str) and bool(
        connection.execute(query, {"source": source}).fetchall()[0][0]
    )


def as_recorded(connection: duckdb.DuckDBPyConnection, found: dict[str, Any]) -> dict[str, Any]:
    """Return recorded arguments in a form that ignores roles declared later.

    A query around the source hides its roles. Hierarchies that came from roles are built again from
    their recorded specifications. If a specification read a file, the roles must build it again,
    because the record has no folder. Later, `check_same` finds out whether the result is the same.
    """
    source, specifications = found.get("source"), found.get("hierarchies")
    if isinstance(specifications, dict):
        from_files = any(
            specification.startswith("parents ") for specification in specifications.values()
        )
        built = f"(from tanon.hierarchies({as_sql(source)}, {as_sql(specifications)}))"
        specifications = A_QUERY if from_files else built
        found = found | {"hierarchies": specifications}
    if specifications == A_QUERY:
        if _has_roles(connection, source, "how"):
            return {name: value for name, value in found.items() if name != "hierarchies"}
    elif isinstance(source, str) and source != A_QUERY and _has_roles(connection, source, "role"):
        query = "select tanon._relation($source)"
        ((relation,),) = connection.execute(query, {"source": source}).fetchall()
        return found | {"source": f"(select * from {relation})"}
    return found


def check_same(facts: Facts, released: str, chosen: dict[str, Any] | None) -> None:
    """Raise if the facts differ from those of the recorded release."""
    if not chosen or "levels" not in chosen:
        return
    levels = chosen["levels"] or {}
    of_columns = facts.of("columns", "quasi-identifier")
    levels_found = {fact.about.lower(): fact.value for fact in of_columns if fact.about}
    arguments = {
        "granularity": facts.text("release", "granularity") or None,
        "records": facts.value("release", "rows released"),
        "levels": {name: levels_found.get(name.lower()) for name in levels},
    }
    for name, value in arguments.items():
        if value != chosen[name]:
            raise TanonError(
                f"report: release must be what its arguments give now, got {name} {value} where "
                f"{released} has {chosen[name]}; its source, a hierarchy or a role has changed "
                f"since"
            )


def report_arguments(function: str, publisher: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of the report function for a recorded call.

    Raise if the report could not describe the release, for example because the record has no text
    of a query.
    """
    known, called = catalog.function(function).header, catalog.function(publisher).header
    if publisher == "publish_series":
        given = {n: v for n, v in found.items() if called.argument(n) and n != "for_owner"}
        copy = ", ".join(f"{name} := {as_sql(value)}" for name, value in given.items())
        found = {"release": f"(from tanon.publish_series({copy}, for_owner := true))"} | found
    arguments = {}
    for name, value in found.items():
        argument = called.argument(name)
        if known.argument(name) is not None:
            if value == A_QUERY:
                raise TanonError(
                    f"report: {name} must be given, got a release that was made with a query "
                    "there; the record does not contain the text of the query"
                )
            arguments[name] = value
        elif (
            argument is not None
            and name not in _RESULT_ARGUMENTS
            and publisher != "publish_series"
            and as_sql(value) != argument.default
        ):
            raise TanonError(
                f"report: release must be one that tanon.{function} can describe, got one that "
                f"tanon.{publisher} made with {name} := {as_sql(value)}"
            )
    return arguments
