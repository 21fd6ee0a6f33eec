"""Series from rows against plain loops: gaps, fills, granularities, and what is refused."""

from datetime import date, timedelta

import duckdb
import numpy as np
import pytest

DAY = date(2024, 1, 1)  # day 0 begins a '2 days' granule


def at(day):
    return DAY + timedelta(days=day)


def load(con, rows):
    con.execute("create or replace table r (who varchar, day date, reading double)")
    con.executemany("insert into r values (?, ?, ?)", rows)


def series(con, options="", source="'r'"):
    query = (
        f"from tanon.series_from_rows({source}, series_id := 'who', ts := 'day', value := 'reading'"
        f"{options}) order by who"
    )
    return con.execute(query).fetchall()


def filled_slowly(cells, places, fill):
    """Return the readings at the places, each missing one looked for in both directions."""
    values = []
    for place in places:
        before = [p for p in cells if p <= place]
        after = [p for p in cells if p >= place]
        if place in cells:
            values.append(cells[place])
        elif fill == "linear" and before and after:
            a, b = max(before), min(after)
            values.append(cells[a] + (cells[b] - cells[a]) * (place - a) / (b - a))
        elif fill in ("previous", "linear"):
            values.append(cells[max(before)] if before else cells[min(after)])
        else:
            values.append(float(fill))
    return values


def test_complete_rows_become_lists(con):
    load(con, [("b", at(1), 4), ("a", at(1), 2), ("a", at(0), 1), ("b", at(0), 3)])
    assert series(con) == [("a", [1.0, 2.0], 0), ("b", [3.0, 4.0], 0)]


@pytest.mark.parametrize("fill", ["'previous'", "'linear'", "7.5"])
@pytest.mark.parametrize("step", [None, 1, 2])
def test_gaps_are_filled_as_in_plain_loops(con, fill, step):
    rng = np.random.default_rng(11)
    rows = [
        (who, int(day), float(rng.integers(0, 9)))
        for who in "abcd"
        for day in rng.permutation(14)[:5]
    ]
    load(con, [(who, at(day), reading) for who, day, reading in rows])
    granules = (
        "select list(tanon.granule_index(date '2024-01-01' + i::integer, '2 days')) from "
        "range(14) t(i)"
    )
    start = con.execute(granules).fetchall()[0][0]
    cells = {}
    for who, day, reading in rows:
        place = start[day] if step == 2 else day
        cells.setdefault(who, {}).setdefault(place, []).append(reading)
    cells = {w: {p: sum(v) / len(v) for p, v in c.items()} for w, c in cells.items()}
    present = sorted({p for c in cells.values() for p in c})
    places = range(present[0], present[-1] + 1) if step else present
    options = f", fill := {fill}" + (f", granularity := '{step} days'" if step else "")
    found = series(con, options)
    assert [who for who, _, _ in found] == list("abcd")
    for who, readings, filled in found:
        assert readings == pytest.approx(filled_slowly(cells[who], places, fill.strip("'")))
        assert filled == len(places) - len(cells[who])


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([("a", 0, 1), ("a", 1, 1), ("b", 0, 1)], "", "each of the 2 times.*got 1 series.*: b"),
        ([("a", 0, 1), ("a", 0, 2)], "", "different in all rows of a series, got 1 series.*: a"),
        ([("a", 0, float("nan"))], "", "value must be finite, got 1 rows that are not, in a"),
        ([("a", 0, float("inf"))], "", "value must be finite"),
        ([("a", 0, None)], "", "value must be free of NULL, got 1 rows"),
        ([(None, 0, 1)], "", "series_id must be free of NULL"),
        ([("a", 0, 1)], ", fill := 'next'", "fill must be 'previous', 'linear' or a number"),
        (
            [("a", 0, 1)],
            ", granularity := 'fortnite'",
            "tanon.series_from_rows: granularity must be",
        ),
        ([("a", 5, 1)], ", granularity := 'business_day'", "covered by granularity, got 1 rows"),
    ],
)
def test_bad_input_is_refused(con, rows, options, message):
    load(con, [(who, at(day), reading) for who, day, reading in rows])
    with pytest.raises(Exception, match=message):
        series(con, options)


@pytest.mark.parametrize(
    ("ts", "message"),
    [
        ("1", "ts must be a DATE or TIMESTAMP column"),
        ("'2024-01-01 00:00:00+00'::timestamptz", "ts must be a DATE or a TIMESTAMP if granul"),
        ("'2024-01-01 00:00:00+00'::timestamptz_ns", "ts must be a DATE or a TIMESTAMP if gran"),
    ],
)
def test_a_granularity_wants_a_time_of_no_zone(con, ts, message):
    con.execute(f"create table t as select 1 as id, {ts} as ts, 2 as value")
    with pytest.raises(Exception, match=f"tanon.series_from_rows: {message}"):
        con.execute(
            "from tanon.series_from_rows('t', series_id := 'id', ts := 'ts', value := 'value', "
            "granularity := 'day')"
        )


def test_times_of_day_fill_in_proportion(con):
    con.execute(
        "create table r as select who, timestamp '2024-01-01' + to_hours(h) as day, h as reading "
        "from (values ('a', 0), ('a', 1), ('a', 9), ('b', 0), ('b', 9)) as t(who, h)"
    )
    assert series(con, ", fill := 'linear'")[1] == ("b", [0.0, 1.0, 9.0], 1)


def test_an_empty_table_has_no_series(con):
    load(con, [("a", at(0), 1)])
    assert series(con, source="'(from r where false)'") == []
    assert series(con, ", granularity := 'day', fill := 0", "'(from r where false)'") == []


@pytest.mark.parametrize(
    ("last", "granularity"), [("date '2024-12-31'", "minute"), ("'infinity'::date", "day")]
)
def test_too_many_positions_are_refused_before_they_take_memory(con, last, granularity):
    con.execute(
        "create or replace table far as "
        f"select 1 as who, unnest([date '2000-01-01', {last}]) as happened, 1.0 as reading"
    )
    call = (
        "from tanon.series_from_rows('far', series_id := 'who', ts := 'happened', "
        f"value := 'reading', granularity := '{granularity}', fill := 0)"
    )
    with pytest.raises(duckdb.Error, match="must be coarse enough for at most 10000000 positions"):
        con.execute(call)
