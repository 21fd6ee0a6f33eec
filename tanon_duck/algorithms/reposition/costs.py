"""What moving and suppressing cost, in integer millionths so that ties are ties."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import islice
from typing import Any

MICRO = 1_000_000
# What 64 bits hold in millionths.
MOST = 9 * 10**12

Number = int | float | Decimal | Fraction
MuSpec = str | Mapping[int, Number]

_FORMULA = re.compile(r"\s*(?:(\d+(?:\.\d+)?)\s*\*\s*)?d(?:\s*\^\s*([1-9]\d*))?\s*")
_MU_WANTED = (
    "mu must be 'd', 'd^2', a multiple such as '2.5*d', or a table of distances and costs, got {!r}"
)


def micro(cost: object, what: str) -> int:
    """Turn a cost into whole millionths."""
    return round(_exact(cost, what) * MICRO)


def _exact(cost: object, what: str) -> Fraction:
    try:
        # repr keeps 0.1 at 1/10
        return Fraction(repr(cost) if isinstance(cost, float) else cost)  # type: ignore[call-overload, no-any-return]
    except (ValueError, TypeError, OverflowError, InvalidOperation):
        raise ValueError(f"{what} must be a finite number, got {cost!r}") from None


def table_of_costs(rows: Iterable[tuple[Any, Any]]) -> dict[int, Number]:
    """The rows (distance, cost) of a table of mu by distance."""
    table = {}
    for distance, cost in rows:
        if distance is None or distance != int(distance):
            raise ValueError(f"mu must have whole distances, got {distance}")
        if int(distance) in table:
            raise ValueError(f"mu must give one cost for each distance, got some twice: {distance}")
        table[int(distance)] = cost
    return table


def cost_table(mu: MuSpec, w: int) -> tuple[int, ...]:
    """Return mu(0), ..., mu(w) in millionths, checked for C1, C2 and C3.

    mu(w) lies beyond every allowed move; it is there for the default of beta.
    """
    costs = _from_formula(mu, w) if isinstance(mu, str) else _from_table(mu, w)
    _require_convex(costs)
    _require_small(costs[w], "mu")
    return tuple(costs[: w + 1])


def default_beta(mu: tuple[int, ...]) -> int:
    """Suppressing costs what a move one granule beyond the window would: mu(w)."""
    return mu[-1]


def suppression_cost(beta: object) -> int:
    """Return one beta in millionths; it must be positive."""
    cost = micro(beta, "beta")
    if cost <= 0:
        raise ValueError(f"beta must be greater than 0, got {beta!r}")
    _require_small(cost, "beta")
    return cost


def _require_small(cost: int, what: str) -> None:
    if cost > MOST * MICRO:
        raise ValueError(f"{what} must be at most {MOST}, got {_shown(cost)}")


def _from_formula(mu: str, w: int) -> list[int]:
    formula = _FORMULA.fullmatch(mu)
    if formula is None:
        raise ValueError(_MU_WANTED.format(mu))
    factor = micro(Decimal(formula[1] or 1), "mu")
    # no cost beyond the 64th power is small enough
    exponent = min(int(formula[2] or 1), 64)
    return [factor * distance**exponent for distance in range(w + 1)]


def _from_table(mu: Mapping[int, Number], w: int) -> list[int]:
    table = {0: Fraction(0)} | {distance: _exact(cost, "mu") for distance, cost in mu.items()}
    missing = list(islice((d for d in range(max(w, *table)) if d not in table), 10))
    if missing:
        lacking = ", ".join(map(str, missing))
        raise ValueError(
            f"mu must give a cost for every distance below {w}, got none for {lacking}"
        )
    if min(table) < 0:
        raise ValueError(f"mu must have distances of at least 0, got {min(table)}")
    costs = [round(table[0] * MICRO)]
    for d in range(1, max(table) + 1):
        # rounding steps, not costs, keeps a table of thirds convex
        costs.append(costs[-1] + round((table[d] - table[d - 1]) * MICRO))
    if len(costs) == w:
        costs.append(costs[-1] + (costs[-1] - costs[-2] if w > 1 else MICRO))
    return costs


def _require_convex(costs: list[int]) -> None:
    if costs[0] != 0:
        raise ValueError(f"mu must cost nothing at distance 0, got {_shown(costs[0])}")
    for d in range(1, len(costs)):
        step = costs[d] - costs[d - 1]
        if step <= 0:
            raise ValueError(
                f"mu must grow with the distance, got {_shown(costs[d - 1])} at distance {d - 1}"
                f" and {_shown(costs[d])} at distance {d}"
            )
        before = costs[d - 1] - costs[d - 2] if d > 1 else 0
        if step < before:
            raise ValueError(
                f"mu must be convex, got a step of {_shown(before)} from distance {d - 2}"
                f" to {d - 1} but only {_shown(step)} from {d - 1} to {d}"
            )


def _shown(cost: int) -> str:
    return f"{cost / MICRO:g}"
