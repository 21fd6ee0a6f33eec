"""Levels per snapshot against counting in Python, for every kind of time column."""

import random
from collections import Counter
from datetime import date, datetime, timedelta
from fractions import Fraction

import duckdb
import pytest

CALL = (
    "from tanon.l_eligibility('t', ts := 'tm', sensitive := 's', l := {l}{more}, {persons}) "
    "order by 1"
)


def measured(con, l, more="", persons="rows_are_persons := true"):  # noqa: E741
    return con.execute(CALL.format(l=l, more=more, persons=persons)).fetchall()


def expected(records, l, first, last):  # noqa: E741
    rows = []
    for snapshot in range(first, last + 1):
        counts = list(Counter(value for at, value in records if at == snapshot).values())
        n, level, cut = sum(counts), max(counts, default=0), list(counts)
        while cut and l * max(cut) > sum(cut):
            cut[cut.index(max(cut))] -= 1
        most, excess = n / level if n else None, n - sum(cut)
        rows.append((snapshot, n, level, min(n, 1), most, excess == 0, excess))
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_counts_of_whole_numbers(con, seed):
    rng = random.Random(seed)
    values = ["a", "b", "c", None]
    records = [(rng.randint(-3, 6), rng.choice(values[: rng.randint(1, 4)])) for _ in range(60)]
    con.execute("create table t (tm integer, s varchar)")
    con.executemany("insert into t values (?, ?)", records)
    text = rng.choice(["1", "2", "2.5", "'7/3'", "3"])
    l = Fraction(text.strip("'"))  # noqa: E741
    first, last = min(at for at, _ in records), max(at for at, _ in records)
    assert measured(con, text) == expected(records, l, first, last)


def test_days_weeks_and_months(con):
    con.execute(
        "create table t as select date '2024-02-27' + d::int as tm, d % 3 as s from range(9) r(d)"
    )
    days = measured(con, 2)
    assert [row[0] for row in days] == [date(2024, 2, 27) + timedelta(d) for d in range(9)]
    assert {row[1:] for row in days} == {(1, 1, 1, 1.0, False, 1)}
    weeks = measured(con, 2, ", granularity := 'week'")
    assert [row[:2] for row in weeks] == [(date(2024, 2, 26), 6), (date(2024, 3, 4), 3)]
    sundays = measured(con, 2, ", granularity := 'week_sunday'")
    assert [row[:2] for row in sundays] == [(date(2024, 2, 25), 5), (date(2024, 3, 3), 4)]
    months = measured(con, 2, ", granularity := 'month'")
    assert [row[:2] for row in months] == [(date(2024, 2, 1), 3), (date(2024, 3, 1), 6)]
    years = measured(con, 2, ", granularity := '2 years'")
    assert [row[:2] for row in years] == [(date(2024, 1, 1), 9)]


def test_hours_and_gaps(con):
    con.execute("create table t (tm timestamp, s int)")
    con.execute("insert into t values ('1969-12-31 23:30', 1), ('1970-01-01 02:59:59.9', 2)")
    hours = measured(con, 1, ", granularity := 'hour'")
    assert [row[:2] for row in hours] == [
        (datetime(1969, 12, 31, 23), 1),
        (datetime(1970, 1, 1, 0), 0),
        (datetime(1970, 1, 1, 1), 0),
        (datetime(1970, 1, 1, 2), 1),
    ]
    assert hours[1][2:] == (0, 0, None, True, 0)
    quarters = measured(con, 1, ", granularity := '90 minutes'")
    assert [row[1] for row in quarters] == [1, 0, 1]


def test_midnights_are_days(con):
    con.execute("create table t as select timestamp '2024-01-01' as tm, 1 as s")
    assert measured(con, 1) == [(datetime(2024, 1, 1), 1, 1, 1, 1.0, True, 0)]


def test_wide_integers(con):
    con.execute("create table t as select 5::hugeint as tm, 1 as s union all select 6, 1")
    assert [row[:2] for row in measured(con, 1)] == [(5, 1), (6, 1)]


def test_empty_table(con):
    con.execute("create table t (tm date, s int)")
    assert measured(con, 3) == []


@pytest.mark.parametrize(
    ("table", "l", "more", "message"),
    [
        ("select 1 as tm, 1 as s", "0.9", "", "l must be a rational number of at least 1"),
        ("select 1 as tm, 1 as s", "'5/0'", "", "l must be a rational number of at least 1"),
        ("select 1 as tm, 1 as s", "null", "", "l must be a rational number of at least 1"),
        ("select null::int as tm, 1 as s", "2", "", "ts must be free of NULL, got 1 rows"),
        (
            "select 'x' as tm, 1 as s",
            "2",
            "",
            "ts must be an integer column or a DATE or TIMESTAMP",
        ),
        (
            "select timestamp '2024-01-01 10:30' as tm, 1 as s",
            "2",
            "",
            "ts must be midnight unless granularity says how time is cut, got 2024-01-01 10:30:00",
        ),
        ("select 1 as tm, 1 as s", "2", "day", "granularity must be a whole number where ts is"),
        (
            "select date '2024-01-01' as tm, 1 as s",
            "2",
            "hour",
            "must be of whole days where ts is",
        ),
        ("select date '2024-01-01' as tm, 1 as s", "2", "7", "must be of whole days where ts is"),
        (
            "select date '2024-01-01' as tm, 1 as s",
            "2",
            "moon",
            "granularity must be a unit such as",
        ),
        ("select 'infinity'::date as tm, 1 as s", "2", "", "ts must be finite, got infinity"),
        ("select '-infinity'::timestamp as tm, 1 as s", "2", "", "ts must be finite"),
        ("select 9223372036854775807 as tm, 1 as s", "2", "", "ts must lie between -4000000000"),
        ("select 18446744073709551615::ubigint as tm, 1 as s", "2", "", "ts must lie between"),
        (
            "select '2024-01-01 00:00:00+00'::timestamptz as tm, 1 as s",
            "2",
            "",
            "ts must be an integer, DATE or TIMESTAMP column without time zone",
        ),
        (
            "select unnest([0, 20000000]) as tm, 1 as s",
            "2",
            "",
            "granularity must be coarse enough for at most 10000000 snapshots, got 20000001",
        ),
    ],
)
def test_refused(con, table, l, more, message):  # noqa: E741
    con.execute(f"create table t as {table}")
    with pytest.raises(duckdb.Error) as error:
        measured(con, l, f", granularity := '{more}'" if more else "")
    assert f"tanon.l_eligibility: {message}" in str(error.value) or message in str(error.value)
    assert "tanon.l_eligibility: " in str(error.value).split("\n")[0]


def test_values_of_a_collation_are_one(con):
    con.execute("create table t (tm integer, s varchar collate nocase)")
    con.execute("insert into t values (1, 'flu'), (1, 'Flu'), (1, 'gout')")
    assert measured(con, 2) == [(1, 3, 2, 1, 1.5, False, 1)]


@pytest.mark.parametrize("seed", range(6))
def test_nobody_holds_more_than_one_l_th_of_an_eligible_snapshot(con, seed):
    rng = random.Random(seed)
    rows = [(rng.randrange(8), f"p{rng.randrange(8)}", rng.choice("abcdef")) for _ in range(70)]
    con.execute("create table t (tm integer, who varchar, s varchar)")
    con.executemany("insert into t values (?, ?, ?)", rows)
    met = Counter()
    for width in (1, 2):
        more = f", granularity := {width}"
        for at, n, level, most, max_l, eligible, _ in measured(con, 3, more, "respondent := 'who'"):
            there = [(who, value) for tm, who, value in rows if at <= tm < at + width]
            persons, values = (Counter(column) for column in zip(*there, strict=True))
            assert (n, level, most) == (len(there), max(values.values()), max(persons.values()))
            assert max_l == n / max(level, most)
            assert eligible == (3 * max(level, most) <= n)
            met[eligible] += 1
    assert met[False] and met[True]


def test_a_person_with_two_values_makes_no_snapshot_eligible(con):
    con.execute("create table t as select 1 as tm, 'p' as who, unnest(['flu', 'cold']) as s")
    assert measured(con, 2, "", "respondent := 'who'") == [(1, 2, 1, 2, 1.0, False, 0)]
    assert measured(con, 2) == [(1, 2, 1, 1, 2.0, True, 0)]


@pytest.mark.parametrize(
    ("persons", "message"),
    [
        ("respondent := 'TM'", "respondent must be a column apart from ts and sensitive, got 'TM'"),
        ("respondent := 's'", "respondent must be a column apart from ts and sensitive, got 's'"),
        (
            "respondent := 'who', rows_are_persons := true",
            "rows_are_persons must be false if respondent is",
        ),
        (
            "rows_are_persons := false",
            "respondent must be the column of the respondent, or omitted",
        ),
    ],
)
def test_persons_are_named_or_rows_are(con, persons, message):
    con.execute("create table t as select 1 as tm, 'p' as who, 'a' as s")
    with pytest.raises(duckdb.Error, match=message):
        measured(con, 2, "", persons)
