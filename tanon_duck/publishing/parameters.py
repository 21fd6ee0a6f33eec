"""The arguments of a publication: checked as ``procedures/stream.sql`` says, kept in its schema.

They are of the same kinds as those of functions, and the same SQL checks them.
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
# What gets a publication on whose source is not where or what it was.
ELSEWHERE = (
    "rebase(source) or --rebase says where its rows are now, which may be a query in parentheses "
    "that gives columns the names and types they had"
)


@dataclass(frozen=True)
class Parameters:
    """The arguments of a publication in the form in which they are kept; all but the secret."""

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
    """The error for a wrong argument."""
    shown = repr(got) if isinstance(got, str) or got is None else str(got)
    return TanonError(must_be(FUNCTION, argument, allowed, shown))


def judged(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    given: Mapping[str, Any],
    before: Parameters | None,
) -> Parameters:
    """Arguments, with what the publication was begun with, as they are kept; or an error."""
    known = given if before is None else {**_prepared(before), **given}
    for argument in header().arguments:
        if argument.name not in known and not argument.default:
            raise TanonError(
                f"tanon.{FUNCTION}: {argument.name} must be given to begin {name!r}, got none"
            )
    row = _judgement(connection, known)
    if row["wrong"] is not None:
        raise TanonError(row["wrong"])
    values = {field.name: row[field.name] for field in fields(Parameters)}
    lists = {name: tuple(values[name]) for name in ("qi", "allow_identifying")}
    try:
        return Parameters(**values | lists | {"l": str(rational_l(values["l"]))})
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _judgement(connection: duckdb.DuckDBPyConnection, known: Mapping[str, Any]) -> dict[str, Any]:
    for argument in header().arguments:
        value = known.get(argument.name)
        try:
            connection.execute("select $value", {"value": value})
        except duckdb.Error:  # of a type of which there are no values in SQL
            allowed = must_be_allowed(FUNCTION, argument.name, argument.kind.allowed)
            raise TanonError(f"{allowed}, got a {type(value).__name__}") from None
    cursor = connection.execute(_checking(known.keys()), dict(known))
    columns = [column[0] for column in cursor.description or ()]
    return dict(zip(columns, cursor.fetchall()[0], strict=True))


def _checking(given: Collection[str]) -> str:
    """A query over the given arguments, prepared values: a message or NULL, then each one."""
    rows = header().arguments
    values = ", ".join(
        f"{f'${a.name}' if a.name in given else a.default or 'NULL'} as {a.name}" for a in rows
    )
    replaced = f"tanon._replaced({literal(f'tanon.{FUNCTION}')})"
    wrong = ", ".join([replaced, *plan_compiler.checks(FUNCTION, header())])
    return builtin_functions.with_catalog(
        f"select coalesce({wrong}) as wrong, {', '.join(map(_kept, rows))} "
        f"from (select {values}) as given"
    )


def _kept(argument: Argument) -> str:
    """An argument in the form in which it is kept."""
    match argument.kind.name:
        case "columns":
            return f"tanon._list({argument.name}) as {argument.name}"
        case "integer":
            return f"try_cast({argument.name}::varchar as bigint) as {argument.name}"
        case "boolean":
            return f"try_cast({argument.name}::varchar as boolean) as {argument.name}"
    return f"{argument.name}::varchar as {argument.name}"


def _looking() -> str:
    """A query over the source and its columns: the query that raises if a column is wrong."""
    # NULL is looked for when rows are read, not before
    arguments = (
        replace(a, kind=kinds.parse(a.kind.words.replace(" not null", "")))
        for a in header().arguments
    )
    known = replace(header(), arguments=tuple(arguments))
    given, columns, fine, _ = source_ctes.ctes(FUNCTION, known, header().relations()[0])
    asked = f" select fine from {fine.name}"
    parts = ["with ", given.whole, ",\n", columns.whole, ",\n", fine.whole, asked]
    return builtin_functions.with_catalog(
        f"select {text_tree.expression(text_tree.joined(parts))} "
        f"from (select {', '.join(f'${a.name} as {a.name}' for a in _of_relation())})"
    )


def _of_relation() -> list[Argument]:
    """The source and the arguments that name its columns."""
    relation = header().relations()[0]
    return [a for a in header().arguments if a == relation or a.kind.is_column]


def _prepared(kept: Parameters) -> dict[str, Any]:
    """What is kept as arguments that have been given."""
    return {name: value for name, value in asdict(kept).items() if value is not None}


def look_at_source(
    connection: duckdb.DuckDBPyConnection, parameters: Parameters, advice: str = ""
) -> None:
    """Raise if the source has not the columns that are named, or has some of our names."""
    more = advice and f"; {advice}"
    kept = asdict(parameters)
    text = connection.execute(_looking(), {a.name: kept[a.name] for a in _of_relation()})
    try:
        connection.execute(text.fetchall()[0][0]).fetchall()
    except duckdb.InvalidInputException as error:
        raise TanonError(one_line(error) + more) from None
    except (duckdb.CatalogException, duckdb.BinderException, duckdb.IOException) as error:
        allowed = must_be_allowed(FUNCTION, "source", "a table, a view or a query that can be read")
        raise TanonError(f"{allowed}, got {kept['source']!r}: {one_line(error)}{more}") from None


def refuse_other_values(
    name: str, given: Mapping[str, Any], now: Parameters, old: Parameters, is_new: bool = False
) -> None:
    """Raise if something is given that is not what the publication was begun with.

    One that has seen nothing yet may have been begun by a mistake, and can be begun anew.
    """
    for argument, before in asdict(old).items():
        if argument in given and getattr(now, argument) != before:
            more = f"; {ELSEWHERE}" if argument == "source" else ""
            if is_new:
                more = f"; it has seen nothing yet: drop schema {identifier(name)} cascade ends it"
            wanted = f"{before!r}, as {name!r} was begun with"
            raise TanonError(f"{refuse(argument, wanted, getattr(now, argument))}{more}")
