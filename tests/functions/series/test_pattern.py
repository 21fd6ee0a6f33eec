"""Pairwise differences."""

from itertools import combinations

import pytest

from oracles.example_tables import random_series


def test_equals_all_pairs(con):
    for row in random_series("integer", 20, 6, seed=3).tolist():
        found = con.execute("select tanon.pattern(?)", [row]).fetchall()[0][0]
        assert found == [later - earlier for earlier, later in combinations(row, 2)]


def test_short_and_missing_series(con):
    found = con.execute("select tanon.pattern([5]), tanon.pattern([]), tanon.pattern(null)")
    assert found.fetchall() == [([], [], None)]
    assert con.execute("select tanon.pattern([1, null, 4])").fetchall() == [([None, 3.0, None],)]


def test_more_differences_than_memory_holds_are_refused(con):
    found = con.execute("select len(tanon.pattern(range(2000)))").fetchall()
    assert found == [(1999 * 1000,)]
    for n in (2001, 100_000):
        for call in (
            f"tanon.pattern(range({n}))",
            f"tanon.pattern(s) from (select range({n}) as s)",
        ):
            with pytest.raises(Exception, match=f"tanon.pattern: series must be .* got {n}"):
                con.execute(f"select {call}").fetchall()
