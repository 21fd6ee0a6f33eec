"""mu and beta as integer tables, and what is refused."""

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from tanon_duck.algorithms.reposition.costs import (
    MICRO,
    cost_table,
    default_beta,
    suppression_cost,
    table_of_costs,
)


@pytest.mark.parametrize(
    ("mu", "costs"),
    [
        ("d", [0, 1, 2, 3]),
        ("d^2", [0, 1, 4, 9]),
        ("2.5*d", [0, 2.5, 5, 7.5]),
        (" 2 * d ^ 3 ", [0, 2, 16, 54]),
        ({1: 1, 2: 2, 3: 4.5}, [0, 1, 2, 4.5]),
        ({0: 0, 1: 0.1, 2: 0.2, 3: 0.1 + 0.2, 4: 7}, [0, 0.1, 0.2, 0.3]),
        ({1: Decimal("0.5"), 2: Fraction(3, 2)}, [0, 0.5, 1.5, 2.5]),  # continued by its last step
    ],
)
def test_cost_tables(mu, costs):
    assert cost_table(mu, 3) == tuple(round(cost * MICRO) for cost in costs)


def test_window_of_one_needs_no_moves():
    assert cost_table("d", 1) == (0, MICRO)
    assert cost_table({}, 1) == (0, MICRO)


def test_thirds_stay_convex_after_rounding():
    thirds = cost_table({d: d / 3 for d in range(9)}, 8)
    steps = [b - a for a, b in itertools.pairwise(thirds)]
    assert steps == sorted(steps)
    assert abs(thirds[7] - round(7 * MICRO / 3)) <= 3


@pytest.mark.parametrize(
    ("mu", "message"),
    [
        ("log(d)", "move_cost must be 'd', 'd^2', a multiple such as '2.5*d', or a table"),
        ("d^0", "move_cost must be 'd'"),
        ("0*d", "move_cost must grow with the distance, got 0 at distance 0 and 0 at distance 1"),
        ({0: 1, 1: 2, 2: 3}, "move_cost must cost nothing at distance 0, got 1"),
        (
            {1: 1, 2: 1},
            "move_cost must grow with the distance, got 1 at distance 1 and 1 at distance 2",
        ),
        (
            {1: 4, 2: 5},
            "move_cost must be convex, got a step of 4 from distance 0 to 1 but only 1 from 1 to 2",
        ),
        ({2: 5}, "move_cost must give a cost for every distance below 3, got none for 1"),
        ({1: 5}, "move_cost must give a cost for every distance below 3, got none for 2"),
        ({-1: 0, 1: 5, 2: 10}, "move_cost must have distances of at least 0, got -1"),
        ({1: float("nan"), 2: 1}, "move_cost must be a finite number, got nan"),
        ({1: None, 2: 1}, "move_cost must be a finite number, got None"),
        (
            {0: 0, 10**15: 1},
            "move_cost must give a cost for every distance below 3, got none for 1, 2, 3",
        ),
        ("d^30", "move_cost must be at most 9000000000000, got 2.05891e+14"),
        ("d^999999999999", "move_cost must be at most 9000000000000, got"),
    ],
)
def test_refused_costs(mu, message):
    with pytest.raises(ValueError) as error:
        cost_table(mu, 3)
    assert message in str(error.value)


def test_suppression_costs():
    assert default_beta(cost_table("d^2", 7)) == 49 * MICRO
    assert suppression_cost(0.25) == 250_000
    for bad in (0, -1, 1e-9):
        with pytest.raises(ValueError, match="suppress_cost must be greater than 0"):
            suppression_cost(bad)
    with pytest.raises(ValueError, match="suppress_cost must be a finite number, got inf"):
        suppression_cost(float("inf"))
    with pytest.raises(
        ValueError, match=r"suppress_cost must be at most 9000000000000, got 1e\+300"
    ):
        suppression_cost(1e300)


def test_rows_of_a_cost_table():
    assert table_of_costs([(0, 0), (Decimal(2), 5), (1.0, 2)]) == {0: 0, 1: 2, 2: 5}
    with pytest.raises(
        ValueError, match="move_cost must give one cost for each distance, got some twice"
    ):
        table_of_costs([(1, 1), (1, 2)])
    for bad in (None, 0.5):
        with pytest.raises(ValueError, match=f"move_cost must have whole distances, got {bad}"):
            table_of_costs([(bad, 1)])
