"""What moving and suppressing cost in a publication: worked out once, when it begins."""

from collections.abc import Sequence
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


def costs(
    connection: duckdb.DuckDBPyConnection, kept: Parameters
) -> tuple[list[int], int | None, list[tuple[Any, int]]]:
    """Millionths: of moves, and of suppressing a record or, by the value, each of a table."""
    is_formula, mu_relation, beta, beta_relation = connection.execute(
        of_text(
            "select tanon._is_cost_formula($move_cost), tanon._relation($move_cost), "
            "case when tanon._is_positive($suppress_cost) then $suppress_cost::double end, "
            "tanon._relation($suppress_cost)"
        ),
        {"move_cost": kept.move_cost, "suppress_cost": kept.suppress_cost},
    ).fetchall()[0]
    try:
        mu: MuSpec = kept.move_cost
        if not is_formula:
            mu = table_of_costs(_rows(connection, "distance, cost", mu_relation))
        table = cost_table(mu, kept.w)
        if kept.suppress_cost is None:
            return list(table), default_beta(table), []
        if beta is not None:
            return list(table), suppression_cost(beta), []
        found = _rows(connection, '"value", "cost"', beta_relation)
        return list(table), None, _costs_of_values(found)
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _rows(
    connection: duckdb.DuckDBPyConnection, columns: str, relation: str
) -> list[tuple[Any, Any]]:
    text = of_text(
        "select {{ columns }} from {{ relation }}",
        columns=Quoted(columns),
        relation=Quoted(relation),
    )
    return [(first, second) for first, second in connection.execute(text).fetchall()]


def _costs_of_values(rows: Sequence[tuple[Any, Any]]) -> list[tuple[Any, int]]:
    if len({repr(value) for value, _ in rows}) < len(rows):  # a list has no hash
        raise refuse("suppress_cost", "one cost for each value", "some twice")
    return [(value, suppression_cost(cost)) for value, cost in rows]
