"""Pairwise differences."""

from itertools import combinations

import pytest

from oracles.example_tables import random_series


def test_equals_all_pairs(con):
    for row in random_series("integer", 20, 6, seed=3).tolist():
        found = con.execute("select tanon.series_pattern(?)", [row]).fetchall()[0][0]
        assert found == [later - earlier for earlier, later in combinations(row, 2)]


def test_short_and_missing_series(con):
    found = con.execute(
        "select tanon.series_pattern([5]), tanon.series_pattern([]), tanon.series_pattern(null)"
    )
    assert found.fetchall() == [([], [], None)]
    assert con.execute("select tanon.series_pattern([1, null, 4])").fetchall() == [
        ([None, 3.0, None],)
    ]


def test_more_differences_than_memory_holds_are_refused(con):
    found = con.execute("select len(tanon.series_pattern(range(2000)))").fetchall()
    assert found == [(1999 * 1000,)]
    for n in (2001, 100_000):
        for call in (
            f"tanon.series_pattern(range({n}))",
            f"tanon.series_pattern(s) from (select range({n}) as s)",
        ):
            with pytest.raises(Exception, match=f"tanon.series_pattern: series must be .* got {n}"):
                con.execute(f"select {call}").fetchall()


@pytest.mark.parametrize(
    ("series", "got"),
    [
        ("['a']", "a list of numbers, got VARCHAR"),
        ("'abc'", "a list of numbers, got VARCHAR"),
        ("7", "a list of numbers, got INTEGER"),
        ("[9007199254740993, 1]", "whole numbers below 9007199254740992, .*got 9007199254740992"),
        ("[170141183460469231731687303715884105727, 1]", "whole numbers below .*got 1701411834604"),
    ],
)
def test_what_is_no_series_or_would_be_rounded_is_refused(con, series, got):
    with pytest.raises(Exception, match=rf"tanon\.series_pattern: series must be {got}"):
        con.execute(f"select tanon.series_pattern({series})")


def test_what_is_a_double_already_stays_one(con):
    found = con.execute("select tanon.series_pattern([9007199254740994::double, 1])").fetchall()
    assert found == [([1 - 9007199254740994.0],)]
