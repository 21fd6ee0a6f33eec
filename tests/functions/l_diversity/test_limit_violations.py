"""tanon.limit_violations: the groups that are not within limits, and only those."""

import pytest
from functions.l_diversity.test_diversity_metrics import DISTANCES, create, events, options

from oracles.diversity import of_table

LIMITS = {
    "{'distinct_l': 3}": lambda f: f["distinct_l"] >= 3,
    "{'frequency_l': 2}": lambda f: f["frequency_l"] >= 2,
    "{'entropy_l': 2.5}": lambda f: f["entropy_l"] >= 2.5 - 1e-9,
    "{'recursive_c': 1}": lambda f: f["recursive_c"] is not None and f["recursive_c"] < 1,
    "{'t': 0.3, 'beta': 2}": lambda f: f["t"] <= 0.3 + 1e-9 and f["beta"] <= 2 + 1e-9,
}


@pytest.mark.parametrize("limits", LIMITS)
def test_the_groups_that_break_a_limit(con, limits):
    distance = "ordered" if "t" in limits else "equal"
    broken = 0
    for seed in (1, 2, 5):
        rows = events(seed)
        create(con, rows)
        wanted = of_table(rows, ["q1", "q2"], "value", DISTANCES[distance])
        found = con.execute(
            "from tanon.limit_violations('r', ['q1', 'q2'], 'value'"
            f"{options(distance, None, limits)})"
        ).fetchall()
        failing = {group for group, figures in wanted.items() if not LIMITS[limits](figures)}
        assert {row[:2] for row in found} == failing and len(found) == len(failing)
        for row in found:
            told = wanted[row[:2]]
            assert row[3:] == pytest.approx(tuple(told.values()), abs=1e-6)
        broken += len(found)
    assert broken
