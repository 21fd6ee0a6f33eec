"""Dates that no TIMESTAMP holds, and times at the end of it: a sentence of the function's own."""

import duckdb
import pytest

FAR = ["date '300000-01-01'", "date '294246-12-31'", "date '290000-01-01 (BC)'"]
CALLS = {
    "k_anonymity": "respondent := 'u', qi := 's', ts := 'd', granularity := '2 weeks'",
    "granularity_metrics": "respondent := 'u', qi := 's', ts := 'd', granularities := ['week'], "
    "k := 2",
    "publish_events": "respondent := 'u', qi := 's', ts := 'd', granularities := ['year'], k := 2",
    "tune_events": "respondent := 'u', qi := 's', ts := 'd', granularities := ['year'], k := [2]",
    "risk_by_granularity": "respondent := 'u', qi := 's', ts := 'd', granularities := ['year']",
    "date_hierarchy": "attribute := 'd', granularities := ['month', 'year']",
    "generalize": "ts := 'd', granularity := 'month'",
    "series_from_rows": "series_id := 'u', ts := 'd', value := 'i', fill := 'linear'",
    "publish_stream": "ts := 'd', sensitive := 's', l := 2, w := 3, rows_are_persons := true",
    "l_eligibility": "ts := 'd', sensitive := 's', l := 2, granularity := 'week', respondent := "
    "'u'",
}


def create(con, time):
    days = "-i::integer" if time.startswith("date") else "to_days(-i::integer)"
    con.execute(
        f"create table t as select i % 4 as u, {time} + {days} as d, 'x' as s, i from range(8) r(i)"
    )


@pytest.mark.parametrize("time", FAR)
@pytest.mark.parametrize("function", CALLS)
def test_a_date_that_no_timestamp_holds(con, function, time):
    create(con, time)
    message = rf"tanon\.{function}: times must lie between the years -270000 and 280000, got "
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from tanon.{function}('t', {CALLS[function]})").fetchall()


@pytest.mark.parametrize("function", CALLS)
def test_a_time_at_the_end_of_timestamp(con, function):
    """Nothing is added to it: no granularity covers it."""
    create(con, "timestamp '294246-12-31'")
    try:
        con.execute(f"from tanon.{function}('t', {CALLS[function]})").fetchall()
    except duckdb.Error as error:
        assert f"Invalid Input Error: tanon.{function}: " in str(error)
