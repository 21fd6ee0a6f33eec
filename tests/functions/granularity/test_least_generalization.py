"""tanon.least_generalization against an exhaustive search and the literal procedures."""

import json
from fractions import Fraction
from functools import cache

import duckdb
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.finer import finer
from oracles.generalization import exhaustive_least, least_by_the_paper, metrics

OFFERS = (
    ["day", "week", "month", "year"],
    ["quarter", "hour", "fiscal year", "shift", "month"],
    ["fortnight", "week_sunday", "month", "3 days"],
)
is_finer = cache(finer)


def least(con, offer, k, suppression=0):
    rows = con.execute(
        "from tanon.least_generalization('events', respondent := 'the one', qi := ['q1', 'q 2'], "
        "ts := 'when', granularities := ?, k := ?, calendar := 'calendar', "
        f"max_suppression := {suppression})",
        [offer, k],
    ).fetchall()
    assert all(row[1] and row[2] is None and row[8] and row[9] for row in rows)
    return {row[0]: row[3:8] for row in rows}


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer[0])
def test_as_an_exhaustive_search_finds(con, offer):
    create_calendar(con)
    for seed in range(14):
        rows = dated_rows(seed)
        create_rows(con, rows)
        k, suppression = 2 + seed % 2, [0, "0.25", "0.5"][seed % 3]
        every = {
            name: metrics(
                rows, "the one", ["q1", "q 2"], "when", up(name), k, Fraction(suppression)
            )
            for name in offer
        }
        wanted = {
            name: (
                every[name].gen_m, every[name].gen_s, every[name].groups,
                every[name].suppressed_tuples, every[name].suppressed_share,
            )
            for name in exhaustive_least(every, is_finer)
        }  # fmt: skip
        assert least(con, offer, k, suppression) == wanted


def test_as_the_procedures_of_the_paper_find(con):
    create_calendar(con)
    for seed in range(10):
        rows = [r | {"q1": r["q1"] or 0, "q 2": r["q 2"] or ""} for r in dated_rows(seed)]
        create_rows(con, rows)
        offer = OFFERS[seed % 2]
        ups = {name: up(name) for name in offer}
        literal, _ = least_by_the_paper(rows, "the one", ["q1", "q 2"], "when", ups, is_finer, 2)
        found = least(con, offer, 2)
        assert (literal is None) == (not found)
        if found:  # of two at the same cost the walk may meet the coarser one first
            one = metrics(rows, "the one", ["q1", "q 2"], "when", ups[literal], 2)
            assert {row[:2] for row in found.values()} == {(one.gen_m, one.gen_s)}
            assert literal in found or any(is_finer(name, literal) for name in found)


@pytest.mark.parametrize("suppression", ["0", "0.02"])
def test_the_look_at_the_rarest_rules_out_nothing_that_is_acceptable(con, suppression):
    """Many respondents, so that the rarest values are looked at on their own."""
    con.execute(
        "create table r as select (hash(i) % 300)::int as u, least(i % 97, 30)::int as q, "
        "timestamp '2024-01-01' + to_hours((hash(i + 1) % 8000)::int) as t "
        "from range(4000) as rows(i) where hash(i + 2) % 5 > 0 or i % 97 > 30"
    )
    for k in (2, 3, 5, 9, 20):
        call = (
            f"'r', 'u', 'q', 't', ['hour', 'day', 'week', 'month', 'quarter', 'year'], {k}, "
            f"max_suppression := {suppression}"
        )
        every = con.execute(f"from tanon.granularity_metrics({call}) where least").fetchall()
        assert con.execute(f"from tanon.least_generalization({call})").fetchall() == every


def test_ties_are_all_reported(con):
    con.execute(
        "create table r as select u, 'q' as q, date '2024-05-01' as t from range(4) as rows(u)"
    )
    found = con.execute(
        "select granularity from tanon.least_generalization('r', 'u', 'q', 't', "
        "['month', 'week', 'dekad'], 2)"
    ).fetchall()
    assert found == [("week",), ("dekad",)]


def test_what_lies_above_an_acceptable_one_is_not_computed(con, tmp_path):
    con.execute(
        "create table r as select i % 7 as u, i % 2 as q, "
        "timestamp '2024-01-01' + to_minutes((i * 37) % 500000) as t from range(20000) as rows(i)"
    )
    profile = tmp_path / "profile.json"
    con.execute(f"set enable_profiling = 'json'; set profiling_output = '{profile}'")
    offers = {"year": 1, "quarter": 1, "month": 1, "minute": 2}
    for finest, looked_at in offers.items():
        con.execute(
            "from tanon.least_generalization('r', 'u', 'q', 't', "
            f"['{finest}', '2 years', '4 years', '8 years'], 2, max_suppression := 0.01)"
        ).fetchall()
        aggregations = [
            step
            for step in operators(json.loads(profile.read_text())["operator"])
            if step["type"] == "HASH_GROUP_BY" and step["intermediate_rows"] > 0
            if str(step["extra_info"].get("Aggregates")) == "['count_star()', 'count(#1)']"
        ]
        assert len(aggregations) == looked_at, finest


def operators(steps):
    for step in steps:
        yield step
        yield from operators(step.get("children", []))


def test_no_feasible_granularity_is_an_error(con):
    call = (
        "from tanon.least_generalization("
        "'(select 1 as u, 2 as q, timestamp ''2024-06-01'' as t)', 'u', 'q', 't', "
        "['business_day', 'business_week'], 2)"
    )
    with pytest.raises(
        duckdb.Error,
        match=r"granularities must cover every time, got none .* business_day: no granule covers",
    ):
        con.execute(call).fetchall()


def test_none_acceptable_gives_no_row(con):
    call = (
        "from tanon.least_generalization("
        "'(select 1 as u, 2 as q, timestamp ''2024-06-01'' as t)', 'u', 'q', 't', ['year'], 2)"
    )
    assert con.execute(call).fetchall() == []


def test_granularities_of_different_spans_hand_on_what_is_finer(con):
    """Days lie in terms and terms in fiscal years, which do not hold all days."""
    con.execute(
        "create table calendar as select * from (values "
        "('term', 1, 't', timestamp '2024-01-10', timestamp '2024-01-20'), "
        "('fiscal', 1, 'a', '2024-01-01', '2024-01-02'), "
        "('fiscal', 2, 'b', '2024-01-03', '2024-01-04'), "
        "('fiscal', 3, 'c', '2024-01-05', '2024-01-06'), "
        "('fiscal', 4, 'd', '2024-01-10', '2024-01-30')"
        ") as v(granularity, granule, label, starts, ends)"
    )
    con.execute(
        "create table r as select i as u, 'q' as q, date '2024-01-11' as t from range(5) as r(i) "
        "union all select i + 10, 'q', date '2024-01-12' from range(5) as r(i) "
        "union all select i + 20, 'p', date '2024-01-11' + i::integer from range(3) as r(i)"
    )
    call = (
        "('r', 'u', 'q', 't', ['term', 'day', 'fiscal'], 3, "
        "max_suppression := 0.5, calendar := 'calendar')"
    )
    wanted = con.execute(f"from tanon.granularity_metrics{call} where least").fetchall()
    assert [row[0] for row in wanted] == ["day"]
    assert con.execute(f"from tanon.least_generalization{call}").fetchall() == wanted
