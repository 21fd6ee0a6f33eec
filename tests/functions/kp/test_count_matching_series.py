"""Patterns and values together, against row by row."""

import pytest
import series_tables

from oracles.query_answers import chance, distance, rebuilt

RANGES = "[{'position': 2, 'low': -1, 'high': 1.5}]"
SHAPE = [0, 1, 1, 3, 4]


@pytest.fixture
def published(con):
    series = series_tables.walks(120, 5, 9)
    return series_tables.load(con, series, [0] * 120, keep_id=True)


def estimate(con, *arguments):
    listed = ", ".join([RANGES, *arguments])
    return con.execute(f"from tanon.count_matching_series('released', {listed})").fetchall()[0]


def wanted(published, keep):
    rows = [row for row in published if keep(rebuilt(row["word"], row["level"]))]
    asked = [(1, -1, 1.5)]
    chances = [chance(row["low"], row["high"], asked) for row in rows]
    possible = sum(row["low"][1] <= 1.5 and row["high"][1] >= -1 for row in rows)
    error = sum(c * (1 - c) for c in chances) ** 0.5
    return pytest.approx((sum(chances), error, sum(c == 1 for c in chances), possible))


def test_similarity_predicates_and_both(con, published):
    near = ["pattern := [0, 1, 1, 3, 4]", "tolerance := 0.4"]
    rising = "predicates := ['series[1] < series[5]']"
    assert estimate(con, *near) == wanted(published, lambda v: distance(v, SHAPE) <= 0.4)
    assert estimate(con, rising) == wanted(published, lambda v: v[0] < v[4])
    assert estimate(con, rising.replace("<", ">"), *near) == (0, 0, 0, 0)
    steep = "predicates := ['series[5] - series[1] > 1.5']"
    assert estimate(con, steep, *near) == wanted(
        published, lambda v: distance(v, SHAPE) <= 0.4 and v[4] - v[0] > 1.5
    )


BAD = [
    ([], "pattern must be a series, if predicates is not given"),
    (["pattern := [1, 2, 3, 4, 5]"], "tolerance must be given together with pattern"),
    (["predicates := ['true']", "tolerance := 1"], "tolerance must be given together with"),
    (["pattern := [1, 2]", "tolerance := 1"], "pattern must be 5 numbers, got 2"),
    (["predicates := []"], "predicates must be a list of SQL conditions"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_wrong_arguments(con, published, arguments, message):
    with pytest.raises(Exception, match=f"tanon.count_matching_series: {message}"):
        estimate(con, *arguments)
