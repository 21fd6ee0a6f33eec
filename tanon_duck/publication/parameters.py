"""What a publication is begun with: checked once, kept beside its tables."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb

from tanon_duck.algorithms.reposition.costs import (
    MuSpec,
    cost_table,
    default_beta,
    suppression_cost,
    table_of_costs,
)
from tanon_duck.algorithms.reposition.eligibility import rational_l
from tanon_duck.algorithms.reposition.stream import METHODS, STARTS
from tanon_duck.errors import SECRET_ALLOWED, TanonError, must_be, nearest
from tanon_duck.secret import is_secret, new_secret

FUNCTION = "publication"
_KINDS: dict[str, tuple[Any, str]] = {
    "source": (str, "a table, a view, a file or a query in parentheses"),
    "ts": (str, "a column of source"),
    "sa": (str, "a column of source"),
    "granularity": (str | int, "a unit of time or a whole number"),
    "mu": (str, "'d', 'd^2', a multiple such as '2.5*d', or a table of distances and costs"),
    "beta": (str | int | float | Decimal, "a number or a table of values and costs"),
}
_MOST_W = 10_000


@dataclass(frozen=True)
class Parameters:
    """The arguments of a publication in the form in which they are kept."""

    source: str
    ts: str
    sa: str
    qi: tuple[str, ...]
    l: str  # noqa: E741
    w: int
    granularity: str | None = None
    mu: str = "d"
    beta: str | None = None
    method: str = "step"
    start: str = "stream"
    accept: tuple[str, ...] = ()


def refuse(argument: str, allowed: str, got: object) -> TanonError:
    """The error for a wrong argument."""
    shown = repr(got) if isinstance(got, str) or got is None else str(got)
    return TanonError(must_be(FUNCTION, argument, allowed, shown))


def as_kept(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a user gives them, in the form in which they are kept; None is not given."""
    known = {field.name for field in fields(Parameters)}
    for name in given:
        if name not in known:
            raise TanonError(f"tanon.{FUNCTION}: there is no argument {name}{nearest(name, known)}")
    kept = {name: value for name, value in given.items() if value is not None}
    for name, (kinds, allowed) in _KINDS.items():
        value = kept.get(name, "?")
        if not isinstance(value, kinds) or isinstance(value, bool) or value == "":
            raise refuse(name, allowed, value)
    if "w" in kept:
        _refuse_unless_whole("w", kept["w"], 1, _MOST_W)
    for name in ("qi", "accept"):
        if name in kept:
            kept[name] = _names(name, kept[name])
    if "l" in kept:
        kept["l"] = str(_fraction(kept["l"]))
    for name in ("granularity", "mu", "beta"):
        if name in kept:
            kept[name] = str(kept[name])
    for name, choices in (("method", METHODS), ("start", STARTS)):
        if kept.get(name, choices[0]) not in choices:
            raise refuse(name, f"one of {', '.join(map(repr, choices))}", kept[name])
    return kept


def complete(kept: Mapping[str, Any], name: str) -> Parameters:
    """The parameters of a publication that is to begin."""
    for argument in ("source", "ts", "sa", "qi", "l", "w"):
        if argument not in kept:
            raise TanonError(
                f"tanon.{FUNCTION}: {argument} must be given to begin {name!r}, got none"
            )
    return Parameters(**kept)


def _refuse_unless_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise refuse(name, f"an integer in [{least}, {most}]", value)


def _names(argument: str, given: object) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise refuse(argument, "columns of source", given)
    return tuple(names)


def _fraction(value: object) -> Fraction:
    try:
        l = rational_l(value)  # noqa: E741
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None
    if l <= 1:
        raise refuse("l", "a rational number greater than 1 such as 3, 2.5 or '5/2'", value)
    return l


def secret_of(given: object) -> str:
    """The secret of a publication that begins: the given one, else a new one; never shown."""
    if given is None:
        return new_secret()
    if not isinstance(given, str) or not is_secret(given):
        raise TanonError(
            f"tanon.{FUNCTION}: secret must be {SECRET_ALLOWED}, got one that is too short, "
            "can be guessed or is none"
        )
    return given.lower()


def costs(connection: duckdb.DuckDBPyConnection, parameters: Parameters) -> tuple[list[int], int]:
    """The costs of moves in millionths, and the cost of suppression if no table gives it."""
    is_formula, is_relation, relation = connection.execute(
        "select tanon._is_cost_formula($mu), tanon._may_be_relation($mu), tanon._relation($mu)",
        {"mu": parameters.mu},
    ).fetchall()[0]
    try:
        mu: MuSpec = parameters.mu
        if not is_formula and is_relation:
            found = connection.execute(f"select distance, cost from {relation}").fetchall()
            mu = table_of_costs(found)
        table = cost_table(mu, parameters.w)
        beta = default_beta(table)
        if parameters.beta is not None and not beta_is_table(parameters.beta):
            beta = suppression_cost(float(parameters.beta))
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None
    return list(table), beta


def beta_is_table(beta: str) -> bool:
    """Whether beta names a table of costs instead of being one cost."""
    try:
        float(beta)
    except ValueError:
        return True
    return False


def beta_rows(rows: list[tuple[Any, Any]]) -> list[tuple[Any, int]]:
    """The rows of a table of beta with their costs in millionths."""
    if len({repr(value) for value, _ in rows}) < len(rows):  # a list has no hash
        raise refuse("beta", "one cost for each value", "some twice")
    try:
        return [(value, suppression_cost(cost)) for value, cost in rows]
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None
