"""To begin a publication, or to go on with one."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any

import duckdb

from tanon_duck.errors import SECRET_ALLOWED, TanonError, nearest
from tanon_duck.interfaces.connection import install
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.names import columns_of, publications_of, schema_of, tables_of
from tanon_duck.publishing.parameters import (
    FUNCTION,
    Parameters,
    header,
    judged,
    look_at_source,
    refuse,
    refuse_other_values,
)
from tanon_duck.publishing.stream import Progress, Publication
from tanon_duck.publishing.tables import Tables
from tanon_duck.publishing.transactions import keep_at_once, transaction
from tanon_duck.quoting import identifier, joined
from tanon_duck.secret import is_secret, new_secret

# Where the columns are that tell what version began a publication.
_OF_VERSION = ("manifest", "state")
# Ours, and those that DuckDB keeps for itself.
_TAKEN = {"tanon", "temp", "main", "system", "pg_catalog", "information_schema"}


def publication(
    con: duckdb.DuckDBPyConnection,
    name: str,
    source: str | None = None,
    ts: str | None = None,
    sensitive: str | None = None,
    qi: str | Sequence[str] | None = None,
    l: float | Decimal | str | None = None,  # noqa: E741
    w: int | str | None = None,
    granularity: int | str | None = None,
    move_cost: str | None = None,
    suppress_cost: float | Decimal | str | None = None,
    method: str | None = None,
    start: str | None = None,
    lateness: str | None = None,
    allow_identifying: str | Sequence[str] | None = None,
    respondent: str | None = None,
    rows_are_persons: bool | None = None,
    repeats: str | None = None,
    *,
    secret: str | None = None,
) -> Publication:
    """Begin a publication, or go on with the one of this name.

    A new publication needs source, ts, sensitive, qi, l, w and respondent. rows_are_persons=True
    replaces respondent if each row is about another person. granularity, move_cost, suppress_cost,
    method, start, lateness and repeats have the meaning that they have in ``tanon.publish_stream``.
    allow_identifying names columns of qi that the release may contain although they nearly identify
    a respondent. If no secret is given, tanon draws one and stores it in the schema. To continue a
    publication, its name is enough: further arguments must equal those with which it began.
    """
    arguments = locals()
    asked = {a.name: arguments[a.name] for a in header().arguments}
    given = {argument: value for argument, value in asked.items() if value is not None}
    install(con)
    return _begun(con, name, given, secret)


def _begun(
    con: duckdb.DuckDBPyConnection, name: str, given: Mapping[str, Any], secret: str | None
) -> Publication:
    chosen, before = _secret_of(secret), _kept(con, name)
    if before is None:
        _refuse_unknown(con, name, given)
    now = judged(con, name, given, before)
    if before is None:
        look_at_source(con, now)
        with transaction(con, name):
            Tables(con, name, now, exists=False).create(now, chosen)
        keep_at_once(con)
    else:
        is_new = Tables(con, name, before).record("state")["seen"] is None
        refuse_other_values(name, given, now, before, is_new)
    begun = Publication(name, before or now, Tables(con, name, before or now))
    begun.refuse_another_secret(secret)
    return begun


def rehearsed(
    con: duckdb.DuckDBPyConnection, name: str, upto: Any, force: bool, given: Mapping[str, Any]
) -> Progress:
    """What beginning and advancing would come to; nothing of it is kept."""
    install(con)
    known = {argument: value for argument, value in given.items() if value is not None}
    if _kept(con, name) is not None:
        return _begun(con, name, known, None).advance(upto, force, dry_run=True)
    _refuse_unknown(con, name, known)
    now = judged(con, name, known, None)
    look_at_source(con, now)
    with transaction(con, name, keep=False):
        Tables(con, name, now, exists=False).create(now, new_secret())
        return Publication(name, now, Tables(con, name, now)).advance_within(upto, force)


def _secret_of(given: str | None) -> str:
    """The secret of a publication that begins: the given one, else a new one."""
    if given is None:
        return new_secret()
    if not isinstance(given, str) or not is_secret(given):
        raise TanonError(
            f"tanon.{FUNCTION}: secret must be {SECRET_ALLOWED}, got one that is too short, "
            "can be guessed or is none"
        )
    return given.lower()


def _refuse_unknown(
    connection: duckdb.DuckDBPyConnection, name: str, given: Mapping[str, Any]
) -> None:
    """Raise where nothing is given but the name, as if to go on, and nothing has been begun."""
    if not given:
        hint = nearest(name, publications_of(connection))
        allowed = "a publication that has been begun, where nothing else is given"
        raise TanonError(f"{refuse('name', allowed, name)}{hint}")


def _kept(connection: duckdb.DuckDBPyConnection, name: str) -> Parameters | None:
    """The parameters of the publication of this name, None if there is no such schema."""
    wrong = refuse("name", "the name of a publication or of no schema yet", name)
    if not isinstance(name, str) or not name.strip() or name.lower() in _TAKEN:
        raise wrong
    found = tables_of(connection, name)
    if found is None:
        return None
    if not {"manifest", "state", "released"} <= found:
        raise wrong
    schema, wanted = schema_of(connection, name), [field.name for field in fields(Parameters)]
    tables = (
        of_text("from {{ schema }}.{{ table }}", schema=schema, table=identifier(table))
        for table in _OF_VERSION
    )
    there = {column for table in tables for column, _ in columns_of(connection, table)}
    if not {"secret", "advanced_by", *wanted} <= there:
        raise TanonError(
            f"tanon.{FUNCTION}: {name!r} was begun by an older version of tanon_duck, whose "
            "state this one cannot go on from: begin it anew under another name"
        )
    asked = of_text(
        "select {{ wanted }} from {{ schema }}.manifest",
        wanted=joined(map(identifier, wanted)),
        schema=schema,
    )
    values = dict(zip(wanted, connection.execute(asked).fetchall()[0], strict=True))
    return Parameters(
        **values | {name: tuple(values[name]) for name in ("qi", "allow_identifying")}
    )
