"""What is left of dates, ages and ZIP codes, against lists of what is right and what is wrong."""

import datetime

import duckdb
import pytest

DATES = (
    "2024-02-29",
    "2024-02-29 10:15:00",
    "2024-02-29T10:15",
    "2024-2-9",
    "2024/02/29",
    "2024-02",
    "2024-W09",
    "2024-Q1",
    "29.02.2024",
    "2/29/2024",
    "29 Feb 2024",
    "February 29, 2024",
    "Feb 2024",
    "seen on 2024-02-29, again later",
    "[2024-02-29, 2024-03-01]",
)
YEARS = ("2024", "2024-01-01", "2024-01-01 00:00:00", "in 2024", "", "10-12", "1234-5678", "12.5.3")
AGES = {
    91: True,
    90: False,
    89: False,
    0: False,
    "90+": False,
    ">89": False,
    ">= 90": False,
    "85-89": False,
    "90-94": True,
    "[90, inf)": False,
    "95+": True,
    "103": True,
    "old": False,
}


def told(con, query, **arguments):
    named = "".join(f", {name} := ${name}" for name in arguments)
    rows = con.execute(
        f"select item, tells, tuples from tanon.safe_harbor_violations($query{named}) order by all",
        {"query": f"({query})"} | arguments,
    ).fetchall()
    return {item: (tells, tuples) for item, tells, tuples in rows}


@pytest.mark.parametrize("text", DATES)
def test_more_than_a_year_is_told(con, text):
    con.execute("create table t as select $text as x, 1 as y", {"text": text})
    assert told(con, "from t") == {"x": ("a date", 1)}


@pytest.mark.parametrize("text", YEARS)
def test_a_year_is_not(con, text):
    con.execute("create table t as select $text as x", {"text": text})
    assert told(con, "from t") == {}


def test_dates_of_every_type(con):
    day = datetime.datetime(2024, 2, 29)
    con.execute(
        "create table t (a date, b timestamp, c timestamptz, d bigint, e varchar, f date[])"
    )
    con.execute(
        "insert into t values ($d::date, $d, $d, 20240229, '20240229', [$d::date]), "
        "(date '2024-01-01', timestamp '2024-01-01', null, 20240301, null, null)",
        {"d": day},
    )
    found = told(con, "from t")
    assert found == {
        "a": ("a date", 1),
        "b": ("a date", 1),
        "c": ("a date", 1),
        "d": ("a date", 2),
        "e": ("a date", 1),
        "f": ("a date", 1),
    }


def test_first_of_january_alone_is_a_year(con):
    con.execute("create table t as select date '2024-01-01' as a, 20249999 as b, 20240229.5 as c")
    assert told(con, "from t") == {}


@pytest.mark.parametrize("age", AGES, ids=str)
def test_ages(con, age):
    con.execute("create table t as select $age as age, 91 as other", {"age": age})
    assert told(con, "from t", ages="age") == ({"age": ("an age", 1)} if AGES[age] else {})


def test_places(con):
    con.execute(
        "create table t as select unnest(['100', '10001', '036', '36', '100**', null]) as z"
    )
    assert told(con, "from t", zips=["z"]) == {"z": ("a place", 1)}
    assert told(con, "from t", zips="z", small_zips=["036"]) == {"z": ("a place", 3)}


def test_an_empty_table_tells_nothing(con):
    con.execute("create table t (a date, b integer, c varchar)")
    assert told(con, "from t", ages="b", zips="c") == {}


def test_hostile_names(con):
    con.execute("""create table t as select date '2024-02-29' as "a ""b'", 99 as "select" """)
    assert told(con, "from t", ages="select") == {
        "a \"b'": ("a date", 1),
        "select": ("an age", 1),
    }


def test_a_column_that_is_not_there(con):
    con.execute("create table t as select 1 as age")
    with pytest.raises(duckdb.Error, match=r"ages must be columns of source.*did you mean age"):
        con.execute("from tanon.safe_harbor_violations('t', ages := 'agee')")
