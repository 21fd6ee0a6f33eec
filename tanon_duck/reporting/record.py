"""What is on record beside the facts: digests, and the releases of the same table."""

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

# Arguments that say who gets which part of the same release.
_OF_THE_SAME = ("for_owner", "result", "secret", "allow_identifying")


@dataclass(frozen=True)
class Record:
    """Rows of a table: what it is about, its digest; and of releases: when, what, how much."""

    digests: tuple[tuple[str, str, str], ...] = ()
    releases: tuple[tuple[str, ...], ...] = ()


def of(connection: duckdb.DuckDBPyConnection, source: Any, released: str | None) -> Record:
    """What is known of a source, and of the release that the report is about."""
    digests = []
    for name, relation in (("source", source), ("release", released)):
        if isinstance(relation, str) and (row := _digest(connection, relation)):
            digests.append((name, f"{row[0]}", row[1]))
    return Record(tuple(digests), tuple(_releases(connection, source)))


def _digest(connection: duckdb.DuckDBPyConnection, relation: str) -> tuple[int, str] | None:
    """NULL where the rows cannot be written by one rule; that is no reason not to report."""
    try:
        rows = connection.execute("from tanon.row_digest($source)", {"source": relation}).fetchall()
    except duckdb.Error:
        return None
    return (rows[0][0], rows[0][1]) if rows else None


def _is_kept(connection: duckdb.DuckDBPyConnection) -> bool:
    found = connection.execute(
        "select count(*) from duckdb_tables() where table_name = $name "
        "and schema_name = current_schema() and database_name = current_database()",
        {"name": TABLE},
    ).fetchall()
    return bool(found[0][0])


def _releases(connection: duckdb.DuckDBPyConnection, source: Any) -> list[tuple[str, ...]]:
    if not isinstance(source, str) or not _is_kept(connection):
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
    """The publisher of a release on record, what it was called with, and what it has chosen."""
    known: list[str] = []
    if _is_kept(connection):
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


def _has_roles(connection: duckdb.DuckDBPyConnection, source: Any, how: str) -> bool:
    """Whether columns of the source are declared, in a way that is asked for."""
    asked = f"select count(*) from tanon.roles($source) where {how} is not null"
    return isinstance(source, str) and bool(
        connection.execute(asked, {"source": source}).fetchall()[0][0]
    )


def as_recorded(connection: duckdb.DuckDBPyConnection, found: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a record, to be taken as they are: roles that were declared since must not
    stand in for what was left out. Hierarchies that roles gave are their builders there, and built
    again; where a file of parents was one of them, whose folder is not on record, roles give them
    again. Whether these are the same, `check_same` tells."""
    source, ways = found.get("source"), found.get("hierarchies")
    if isinstance(ways, dict):
        from_files = any(way.startswith("parents ") for way in ways.values())
        built = f"(from tanon.hierarchies({as_sql(source)}, {as_sql(ways)}))"
        ways = A_QUERY if from_files else built
        found = found | {"hierarchies": ways}
    if ways == A_QUERY:
        if _has_roles(connection, source, "how"):
            return {name: value for name, value in found.items() if name != "hierarchies"}
    elif isinstance(source, str) and source != A_QUERY and _has_roles(connection, source, "role"):
        asked = "select tanon._relation($source)"
        ((relation,),) = connection.execute(asked, {"source": source}).fetchall()
        return found | {"source": f"(select * from {relation})"}
    return found


def check_same(facts: Facts, released: str, chosen: dict[str, Any] | None) -> None:
    """Raise if the facts are not those of the release that is on record."""
    if not chosen or "levels" not in chosen:
        return
    levels = chosen["levels"] or {}
    of_columns = facts.of("columns", "quasi-identifier")
    at = {fact.about.lower(): fact.value for fact in of_columns if fact.about}
    told = {
        "granularity": facts.text("release", "granularity") or None,
        "records": facts.value("release", "rows released"),
        "levels": {name: at.get(name.lower()) for name in levels},
    }
    for name, value in told.items():
        if value != chosen[name]:
            raise TanonError(
                f"report: release must be what its arguments give now, got {name} {value} where "
                f"{released} has {chosen[name]}: its source, a hierarchy or a role has changed"
            )


def told_by(function: str, publisher: str, found: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a report on what a publisher was called with; an error of ours where the
    report would be about something else."""
    known, called = catalog.function(function).header, catalog.function(publisher).header
    if publisher == "publish_series":
        given = {n: v for n, v in found.items() if called.argument(n) and n != "for_owner"}
        copy = ", ".join(f"{name} := {as_sql(value)}" for name, value in given.items())
        found = {"release": f"(from tanon.publish_series({copy}, for_owner := true))"} | found
    told = {}
    for name, value in found.items():
        argument = called.argument(name)
        if known.argument(name) is not None:
            if value == A_QUERY:
                raise TanonError(
                    f"report: {name} must be given, got a release that was made with a query "
                    "there, of which the record holds no text"
                )
            told[name] = value
        elif (
            argument is not None
            and name not in _OF_THE_SAME
            and publisher != "publish_series"
            and as_sql(value) != argument.default
        ):
            raise TanonError(
                f"report: release must be one that tanon.{function} can tell of, got one that "
                f"tanon.{publisher} made with {name} := {as_sql(value)}"
            )
    return told
