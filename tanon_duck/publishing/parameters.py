"""Check the arguments of a publication and store them in its schema.

``procedures/stream.sql`` declares the arguments. They have the same kinds as arguments of
functions, and the same SQL checks them.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any

import duckdb

from tanon_duck.algorithms.reposition.eligibility import rational_l
from tanon_duck.errors import TanonError, must_be, must_be_allowed, one_line
from tanon_duck.macros import builtin_functions, kinds, plan_compiler, source_ctes, text_tree
from tanon_duck.macros.catalog import described, file_text
from tanon_duck.macros.header import Argument, Header
from tanon_duck.quoting import identifier, literal

FUNCTION = "publication"
# What to type if the source was moved or its columns have changed.
REBASE_ADVICE = (
    "pass its new name to rebase(source) or --rebase, or a query in parentheses that restores the "
    "old names and types of its columns"
)


@dataclass(frozen=True)
class Parameters:
    """The arguments of a publication as its manifest stores them, without the secret."""

    source: str
    respondent: str | None
    rows_are_persons: bool
    ts: str
    sensitive: str
    l: str  # noqa: E741
    w: int
    granularity: str | None
    move_cost: str
    suppress_cost: str | None
    method: str
    start: str
    lateness: str
    repeats: str
    qi: tuple[str, ...]
    allow_identifying: tuple[str, ...]


@cache
def header() -> Header:
    """Return the header of the arguments that begin a publication."""
    return described(file_text("procedures/stream.sql"))


def refuse(argument: str, allowed: str, got: object) -> TanonError:
    """Return the error for a wrong argument: 'x must be ..., got ...'."""
    shown = repr(got) if isinstance(got, str) or got is None else str(got)
    return TanonError(must_be(FUNCTION, argument, allowed, shown))


def checked_parameters(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    given: Mapping[str, Any],
    stored: Parameters | None,
) -> Parameters:
    """Check the arguments of a publication and return them as they are stored.

    `given` holds the arguments of this call. `stored` holds those of the existing publication, or
    is None if the publication is new. Raise if an argument is missing or wrong.
    """
    known = given if stored is None else {**_without_nulls(stored), **given}
    for argument in header().arguments:
        if argument.name not in known and not argument.default:
            raise TanonError(
                f"tanon.{FUNCTION}: {argument.name} must be given to begin {name!r}, got none"
            )
    row = _checked_row(connection, known)
    if row["wrong"] is not None:
        raise TanonError(row["wrong"])
    values = {field.name: row[field.name] for field in fields(Parameters)}
    lists = {name: tuple(values[name]) for name in ("qi", "allow_identifying")}
    try:
        return Parameters(**values | lists | {"l": str(rational_l(values["l"]))})
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _checked_row(connection: duckdb.DuckDBPyConnection, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored form of each argument, and a message in `wrong` or None."""
    for argument in header().arguments:
        value = known.get(argument.name)
        try:
            connection.execute("select $value", {"value": value})
        except duckdb.Error:  # SQL has no values of this Python type
            allowed = must_be_allowed(FUNCTION, argument.name, argument.kind.allowed)
            raise TanonError(f"{allowed}, got a {type(value).__name__}") from None
    cursor = connection.execute(_checking_query(known.keys()), dict(known))
    columns = [column[0] for column in cursor.description or ()]
    return dict(zip(columns, cursor.fetchall()[0], strict=True))


def _checking_query(given: Collection[str]) -> str:
    """Return a query that checks all arguments and converts them for storage.

    The query has one row. Its first column is the message about the first wrong argument, or NULL.
    Each further column is one argument. Names in `given` become prepared parameters such as $qi.
    """
    rows = header().arguments
    values = ", ".join(
        f"{f'${a.name}' if a.name in given else a.default or 'NULL'} as {a.name}" for a in rows
    )
    replaced = f"tanon._replaced({literal(f'tanon.{FUNCTION}')})"
    wrong = ", ".join([replaced, *plan_compiler.checks(FUNCTION, header())])
    return builtin_functions.with_catalog(
        f"select coalesce({wrong}) as wrong, {', '.join(map(_stored_form, rows))} "
        f"from (select {values}) as given"
    )


def _stored_form(argument: Argument) -> str:
    """Return SQL that converts an argument to the type in which it is stored."""
    match argument.kind.name:
        case "columns":
            return f"tanon._list({argument.name}) as {argument.name}"
        case "integer":
            return f"try_cast({argument.name}::varchar as bigint) as {argument.name}"
        case "boolean":
            return f"try_cast({argument.name}::varchar as boolean) as {argument.name}"
    return f"{argument.name}::varchar as {argument.name}"


def _source_check() -> str:
    """Return a query whose result is the SQL text that checks the source's columns."""
    # NULL is looked for when rows are read, not stored
    arguments = (
        replace(a, kind=kinds.parse(a.kind.words.replace(" not null", "")))
        for a in header().arguments
    )
    known = replace(header(), arguments=tuple(arguments))
    given, columns, fine, _ = source_ctes.ctes(FUNCTION, known, header().relations()[0])
    query = f" select fine from {fine.name}"
    parts = ["with ", given.whole, ",\n", columns.whole, ",\n", fine.whole, query]
    return builtin_functions.with_catalog(
        f"select {text_tree.expression(text_tree.joined(parts))} "
        f"from (select {', '.join(f'${a.name} as {a.name}' for a in _source_arguments())})"
    )


def _source_arguments() -> list[Argument]:
    """Return the argument `source` and the arguments that name its columns."""
    relation = header().relations()[0]
    return [a for a in header().arguments if a == relation or a.kind.is_column]


def _without_nulls(stored: Parameters) -> dict[str, Any]:
    """Return the parameters that have a value, by name."""
    return {name: value for name, value in asdict(stored).items() if value is not None}


def check_source(
    connection: duckdb.DuckDBPyConnection, parameters: Parameters, advice: str = ""
) -> None:
    """Raise if the source cannot be read or lacks a column that an argument names.

    `advice` follows the message, for example the option that names another source.
    """
    advice_text = advice and f"; {advice}"
    stored = asdict(parameters)
    text = connection.execute(
        _source_check(), {a.name: stored[a.name] for a in _source_arguments()}
    )
    try:
        connection.execute(text.fetchall()[0][0]).fetchall()
    except duckdb.InvalidInputException as error:
        raise TanonError(one_line(error) + advice_text) from None
    except (duckdb.CatalogException, duckdb.BinderException, duckdb.IOException) as error:
        allowed = must_be_allowed(FUNCTION, "source", "a table, a view or a query that can be read")
        raise TanonError(
            f"{allowed}, got {stored['source']!r}: {one_line(error)}{advice_text}"
        ) from None


def refuse_other_values(
    name: str, given: Mapping[str, Any], now: Parameters, old: Parameters, is_new: bool = False
) -> None:
    """Raise if an argument of this call differs from the stored one.

    `is_new` says that the publication has read no snapshot yet. The message then says how to drop
    it, because a mistake at the beginning is the likely cause.
    """
    for argument, stored in asdict(old).items():
        if argument in given and getattr(now, argument) != stored:
            more = f"; {REBASE_ADVICE}" if argument == "source" else ""
            if is_new:
                more = "; it has read no snapshot yet; to begin it again, run "
                more += f"drop schema {identifier(name)} cascade"
            wanted = f"{stored!r}, as {name!r} was begun with"
            raise TanonError(f"{refuse(argument, wanted, getattr(now, argument))}{more}")
