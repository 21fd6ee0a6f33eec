"""Begin a publication, or continue one."""

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
    check_source,
    checked_parameters,
    header,
    refuse,
    refuse_other_values,
)
from tanon_duck.publishing.stream import Progress, Publication
from tanon_duck.publishing.tables import Tables
from tanon_duck.publishing.transactions import transaction, write_checkpoint
from tanon_duck.quoting import identifier, joined
from tanon_duck.secret import is_secret, new_secret

# The columns of these tables show which version of tanon_duck created them.
_VERSIONED_TABLES = ("manifest", "state")
_RESERVED_SCHEMAS = {"tanon", "temp", "main", "system", "pg_catalog", "information_schema"}


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
    passed = {a.name: arguments[a.name] for a in header().arguments}
    given = {argument: value for argument, value in passed.items() if value is not None}
    install(con)
    return _begin_or_continue(con, name, given, secret)


def _begin_or_continue(
    con: duckdb.DuckDBPyConnection, name: str, given: Mapping[str, Any], secret: str | None
) -> Publication:
    """Return the publication `name`; create its schema if it does not exist.

    `given` holds the arguments that the caller passed. For an existing publication they must equal
    the stored ones.
    """
    chosen_secret, stored = _secret_or_new(secret), _stored_parameters(con, name)
    if stored is None:
        _refuse_missing(con, name, given)
    parameters = checked_parameters(con, name, given, stored)
    if stored is None:
        check_source(con, parameters)
        with transaction(con, name):
            Tables(con, name, parameters, exists=False).create(parameters, chosen_secret)
        write_checkpoint(con)
    else:
        is_new = Tables(con, name, stored).record("state")["seen"] is None
        refuse_other_values(name, given, parameters, stored, is_new)
    stream = Publication(name, stored or parameters, Tables(con, name, stored or parameters))
    stream.refuse_another_secret(secret)
    return stream


def rehearsed(
    con: duckdb.DuckDBPyConnection, name: str, upto: Any, force: bool, given: Mapping[str, Any]
) -> Progress:
    """Return the progress of an advance that is rolled back afterwards.

    If the publication does not exist, this function also begins it and rolls that back.
    """
    install(con)
    known = {argument: value for argument, value in given.items() if value is not None}
    if _stored_parameters(con, name) is not None:
        return _begin_or_continue(con, name, known, None).advance(upto, force, dry_run=True)
    _refuse_missing(con, name, known)
    parameters = checked_parameters(con, name, known, None)
    check_source(con, parameters)
    with transaction(con, name, commit=False):
        Tables(con, name, parameters, exists=False).create(parameters, new_secret())
        return Publication(name, parameters, Tables(con, name, parameters)).advance_within(
            upto, force
        )


def _secret_or_new(given: str | None) -> str:
    """Return the given secret in lower case, or a new random secret."""
    if given is None:
        return new_secret()
    if not isinstance(given, str) or not is_secret(given):
        raise TanonError(f"tanon.{FUNCTION}: secret must be {SECRET_ALLOWED}, got another value")
    return given.lower()


def _refuse_missing(
    connection: duckdb.DuckDBPyConnection, name: str, given: Mapping[str, Any]
) -> None:
    """Raise if the caller passed a name only and no such publication exists."""
    if not given:
        hint = nearest(name, publications_of(connection))
        raise TanonError(
            f"tanon.{FUNCTION}: publication {name!r} does not exist; to create it, pass "
            f"source, ts, sensitive, qi, l, w and respondent{hint}"
        )


def _stored_parameters(connection: duckdb.DuckDBPyConnection, name: str) -> Parameters | None:
    """Return the parameters of the publication `name`, None if it does not exist.

    Raise if the schema exists but is no publication, or if an older version created it.
    """
    wrong = refuse("name", "the name of a publication or of no schema yet", name)
    if not isinstance(name, str) or not name.strip() or name.lower() in _RESERVED_SCHEMAS:
        raise wrong
    found = tables_of(connection, name)
    if found is None:
        return None
    if not {"manifest", "state", "released"} <= found:
        raise wrong
    schema, wanted = schema_of(connection, name), [field.name for field in fields(Parameters)]
    tables = (
        of_text("from {{ schema }}.{{ table }}", schema=schema, table=identifier(table))
        for table in _VERSIONED_TABLES
    )
    found_columns = {column for table in tables for column, _ in columns_of(connection, table)}
    if not {"secret", "advanced_by", *wanted} <= found_columns:
        raise TanonError(
            f"tanon.{FUNCTION}: {name!r} was begun by an older version of tanon_duck, and "
            "this version cannot continue it; begin a publication under another name"
        )
    passed = of_text(
        "select {{ wanted }} from {{ schema }}.manifest",
        wanted=joined(map(identifier, wanted)),
        schema=schema,
    )
    values = dict(zip(wanted, connection.execute(passed).fetchall()[0], strict=True))
    return Parameters(
        **values | {name: tuple(values[name]) for name in ("qi", "allow_identifying")}
    )
