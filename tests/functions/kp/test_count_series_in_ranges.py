"""Estimated counts against the chances of every row, worked out one by one."""

import math

import numpy as np
import pytest
import series_tables

from oracles.query_answers import chance


def call(ranges):
    fields = [
        "{" + f"'position': {p}, 'low': {low}, 'high': {high}" + "}" for p, low, high in ranges
    ]
    return f"from tanon.count_series_in_ranges('released', [{', '.join(fields)}])"


def expected(published, ranges):
    asked = [
        (p - 1, -math.inf if low == "null" else low, math.inf if high == "null" else high)
        for p, low, high in ranges
    ]
    chances = [chance(row["low"], row["high"], asked) for row in published]
    possible = [
        all(row["low"][p] <= high and low <= row["high"][p] for p, low, high in asked)
        for row in published
    ]
    error = math.sqrt(sum(c * (1 - c) for c in chances))
    return (sum(chances), error, sum(c == 1 for c in chances), sum(possible))


ASKED = [
    [(1, -1, 1)],
    [(2, "null", 0.5), (4, -2, "null")],
    [(3, 0, 0), (1, -0.5, 2)],
    [(4, -99, 99)],
    [(1, 50, 60)],
]


@pytest.mark.parametrize("ranges", ASKED)
def test_equals_the_sum_of_chances(con, ranges):
    series = series_tables.walks(80, 4, 2)
    series[:20, 2] = 0.0
    published = series_tables.load(con, series, [0] * 80, 4, 2)
    got = con.execute(call(ranges)).fetchall()[0]
    assert got == pytest.approx(expected(published, ranges))


def test_the_true_count_lies_between_the_bounds_and_near_the_estimate(con):
    series = series_tables.walks(400, 4, 3)
    published = series_tables.load(con, series, [0] * 400, 5, 2)
    own = series[[row["row"] for row in published]]
    for low in np.arange(-3, 3, 0.5):
        got = con.execute(call([(2, low, low + 1), (4, -2, 2)])).fetchall()[0]
        truth = ((own[:, 1] >= low) & (own[:, 1] <= low + 1) & (abs(own[:, 3]) <= 2)).sum()
        assert got[2] <= truth <= got[3]
        assert abs(got[0] - truth) <= 4 * got[1] + 2


def test_no_row(con):
    series_tables.load(con, series_tables.walks(20, 4, 3), [0] * 20)
    con.execute("delete from released")
    assert con.execute(call([(1, 0, 1)])).fetchall() == [(0, 0, 0, 0)]


BAD = [
    ("[{'position': 5, 'low': 0, 'high': 1}]", "must ask positions from 1 to 4, got 5"),
    ("[{'position': 0, 'low': 0, 'high': 1}]", "must be a list of {'position'"),
    ("[{'position': 1, 'low': 2, 'high': 1}]", "must be a list of {'position'"),
    ("[{'position': 1, 'low': 0}, {'position': 1, 'low': 2}]", "must be .* no position twice"),
    ("[]", "must be a list of {'position'"),
    ("'first'", "must be a list of {'position'"),
    ("null", "must be a list of {'position'"),
    ("[{'position': 2, 'low': 0, 'high': 1}]", "must ask positions with published, finite"),
]


@pytest.mark.parametrize(("ranges", "message"), BAD)
def test_wrong_ranges(con, ranges, message):
    series_tables.load(con, series_tables.walks(20, 4, 3), [0] * 20)
    con.execute("update released set low = [low[1], null, low[3], '-inf'::double]")
    with pytest.raises(Exception, match=f"tanon.count_series_in_ranges: ranges {message}"):
        con.execute(f"from tanon.count_series_in_ranges('released', {ranges})").fetchall()


def test_a_release_without_the_needed_columns(con):
    con.execute("create table released as select [1.0] as low")
    with pytest.raises(
        Exception, match=r"count_series_in_ranges: release must be .* got one without high"
    ):
        con.execute(call([(1, 0, 1)])).fetchall()


def test_rows_that_are_no_release(con):
    series_tables.load(con, series_tables.walks(20, 4, 3), [0] * 20)
    con.execute("update released set high = high[1:2] where p_group = 1")
    with pytest.raises(
        Exception, match=r"tanon.count_series_in_ranges: the release must be .* one length"
    ):
        con.execute(call([(1, 0, 1)])).fetchall()
