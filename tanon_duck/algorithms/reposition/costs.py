"""Reads the costs of moving and suppressing records, mu and beta, from a user's arguments.

Costs are integers, in millionths, so that equal costs are exactly equal.

- ``cost_table`` reads mu: a formula such as '2.5*d^2', or a table from ``table_of_costs``.
- ``suppression_cost`` reads beta, and ``default_beta`` is the beta of a call without one.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import islice
from typing import Any

MICRO = 1_000_000
# A cost in millionths up to this many units fits in 64 bits.
HIGHEST_COST = 9 * 10**12

Number = int | float | Decimal | Fraction
MuSpec = str | Mapping[int, Number]

_FORMULA = re.compile(r"\s*(?:(\d+(?:\.\d+)?)\s*\*\s*)?d(?:\s*\^\s*([1-9]\d*))?\s*")
_MU_WANTED = (
    "move_cost must be 'd', 'd^2', a multiple such as '2.5*d', or a table of distances "
    "and costs, got {!r}"
)


def micro(cost: object, what: str) -> int:
    """Return a cost as an integer of millionths; errors name the argument ``what``."""
    return round(_exact(cost, what) * MICRO)


def _exact(cost: object, what: str) -> Fraction:
    try:
        # The text of a float is 0.1, its exact value is not 1/10.
        return Fraction(repr(cost) if isinstance(cost, float) else cost)  # type: ignore[call-overload, no-any-return]
    except (ValueError, TypeError, OverflowError, InvalidOperation):
        raise ValueError(f"{what} must be a finite number, got {cost!r}") from None


def table_of_costs(rows: Iterable[tuple[Any, Any]]) -> dict[int, Number]:
    """Return the cost of each distance from the rows (distance, cost) of a user's table."""
    table = {}
    for distance, cost in rows:
        if distance is None or distance != int(distance):
            raise ValueError(f"move_cost must have whole distances, got {distance}")
        if int(distance) in table:
            raise ValueError(
                f"move_cost must give one cost for each distance, got some twice: {distance}"
            )
        table[int(distance)] = cost
    return table


def cost_table(mu: MuSpec, w: int) -> tuple[int, ...]:
    """Return mu(0), ..., mu(w) in millionths.

    Raise ValueError unless mu(0) is 0, mu grows, and mu is convex. No record moves by w snapshots:
    mu(w) is for the default of beta only.
    """
    costs = _from_formula(mu, w) if isinstance(mu, str) else _from_table(mu, w)
    _require_convex(costs)
    _require_small(costs[w], "move_cost")
    return tuple(costs[: w + 1])


def default_beta(mu: tuple[int, ...]) -> int:
    """Return mu(w): to suppress a record costs as much as a move just beyond the window."""
    return mu[-1]


def suppression_cost(beta: object) -> int:
    """Return a beta in millionths; raise ValueError unless it is positive."""
    cost = micro(beta, "suppress_cost")
    if cost <= 0:
        raise ValueError(f"suppress_cost must be greater than 0, got {beta!r}")
    _require_small(cost, "suppress_cost")
    return cost


def _require_small(cost: int, what: str) -> None:
    if cost > HIGHEST_COST * MICRO:
        raise ValueError(f"{what} must be at most {HIGHEST_COST}, got {_shown(cost)}")


def _from_formula(mu: str, w: int) -> list[int]:
    """Return mu(0), ..., mu(w) of a formula such as 'd', 'd^2' or '2.5*d'."""
    formula = _FORMULA.fullmatch(mu)
    if formula is None:
        raise ValueError(_MU_WANTED.format(mu))
    factor = micro(Decimal(formula[1] or 1), "move_cost")
    # A larger power exceeds HIGHEST_COST in any case.
    exponent = min(int(formula[2] or 1), 64)
    return [factor * distance**exponent for distance in range(w + 1)]


def _from_table(mu: Mapping[int, Number], w: int) -> list[int]:
    """Return the costs of all distances of a table, and of distance w if the table ends before.

    mu(w) then continues with the last difference. Raise ValueError if a distance is missing.
    """
    table = {0: Fraction(0)} | {
        distance: _exact(cost, "move_cost") for distance, cost in mu.items()
    }
    missing = list(islice((d for d in range(max(w, *table)) if d not in table), 10))
    if missing:
        lacking = ", ".join(map(str, missing))
        raise ValueError(
            f"move_cost must give a cost for every distance below {w}, got none for {lacking}"
        )
    if min(table) < 0:
        raise ValueError(f"move_cost must have distances of at least 0, got {min(table)}")
    costs = [round(table[0] * MICRO)]
    for d in range(1, max(table) + 1):
        # Rounded differences keep a table convex, rounded costs may not: think of thirds.
        costs.append(costs[-1] + round((table[d] - table[d - 1]) * MICRO))
    if len(costs) == w:
        costs.append(costs[-1] + (costs[-1] - costs[-2] if w > 1 else MICRO))
    return costs


def _require_convex(costs: list[int]) -> None:
    """Raise ValueError unless costs begin with 0, grow, and grow by no less at each distance."""
    if costs[0] != 0:
        raise ValueError(f"move_cost must cost nothing at distance 0, got {_shown(costs[0])}")
    for d in range(1, len(costs)):
        step = costs[d] - costs[d - 1]
        if step <= 0:
            raise ValueError(
                f"move_cost must grow with the distance, got {_shown(costs[d - 1])} at distance "
                f"{d - 1}"
                f" and {_shown(costs[d])} at distance {d}"
            )
        before = costs[d - 1] - costs[d - 2] if d > 1 else 0
        if step < before:
            raise ValueError(
                f"move_cost must be convex, got a step of {_shown(before)} from distance {d - 2}"
                f" to {d - 1} but only {_shown(step)} from {d - 1} to {d}"
            )


def _shown(cost: int) -> str:
    return f"{cost / MICRO:g}"
