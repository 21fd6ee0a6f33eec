"""tanon.risk_by_granularity against risk counted respondent by respondent."""

from itertools import combinations
from math import sqrt

import duckdb
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.generalization import metrics, risk

OFFER = ["day", "month", "fiscal year", "business_day", "year"]
CALL = (
    "from tanon.risk_by_granularity('events', respondent := 'the one', qi := ['q1', 'q 2'], ts "
    ":= 'when', "
    f"granularities := {OFFER}, calendar := 'calendar'{{}})"
)


def close(found, wanted):
    return found == pytest.approx(wanted, rel=1e-12)


def hold_against(found, rows, population=None):
    for row in found:
        granularity, reason, people, groups, *shares, frequencies, top, without = row[:15]
        function = up(granularity)
        one = metrics(rows, "the one", ["q1", "q 2"], "when", function, 2)
        assert (reason is None) == one.feasible
        if not rows or not one.feasible:
            assert people is None
            continue
        wanted = risk(rows, "the one", ["q1", "q 2"], "when", function, population)
        assert people == len({row["the one"] for row in rows})
        assert groups == one.groups
        assert close(
            shares,
            [
                wanted[name]
                for name in (
                    "unique", "below_5", "below_11", "prosecutor_max", "prosecutor_mean",
                    "journalist_max", "journalist_mean", "marketer",
                )
            ],
        )  # fmt: skip
        assert frequencies == dict(wanted["frequencies"])
        left_out = {
            "q1": risk(rows, "the one", ["q 2"], "when", function),
            "q 2": risk(rows, "the one", ["q1"], "when", function),
            "when": risk(rows, "the one", ["q1", "q 2"], "when", lambda _: 0),
        }
        means = {name: found["prosecutor_mean"] for name, found in left_out.items()}
        assert close(without, min(means.values()))
        assert close(means[top], min(means.values()))


def test_without_a_population(con):
    create_calendar(con)
    for seed in range(12):
        rows = dated_rows(seed)
        create_rows(con, rows)
        hold_against(con.execute(CALL.format("")).fetchall(), rows)


def test_against_a_population(con):
    create_calendar(con)
    for seed in range(3, 12):
        rows = dated_rows(seed)
        wide = rows + [r | {"the one": r["the one"] + "x"} for r in dated_rows(seed + 40)]
        create_rows(con, rows)
        create_rows(con, wide, "everybody")
        call = CALL.format(", population := 'everybody'")
        hold_against(con.execute(call).fetchall(), rows, wide)


def test_without_trails_all_else_is_the_same(con):
    create_calendar(con)
    create_rows(con, dated_rows(8))
    with_them = con.sql(CALL.format(""))
    without = con.sql(CALL.format(", follow := false"))
    assert without.columns == with_them.columns[:15]
    assert without.fetchall() == [row[:15] for row in with_them.fetchall()]
    with pytest.raises(duckdb.Error, match="trail must be omitted unless follow is true"):
        con.execute(CALL.format(", follow := false, trail := 2"))


def test_the_same_for_any_number_of_threads(con):
    create_calendar(con)
    create_rows(con, dated_rows(8, largest=500))
    found = []
    for threads in (1, 4):
        con.execute(f"set threads = {threads}")
        found.append(con.execute(CALL.format("")).fetchall())
    assert found[0] == found[1]


def test_a_population_holds_the_source(con):
    create_calendar(con)
    create_rows(con, dated_rows(5))
    con.execute("create table everybody as from events where false")
    with pytest.raises(
        duckdb.Error, match=r"tanon.risk_by_granularity: population must hold every"
    ):
        con.execute(CALL.format(", population := 'everybody'")).fetchall()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ts := 'when', granularities := ['wek']", "granularities must be .* did you mean 'week'"),
        ("ts := 'q1', granularities := ['week']", "ts must be a column that is not among qi"),
        ("ts := 'Q1', granularities := ['week']", "ts must be a column that is not among qi"),
        ("ts := 'The One', granularities := ['week']", "respondent must be a column apart from qi"),
        ("ts := 'note', granularities := ['week']", "ts must be a DATE or TIMESTAMP column"),
    ],
)
def test_bad_input(con, arguments, message):
    create_rows(con, dated_rows(8))
    with pytest.raises(duckdb.Error, match=f"tanon.risk_by_granularity: {message}"):
        con.execute(
            f"from tanon.risk_by_granularity('events', 'the one', 'q1', {arguments})"
        ).fetchall()


def trail_risk(rows, function, known=None):
    """Shares of respondents alone and below 5, every choice of so many groups as likely."""
    groups = {}
    for row in rows:
        cell = (row["q1"], row["q 2"], function(row["when"]))
        groups.setdefault(row["the one"], set()).add(cell)
    alone = below_5 = 0
    for own in groups.values():
        choices = list(combinations(own, len(own) if known is None else min(known, len(own))))
        found = [sum(set(choice) <= other for other in groups.values()) for choice in choices]
        alone += sum(f < 2 for f in found) / len(found)
        below_5 += sum(f < 5 for f in found) / len(found)
    return alone / len(groups), below_5 / len(groups)


@pytest.mark.parametrize("known", [None, 1, 2, 3, 5])
def test_trails(con, known):
    create_calendar(con)
    for seed in range(12):
        rows = dated_rows(seed, largest=120)
        create_rows(con, rows)
        call = CALL.format("" if known is None else f", trail := {known}")
        for row in con.execute(call).fetchall():
            everything, choice = row[15:18], row[18:]
            if row[1] or not rows:
                assert [*everything, *choice] == [None] * 6
                continue
            assert close(everything, [*trail_risk(rows, up(row[0])), 0])
            if known is None:
                assert list(choice) == [None] * 3
            else:
                assert close(choice, [*trail_risk(rows, up(row[0]), known), 0])


def visits_of_500(con, weeks=52):
    """500 persons with twelve visits each."""
    con.execute(
        "create table many as select person, person % 2 as q, timestamp '2024-01-01' + "
        f"to_days((('0x' || sha256(person || ' ' || visit)[:8])::bigint % {7 * weeks})::int) as t "
        "from range(500) as p(person), range(12) as v(visit)"
    )
    return con.execute("select person, t::date from many").fetchall()


def test_three_visits_of_twelve_leave_most_below_5(con):
    """In a release by the week in which all groups are large."""
    visits_of_500(con)
    call = "from tanon.risk_by_granularity('many', 'person', 'q', 't', ['week'], trail := 3)"
    row = con.execute(call).fetchone()
    assert row[5] == 0
    assert row[16] == 1
    assert 0.85 < row[19] < 0.99


def test_what_is_drawn_lies_within_its_margin(con):
    """More than 100,000 choices: the same for any order of rows, near to the truth."""
    drawn = visits_of_500(con, 30)
    call = "from tanon.risk_by_granularity('many', 'person', 'q', 't', ['week'], trail := 4{})"
    found = con.execute(call.format("")).fetchone()
    con.execute("set threads = 1")
    con.execute("create or replace table many as select * from many order by hash(t, person)")
    assert con.execute(call.format("")).fetchone() == found
    assert con.execute(call.format(", seed := 1")).fetchone()[:18] == found[:18]
    assert 0 < found[20] == 0.98 / sqrt(10_000)
    weeks = {p: {(p % 2, t.isocalendar().week) for q, t in drawn if q == p} for p in range(500)}
    alone = below_5 = tries = 0
    for person in range(40):
        for choice in combinations(sorted(weeks[person]), 4):
            f = sum(set(choice) <= other for other in weeks.values())
            alone, below_5, tries = alone + (f < 2), below_5 + (f < 5), tries + 1
    assert abs(found[18] - alone / tries) < 0.08
    assert abs(found[19] - below_5 / tries) < 0.08


def never(_):
    return 0


@pytest.mark.parametrize("known", [None, 1])
def test_without_a_time(con, known):
    """One row, as if all rows were of one moment; without an attribute, without that alone."""
    for seed in range(2, 10):
        rows = dated_rows(seed)
        wide = rows + [r | {"the one": r["the one"] + "x"} for r in dated_rows(seed + 40)]
        create_rows(con, rows)
        create_rows(con, wide, "everybody")
        more = "" if known is None else ", trail := 1, population := 'everybody'"
        call = (
            f"from tanon.risk_by_granularity('events', respondent := 'the one', qi := ['q1', "
            f"'q 2']{more})"
        )
        (row,) = con.execute(call).fetchall()
        assert row[:2] == (None, None)
        if not rows:
            assert row[2:] == (None,) * 19
            continue
        wanted = risk(rows, "the one", ["q1", "q 2"], "when", never, wide if known else None)
        names = (
            "unique", "below_5", "below_11", "prosecutor_max", "prosecutor_mean",
            "journalist_max", "journalist_mean", "marketer",
        )  # fmt: skip
        assert row[2] == len({r["the one"] for r in rows})
        assert close(list(row[4:12]), [wanted[name] for name in names])
        assert row[12] == dict(wanted["frequencies"])
        means = {
            gone: risk(rows, "the one", [q], "when", never)["prosecutor_mean"]
            for gone, q in (("q1", "q 2"), ("q 2", "q1"))
        }
        assert close(row[14], min(means.values())) and close(means[row[13]], row[14])
        assert close(row[15:18], (*trail_risk(rows, never), 0))
        if known:
            assert close(row[18:], (*trail_risk(rows, never, known), 0))


def test_a_time_and_granularities_come_together(con):
    create_rows(con, dated_rows(8))
    with pytest.raises(duckdb.Error, match="granularities must be given if ts is given, and only"):
        con.execute("from tanon.risk_by_granularity('events', 'the one', ['q1'], ts := 'when')")
