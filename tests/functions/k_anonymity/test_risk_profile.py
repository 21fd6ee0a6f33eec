"""tanon.risk_profile against risk counted respondent by respondent."""

import duckdb
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.generalization import metrics, risk

OFFER = ["day", "month", "fiscal year", "business_day", "year"]
CALL = (
    "from tanon.risk_profile('events', uid := 'the one', qi := ['q1', 'q 2'], ts := 'when', "
    f"granularities := {OFFER}, calendar := 'calendar'{{}})"
)


def close(found, wanted):
    return found == pytest.approx(wanted, rel=1e-12)


def hold_against(found, rows, population=None):
    for row in found:
        granularity, reason, people, groups, *shares, frequencies, top, without = row
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
    with pytest.raises(duckdb.Error, match=r"tanon.risk_profile: population must hold every"):
        con.execute(CALL.format(", population := 'everybody'")).fetchall()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ts := 'when', granularities := ['wek']", "granularities must be .* did you mean 'week'"),
        ("ts := 'q1', granularities := ['week']", "ts must be a column that is not among qi"),
        ("ts := 'Q1', granularities := ['week']", "ts must be a column that is not among qi"),
        ("ts := 'The One', granularities := ['week']", "uid must be a column apart from qi"),
        ("ts := 'note', granularities := ['week']", "ts must be a DATE or TIMESTAMP column"),
    ],
)
def test_bad_input(con, arguments, message):
    create_rows(con, dated_rows(8))
    with pytest.raises(duckdb.Error, match=f"tanon.risk_profile: {message}"):
        con.execute(f"from tanon.risk_profile('events', 'the one', 'q1', {arguments})").fetchall()
