"""l-eligibility on counts against cutting one record at a time."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest

from tanon_duck.algorithms.reposition.eligibility import (
    Eligibility,
    eligibility,
    eligible_level,
    rational_l,
)


def cut_one_by_one(counts, l):  # noqa: E741
    counts = list(counts)
    while counts and l * max(counts) > sum(counts):
        counts[counts.index(max(counts))] -= 1
    return max(counts, default=0), sum(counts)


@pytest.mark.parametrize("seed", range(400))
def test_level_is_where_cutting_one_by_one_ends(seed):
    rng = random.Random(seed)
    counts = [rng.randint(0, 9) for _ in range(rng.randint(0, 7))]
    l = Fraction(rng.randint(1, 30), rng.randint(1, 6))  # noqa: E741
    l = max(l, Fraction(1))  # noqa: E741
    level, left = cut_one_by_one(counts, l)
    assert eligible_level(counts, l) == level
    measured = eligibility(counts, l)
    assert measured.excess == sum(counts) - left
    assert measured.eligible == (measured.excess == 0)


def test_one_snapshot():
    assert eligibility([6, 3, 1, 0], Fraction(2)) == Eligibility(10, 6, Fraction(5, 3), False, 2)
    assert eligibility([], Fraction(5)) == Eligibility(0, 0, None, True, 0)


@pytest.mark.parametrize(
    ("given", "exact"),
    [
        (3, Fraction(3)),
        (2.5, Fraction(5, 2)),
        (2.1, Fraction(21, 10)),
        ("5/2", Fraction(5, 2)),
        (" 2.5 ", Fraction(5, 2)),
        (Decimal("2.25"), Fraction(9, 4)),
    ],
)
def test_l_is_read_exactly(given, exact):
    assert rational_l(given) == exact


@pytest.mark.parametrize(
    "bad", [0, 0.99, "1/2", "x", "5/0", float("nan"), float("inf"), None, True]
)
def test_refused_l(bad):
    with pytest.raises(ValueError) as error:
        rational_l(bad)
    assert str(error.value).startswith("l must be a rational number of at least 1")
    assert str(error.value).endswith(f"got {bad!r}")
