"""Compute the costs of moving and suppressing records when a publication begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from tanon_duck.algorithms.reposition.costs import (
    MuSpec,
    cost_table,
    default_beta,
    suppression_cost,
    table_of_costs,
)
from tanon_duck.errors import TanonError
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.parameters import FUNCTION, Parameters, refuse
from tanon_duck.quoting import Quoted


@dataclass(frozen=True)
class MillionthCosts:
    """The costs of a publication in millionths.

    `moves` holds the cost of each distance from 0. `suppression` is the cost for any record; it is
    None if `suppression_by_value` holds one cost for each sensitive value.
    """

    moves: list[int]
    suppression: int | None
    suppression_by_value: list[tuple[Any, int]]


def costs(connection: duckdb.DuckDBPyConnection, parameters: Parameters) -> MillionthCosts:
    """Compute the costs that `move_cost` and `suppress_cost` describe."""
    is_formula, move_relation, suppress_cost, suppress_relation = connection.execute(
        of_text(
            "select tanon._is_cost_formula($move_cost), tanon._relation($move_cost), "
            "case when tanon._is_positive($suppress_cost) then $suppress_cost::double end, "
            "tanon._relation($suppress_cost)"
        ),
        {"move_cost": parameters.move_cost, "suppress_cost": parameters.suppress_cost},
    ).fetchall()[0]
    try:
        move_cost: MuSpec = parameters.move_cost
        if not is_formula:
            move_cost = table_of_costs(_pairs(connection, "distance, cost", move_relation))
        table = cost_table(move_cost, parameters.w)
        if parameters.suppress_cost is None:
            return MillionthCosts(list(table), default_beta(table), [])
        if suppress_cost is not None:
            return MillionthCosts(list(table), suppression_cost(suppress_cost), [])
        found = _pairs(connection, '"value", "cost"', suppress_relation)
        return MillionthCosts(list(table), None, _costs_of_values(found))
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _pairs(
    connection: duckdb.DuckDBPyConnection, columns: str, relation: str
) -> list[tuple[Any, Any]]:
    """Return the rows of two columns of a relation."""
    text = of_text(
        "select {{ columns }} from {{ relation }}",
        columns=Quoted(columns),
        relation=Quoted(relation),
    )
    return [(first, second) for first, second in connection.execute(text).fetchall()]


def _costs_of_values(rows: Sequence[tuple[Any, Any]]) -> list[tuple[Any, int]]:
    """Return the cost of each sensitive value; raise if a value has two costs."""
    if len({repr(value) for value, _ in rows}) < len(rows):  # a list has no hash
        raise refuse("suppress_cost", "one cost for each value", "some values twice")
    return [(value, suppression_cost(cost)) for value, cost in rows]
