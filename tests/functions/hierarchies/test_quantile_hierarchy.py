"""tanon.quantile_hierarchy against placing each value by the middle of its rows, in fractions."""

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level

UNITS = [Fraction(digit) * Fraction(10) ** e for e in range(9, -7, -1) for digit in (5, 2, 1)]


def exact_bins(values, count):
    """The least value of each bin, by where the middle of the rows of a value lies among all."""
    counted, below, least = Counter(values), 0, {}
    for value in sorted(counted):
        place = min((2 * below + counted[value]) * count // (2 * len(values)), count - 1)
        least.setdefault(place, value)
        below += counted[value]
    return sorted(least.items())


def rounded(value, before, smallest):
    for unit in UNITS:
        if unit <= (value - before) / 2 and unit >= smallest:
            return value // unit * unit
    return value


def labels(values, count, level, smallest=1):
    """What each value becomes where bins of ``count`` are joined to ``level`` of them."""
    bins = exact_bins(values, count)
    bounds = {}
    for (_, before), (place, value) in pairwise(bins):
        bounds[place] = rounded(value, before, smallest)
    of_level = {}
    for place, _ in bins:
        of_level.setdefault(place // (count // level), bounds.get(place))
    order = list(of_level.values())[1:]
    shown = {}
    for value in values:
        low = max((bound for bound in order if bound <= value), default=None)
        high = min((bound for bound in order if bound > value), default=None)
        lower, higher = (b if b is None else written(b) for b in (low, high))
        if low is None:
            shown[str(value)] = "all" if high is None else f"<{higher}"
        else:
            shown[str(value)] = f"{lower}+" if high is None else f"[{lower}, {higher})"
    return shown


def written(bound):
    return str(int(bound)) if bound == int(bound) else str(float(bound))


@pytest.mark.parametrize("seed", range(10))
def test_as_by_hand(con, seed):
    draw = random.Random(seed)
    values = [draw.randrange(draw.choice([3, 40, 1000])) for _ in range(draw.choice([1, 7, 90]))]
    con.execute("create table t (x integer)")
    con.executemany("insert into t values (?)", [[v] for v in values] + [[None]])
    levels = by_level(con.execute("from tanon.quantile_hierarchy('t', 'x', [8, 4, 2])").fetchall())
    assert_nested(levels, [str(v) for v in set(values)])
    for level, count in zip(levels, (8, 4, 2), strict=False):
        assert level == labels(values, 8, count)


@pytest.mark.parametrize("seed", range(10))
def test_decimals_as_by_hand(con, seed):
    draw = random.Random(seed)
    width = draw.choice([30, 1000, 90_000])
    values = [Fraction(draw.randrange(-width, width), 1000) for _ in range(draw.choice([2, 60]))]
    con.execute("create table t (x double)")
    con.executemany("insert into t values (?)", [[float(v)] for v in values])
    (level,) = by_level(
        con.execute("from tanon.quantile_hierarchy('t', 'x', [6], star := false)").fetchall()
    )
    wanted = labels(values, 6, 6, smallest=0)
    assert level == {str(float(Fraction(value))): text for value, text in wanted.items()}


def test_neither_end_is_told(con):
    con.execute("create table t as select i as x from range(1, 1001) as r(i)")
    rows = con.execute("from tanon.quantile_hierarchy('t', 'x', [4])").fetchall()
    told = {general for _, level, _, general in rows if level == 1}
    assert told == {"<200", "[200, 500)", "[500, 700)", "700+"}
    with pytest.raises(duckdb.Error, match="bins must be fewer on each level, each a divisor"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [4, 3])")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_what_has_no_place_among_numbers_is_refused(con, value):
    con.execute("create table t as select unnest([1, 2, $x::double]) as x", {"x": value})
    with pytest.raises(duckdb.Error, match=rf"attribute must hold finite values, .* got {value}"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [2])").fetchall()


def test_a_day_that_is_no_timestamp_is_refused_and_not_left_out(con):
    con.execute("create table t as select unnest([date '2024-01-01', date '400000-01-01']) as x")
    with pytest.raises(duckdb.Error, match="times within the years of TIMESTAMP"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [2])").fetchall()


@pytest.mark.parametrize("type", ["bigint", "hugeint", "double", "decimal(38, 0)"])
def test_what_is_no_number_of_its_own_as_a_double_is_refused(con, type):
    con.execute(f"create table t as select unnest([1, 2, 9007199254740996::{type}]) as x")
    with pytest.raises(duckdb.Error, match="numbers of at most 9007199254740992, got 9007199254"):
        con.execute("from tanon.quantile_hierarchy('t', 'x', [2])").fetchall()


@pytest.mark.parametrize(
    ("times", "wanted"),
    [
        ("date '2024-01-01' + i::int from range(4) as r(i)", {"<2024-01-03", "2024-01-03+"}),
        ("date '2024-01-01' + i::int from range(400) as r(i)", {"<2024-07-01", "2024-07-01+"}),
        ("date '1924-01-31' - i::int * 99 from range(400) as r(i)", {"<1870-01-01", "1870-01-01+"}),
        (
            "timestamp '2024-03-01 08:00:01' + to_minutes(i) from range(90) as r(i)",
            {"<2024-03-01 08:45:00", "2024-03-01 08:45:00+"},
        ),
        (
            "timestamptz '2024-03-31 00:00:00+01' + to_hours(i) from range(9) as r(i)",
            {"<2024-03-31 03:00:00", "2024-03-31 03:00:00+"},
        ),
    ],
)
def test_times_are_rounded_to_what_a_calendar_knows(con, times, wanted):
    con.execute("set timezone = 'Europe/Zurich'")
    con.execute(f"create table t as select {times.replace(' from', ' as x from')}")
    rows = con.execute("from tanon.quantile_hierarchy('t', 'x', [2], star := false)").fetchall()
    assert {general for *_, general in rows} == wanted
    bound = max(wanted)[1:]
    assert all((value >= bound) == (general == f"{bound}+") for *_, value, general in rows)


@pytest.mark.parametrize("bins", ["4", "'4'", "{'a': 4}", "[[4]]", "null"])
def test_what_is_no_list_is_refused(demo_con, bins):
    message = "tanon.quantile_hierarchy: bins must be a list of whole numbers above 0, none twice"
    with pytest.raises(duckdb.Error, match=message):
        demo_con.execute(f"from tanon.quantile_hierarchy('visits', 'age', bins := {bins})")


def test_a_decimal_below_a_bound_is_below_it(con):
    """A DOUBLE has fewer digits: the first value would be 2."""
    con.execute(
        "create table t as select unnest([1.999999999999999999, 3, 4, 5])::decimal(20, 18) as x"
    )
    rows = con.execute(
        "select value::double, generalized from tanon.quantile_hierarchy('t', 'x', [4], "
        "star := false) order by value"
    ).fetchall()
    assert rows[0][1].startswith("<2") or rows[0][1] == "<3"
