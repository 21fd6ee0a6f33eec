"""What a publication is begun with: judged by its header, kept beside its tables."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import duckdb

from tanon_duck.algorithms.reposition.eligibility import rational_l
from tanon_duck.errors import TanonError, must_be, must_be_allowed, one_line
from tanon_duck.macros.procedures import publish
from tanon_duck.quoting import identifier

FUNCTION = publish().name
# What gets a publication on whose source is not where or what it was.
ELSEWHERE = (
    "rebase(source) or --rebase says where its rows are now, which may be a query in parentheses "
    "that gives columns the names and types they had"
)


@dataclass(frozen=True)
class Parameters:
    """The arguments of a publication in the form in which they are kept; all but the secret."""

    source: str
    uid: str | None
    rows_are_persons: bool
    ts: str
    sa: str
    l: str  # noqa: E741
    w: int
    granularity: str | None
    mu: str
    beta: str | None
    method: str
    start: str
    late: str
    repeats: str
    qi: tuple[str, ...]
    accept: tuple[str, ...]


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
    for argument in publish().header.arguments:
        if argument.name not in known and not argument.default:
            raise TanonError(
                f"tanon.{FUNCTION}: {argument.name} must be given to begin {name!r}, got none"
            )
    row = _judgement(connection, known)
    if row["wrong"] is not None:
        raise TanonError(row["wrong"])
    values = {field.name: row[field.name] for field in fields(Parameters)}
    lists = {name: tuple(values[name]) for name in ("qi", "accept")}
    try:
        return Parameters(**values | lists | {"l": str(rational_l(values["l"]))})
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _judgement(connection: duckdb.DuckDBPyConnection, known: Mapping[str, Any]) -> dict[str, Any]:
    for argument in publish().header.arguments:
        value = known.get(argument.name)
        try:
            connection.execute("select $value", {"value": value})
        except duckdb.Error:  # of a type of which there are no values in SQL
            allowed = must_be_allowed(FUNCTION, argument.name, argument.kind.allowed)
            raise TanonError(f"{allowed}, got a {type(value).__name__}") from None
    cursor = connection.execute(publish().judging(known.keys()), dict(known))
    columns = [column[0] for column in cursor.description or ()]
    return dict(zip(columns, cursor.fetchall()[0], strict=True))


def _prepared(kept: Parameters) -> dict[str, Any]:
    """What is kept as arguments that have been given."""
    return {name: value for name, value in asdict(kept).items() if value is not None}


def look_at_source(
    connection: duckdb.DuckDBPyConnection, parameters: Parameters, advice: str = ""
) -> None:
    """Raise if the source has not the columns that are named, or has some of our names."""
    more = advice and f"; {advice}"
    kept, asked = asdict(parameters), publish().names_of_columns()
    text = connection.execute(publish().looking(), {name: kept[name] for name in asked})
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
