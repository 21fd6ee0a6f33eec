"""tanon.quantile_hierarchy against placing each value by the middle of its rows."""

import random
from collections import Counter

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level


def bins_of(values, count):
    """The bin of each value: where the middle of its rows lies among all rows."""
    counted, below, placed = Counter(values), 0, {}
    for value in sorted(counted):
        placed[value] = min((2 * below + counted[value]) * count // (2 * len(values)), count - 1)
        below += counted[value]
    return placed


def labels(placed):
    least = {}
    for value, place in placed.items():
        least[place] = min(value, least.get(place, value))
    order = sorted(least)
    shown = {}
    for number, place in enumerate(order):
        low = least[place]
        high = least[order[number + 1]] if number + 1 < len(order) else None
        if number == 0:
            shown[place] = "all" if high is None else f"<{high}"
        else:
            shown[place] = f"{low}+" if high is None else f"[{low}, {high})"
    return {value: shown[place] for value, place in placed.items()}


@pytest.mark.parametrize("seed", range(10))
def test_as_by_hand(con, seed):
    draw = random.Random(seed)
    values = [draw.randrange(draw.choice([3, 40, 1000])) for _ in range(draw.choice([1, 7, 90]))]
    con.execute("create table t (x integer)")
    con.executemany("insert into t values (?)", [[v] for v in values] + [[None]])
    levels = by_level(con.execute("from tanon.quantile_hierarchy('t', 'x', [8, 4, 2])").fetchall())
    assert_nested(levels, [str(v) for v in set(values)])
    finest = bins_of(values, 8)
    for level, width in zip(levels, (1, 2, 4), strict=False):
        wanted = labels({value: place // width for value, place in finest.items()})
        assert level == {str(value): text for value, text in wanted.items()}


def test_neither_end_is_told(con):
    con.execute("create table t as select i as x from range(1, 1001) as r(i)")
    rows = con.execute("from tanon.quantile_hierarchy('t', 'x', [4])").fetchall()
    told = {general for _, level, _, general in rows if level == 1}
    assert told == {"<251", "[251, 501)", "[501, 751)", "751+"}
    with pytest.raises(duckdb.Error, match="bins must be fewer on each level, each a divisor"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [4, 3])")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_what_has_no_place_among_numbers_is_refused(con, value):
    con.execute("create table t as select unnest([1, 2, $x::double]) as x", {"x": value})
    with pytest.raises(duckdb.Error, match=f"attribute must hold finite values, got {value}"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [2])").fetchall()


def test_days_are_placed_like_numbers(con):
    con.execute("create table t as select date '2024-01-01' + i::int as d from range(4) as r(i)")
    rows = con.execute("from tanon.quantile_hierarchy('t', 'd', [2], star := false)").fetchall()
    assert sorted(rows)[::3] == [
        ("d", 1, "2024-01-01", "<2024-01-03"),
        ("d", 1, "2024-01-04", "2024-01-03+"),
    ]
