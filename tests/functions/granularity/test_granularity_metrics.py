"""tanon.granularity_metrics against the definitions read naively."""

from fractions import Fraction
from functools import cache

import duckdb
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.finer import finer
from oracles.generalization import exhaustive_least, metrics

OFFERS = (
    ["day", "week", "month", "year"],
    ["hour", "business_day", "fiscal year", "term", "shift"],
    ["month", "week_sunday", "fortnight", "3 days", "quarter"],
)
is_finer = cache(finer)


def expected(rows, offer, k, suppression):
    found = {
        name: metrics(rows, "the one", ["q1", "q 2"], "when", up(name), k, suppression)
        for name in offer
    }
    return found, exhaustive_least(found, is_finer)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer[0])
def test_as_the_definitions_read(con, offer):
    create_calendar(con)
    for seed in range(14):
        rows = dated_rows(seed)
        create_rows(con, rows)
        k, suppression = 2 + seed % 3, [0, "0.25", "0.5"][seed % 3]
        rows_found = con.execute(
            "from tanon.granularity_metrics('events', respondent := 'the one', qi := ['q1', 'q "
            "2'], "
            "ts := 'when', granularities := ?, k := ?, calendar := 'calendar', "
            f"max_suppression := {suppression})",
            [offer, k],
        ).fetchall()
        wanted, least = expected(rows, offer, k, Fraction(suppression))
        assert [row[0] for row in rows_found] == offer
        for name, feasible, reason, m, s, groups, tuples, share, acceptable, is_least in rows_found:
            one = wanted[name]
            assert (feasible, acceptable, is_least) == (one.feasible, one.acceptable, name in least)
            assert (m, s, groups, tuples, share) == (
                one.gen_m, one.gen_s, one.groups, one.suppressed_tuples, one.suppressed_share
            )  # fmt: skip
            assert (reason is None) == feasible


BUCKETS = (
    ["1 second", "7 seconds", "1 day"],
    ["1 minute", "90 seconds", "11 days"],
    ["3 minutes", "80000000 hours"],
    ["5 minutes", "45 minutes", "80000000 hours"],
    ["15 minutes", "30 minutes", "7 days"],
    ["1 hour", "6 hours", "7 hours", "36 hours", "1 day"],
    ["1 day", "3 days"],
)


@pytest.mark.parametrize("offer", BUCKETS, ids=lambda offer: offer[0])
def test_granules_of_any_width_from_year_1_to_9999(con, offer):
    con.execute(
        "create table r as select hash(i) % 3 as u, hash(i, 1) % 2 as q, t from ("
        "select i, moment + to_microseconds((hash(i, 2) % width)::bigint) as t "
        "from range(400) as r(i), unnest([100000000, 6000000000, 2 * 86400000000]) as w(width), "
        "unnest([timestamp '0001-01-01', '1970-01-01', '1999-12-31 12:00', '9999-12-29']) "
        "as m(moment))"
    )
    con.execute("insert into r values (7, 0, '0001-01-01'), (8, 1, '9999-12-31 23:59:59.999999')")
    found = con.execute(
        "select gen_m, gen_s, groups, suppressed_tuples from tanon.granularity_metrics("
        "'r', 'u', 'q', 't', ?, 3)",
        [offer],
    ).fetchall()
    assert found == [
        con.execute(
            "select min(f), sum(f), count(*), coalesce(sum(n) filter (where f < 3), 0) from ("
            "select count(distinct u) as f, count(*) as n from r "
            f"group by q, time_bucket(interval '{width}', t))"
        ).fetchone()
        for width in offer
    ]


@pytest.mark.parametrize(
    "width", ["2 days", "8 hours", "45 minutes", "7 minutes", "90.001 seconds"]
)
@pytest.mark.parametrize("beside", [[], ["7 seconds"], ["hour"], ["day", "month"]], ids=str)
def test_granules_of_a_calendar_of_any_width(con, width, beside):
    con.execute(
        "create table shifts as select 'shift' as granularity, i as granule, i::varchar as label, "
        f"timestamp '2024-02-27' + i * interval '{width}' as starts, "
        f"starts + interval '{width}' as ends from range(9000) as r(i) "
        "where starts <= timestamp '2024-03-02'"
    )
    con.execute(
        "create table r as select hash(i) % 5 as u, hash(i, 1) % 2 as q, timestamp '2024-02-27' "
        "+ to_microseconds((hash(i, 2) % width)::bigint) as t "
        "from range(600) as r(i), unnest([900000000, 4 * 86400000000]) as w(width)"
    )
    found = con.execute(
        "select gen_m, gen_s, groups, suppressed_tuples from tanon.granularity_metrics("
        "'r', 'u', 'q', 't', ?, 3, calendar := 'shifts') where granularity = 'shift'",
        [[*beside, "shift"]],
    ).fetchall()
    plain = (
        "select min(f), sum(f), count(*), coalesce(sum(n) filter (where f < 3), 0) from ("
        "select count(distinct u) as f, count(*) as n from r join shifts on t >= starts "
        "and t < ends group by q, granule)"
    )
    assert found == con.execute(plain).fetchall()


@pytest.mark.parametrize("outside", ["0001-12-31 (BC)", "10000-01-01", "290000-06-01", "infinity"])
def test_no_granularity_covers_a_time_outside_the_years_1_to_9999(con, outside):
    con.execute(
        "create table wide as select 'all' as granularity, 1 as granule, 'all' as label, "
        "timestamp '5000-01-01 (BC)' as starts, timestamp '290001-01-01' as ends"
    )
    con.execute(f"create table r as select 1 as u, 2 as q, timestamp '{outside}' as t")
    con.execute("insert into r values (1, 2, '2024-01-01')")
    found = con.execute(
        "select distinct feasible, reason like 'no granule covers %' "
        "from tanon.granularity_metrics('r', 'u', 'q', 't', "
        "['second', 'hour', 'day', 'year', 'all'], 2, calendar := 'wide')"
    ).fetchall()
    assert found == [(False, True)]


def test_the_printed_values_of_the_paper(con):
    con.execute(
        "create table r (u varchar, q varchar, t date); insert into r values "
        "('u1', 'q1', '2006-01-03'), ('u2', 'q1', '2006-01-03'), ('u1', 'q1', '2006-01-11'), "
        "('u4', 'q1', '2006-01-12'), ('u5', 'q2', '2006-02-07'), ('u6', 'q2', '2006-02-10')"
    )
    found = con.execute(
        "select granularity, gen_m, gen_s, acceptable, least from tanon.granularity_metrics("
        "'r', 'u', 'q', 't', ['day', 'week', 'month'], 2)"
    ).fetchall()
    assert found == [
        ("day", 1, 6, False, False),
        ("week", 2, 6, True, True),
        ("month", 2, 5, True, False),
    ]


def test_reasons_name_the_first_time_without_a_granule(con):
    create_calendar(con)
    con.execute(
        "create table r as select 'u' as u, 'q' as q, unnest([timestamp '2024-03-04 10:00', "
        "'2024-03-02 08:30', '2024-03-03 09:00']) as t"
    )
    found = con.execute(
        "select granularity, feasible, reason from tanon.granularity_metrics('r', 'u', 'q', 't', "
        "['day', 'business_day', 'term'], 2, calendar := 'calendar')"
    ).fetchall()
    assert found == [
        ("day", True, None),
        ("business_day", False, "no granule covers 2024-03-02 08:30:00"),
        ("term", False, "no granule covers 2024-03-02 08:30:00"),
    ]
    con.execute("insert into r values ('v', 'q', 'infinity'), ('v', 'q', '0044-03-15 (BC)')")
    reasons = con.execute(
        "select distinct reason from tanon.granularity_metrics('r', 'u', 'q', 't', ['day'], 2)"
    ).fetchall()
    assert reasons == [("no granule covers 0044-03-15 (BC) 00:00:00",)]


def test_a_date_is_longer_than_an_hour(con):
    found = con.execute(
        "select granularity, feasible, reason from tanon.granularity_metrics("
        "'(select 1 as u, 2 as q, date ''2024-05-01'' as t)', 'u', 'q', 't', ['hour', 'day'], 2)"
    ).fetchall()
    assert found == [
        ("hour", False, "its granules are shorter than the days of a DATE such as 2024-05-01"),
        ("day", True, None),
    ]


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_the_clock_of_a_zone(con, zone):
    rows = dated_rows(10)
    create_rows(con, rows)
    call = (
        "from tanon.granularity_metrics('{}', respondent := 'the one', qi := 'q1', ts := 'when', "
        "granularities := ['hour', 'day', 'month'], k := 2{})"
    )
    instants = "(select * replace (timezone(''UTC'', \"when\") as \"when\") from events)"
    clock = f"timezone(''{zone}'', timezone(''UTC'', \"when\"))"
    clocks = f'(select * replace ({clock} as "when") from events)'
    shown = con.execute(call.format(instants, f", tz := '{zone}'")).fetchall()
    assert shown == con.execute(call.format(clocks, "")).fetchall()
    with pytest.raises(duckdb.Error, match=r"tanon.granularity_metrics: tz must be the name"):
        con.execute(call.format(instants, "")).fetchall()


@pytest.mark.parametrize("name", ["week", "2 weeks"])
def test_a_calendar_redefines_no_granularity(con, name):
    create_calendar(con)
    create_rows(con, dated_rows(4))
    con.execute(f"update calendar set granularity = '{name}' where granularity = 'fortnight'")
    with pytest.raises(duckdb.Error, match="calendar must have granularities other than"):
        con.execute(
            "from tanon.granularity_metrics('events', 'the one', 'q1', 'when', "
            f"['{name}', 'fiscal year'], 2, calendar := 'calendar')"
        ).fetchall()


def test_names_of_a_calendar_that_differ_in_case_are_two(con):
    con.execute(
        "create table r as select i % 7 as u, 'q' as q, date '2024-01-01' + (i % 40)::int as t "
        "from range(100) as rows(i)"
    )
    con.execute(
        "create table halves as select granularity, granule, granule::varchar as label, "
        "date '2024-01-01' + (granule * width)::int as starts, starts + width as ends "
        "from (values ('Term', 31), ('term', 14), ('TERM', 5)) as v(granularity, width), "
        "range(20) as g(granule)"
    )
    found = con.execute(
        "select granularity, gen_m, gen_s, groups from tanon.granularity_metrics("
        "'r', 'u', 'q', 't', ['term', 'Term', 'day', 'TERM'], 2, calendar := 'halves')"
    ).fetchall()
    alone = [
        con.execute(
            "select ?, gen_m, gen_s, groups from tanon.k_anonymity("
            "'r', 'u', 'q', 't', granularity := ?, calendar := 'halves')",
            [name, name],
        ).fetchone()
        for name in ("term", "Term", "day", "TERM")
    ]
    assert found == alone


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": "1"}, "k must be an integer > 1, got 1"),
        ({"k": "2.5"}, "k must be an integer > 1, got 2.5"),
        ({"max_suppression": "1"}, r"max_suppression must be a number in \[0, 1\), got 1"),
        ({"max_suppression": "-0.1"}, r"max_suppression must be a number in \[0, 1\)"),
        ({"granularities": "[]"}, r"granularities must be a list .* got \[\]"),
        ({"granularities": "NULL"}, "granularities must be given or declared for events"),
        ({"granularities": "['day', 'day']"}, r"none twice, got \[day, day\]"),
        ({"granularities": "['day', 'term']", "calendar": "'calendar'"}, None),
        (
            {"granularities": "['day', 'trm']", "calendar": "'calendar'"},
            "granularities must be of the calendar where not built in, got 'trm'",
        ),
        ({"granularities": "['week', '7 days']"}, "got 7 days and week with the same"),
        ({"calendar": "'events'", "granularities": "['term']"}, "calendar must be .* without gran"),
        ({"ts": "'note'"}, "ts must be a DATE or TIMESTAMP column of source, got 'note' of type"),
        ({"ts": "'q1'"}, "ts must be a column that is not among qi"),
        ({"respondent": "'nobody'"}, "respondent must be a column of source, got 'nobody'"),
    ],
)
def test_bad_input(con, change, message):
    create_calendar(con)
    create_rows(con, dated_rows(4)[:1])
    given = {
        "source": "'events'",
        "respondent": "'the one'",
        "qi": "['q1']",
        "ts": "'when'",
        "k": "2",
    }
    given |= {"granularities": "['day']"} | change
    call = ", ".join(f"{name} := {value}" for name, value in given.items())
    if message is None:
        assert con.execute(f"from tanon.granularity_metrics({call})").fetchall()
        return
    with pytest.raises(duckdb.Error, match=f"tanon.granularity_metrics: .*{message}"):
        con.execute(f"from tanon.granularity_metrics({call})").fetchall()


def test_null_respondents_and_times_are_counted(con):
    create_rows(con, dated_rows(7))
    call = "from tanon.granularity_metrics('events', 'the one', 'q1', 'when', ['day'], 2)"
    con.execute("insert into events values (null, 1, 'x', '2024-01-01', 'n')")
    with pytest.raises(duckdb.Error, match="respondent must be free of NULL, got 1 rows"):
        con.execute(call).fetchall()
    con.execute('update events set "the one" = \'p\', "when" = null')
    with pytest.raises(duckdb.Error, match=r"ts must be free of NULL, got \d+ rows"):
        con.execute(call).fetchall()
