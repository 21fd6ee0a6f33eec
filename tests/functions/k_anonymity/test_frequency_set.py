from itertools import product

import duckdb
import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from tables import VISIT_TYPES, VISITS, create

from oracles.dated_rows import create_calendar, create_rows, dated_rows, label
from oracles.frequencies import frequency_set
from tanon_duck import connect

CALL = "from tanon.frequency_set('visits of all', respondent := 'who', qi := ['q1', 'q 2'])"


@examples(60)
@given(rows=VISITS)
def test_as_the_definition_reads(rows):
    with connect() as con:
        create(con, "visits of all", VISIT_TYPES, rows)
        found = con.execute(CALL).fetchall()
    assert {(a, b): (f, n) for a, b, f, n in found} == frequency_set(rows, "who", ["q1", "q 2"])
    assert len(found) == len({(a, b) for a, b, *_ in found})


def test_people_are_counted_not_rows(con):
    call = "from tanon.frequency_set('(select 1 as who, 2 as q from range(100))', 'who', ['q'])"
    assert con.execute(call).fetchall() == [(2, 1, 100)]


def test_names_and_types_are_kept(demo_con):
    query = "from tanon.frequency_set('visits', respondent := 'patient', qi := ['admitted', 'age'])"
    described = [
        (name, kind) for name, kind, *_ in demo_con.execute(f"describe {query}").fetchall()
    ]
    assert described == [
        ("admitted", "TIMESTAMP"),
        ("age", "BIGINT"),
        ("frequency", "BIGINT"),
        ("tuples", "BIGINT"),
    ]


def test_one_column_needs_no_list(demo_con):
    listed = "from tanon.frequency_set('visits', 'patient', ['sex']) order by all"
    alone = "from tanon.frequency_set('visits', 'patient', 'sex') order by all"
    assert demo_con.execute(alone).fetchall() == demo_con.execute(listed).fetchall()


def test_any_source(demo_con, tmp_path):
    wanted = demo_con.execute("from tanon.frequency_set('visits', 'patient', 'sex') order by all")
    wanted = wanted.fetchall()
    file = str(tmp_path / "o'visits.parquet")
    demo_con.execute("create schema s; create view s.v as from main.visits")
    demo_con.execute(f"copy visits to '{file.replace(chr(39), chr(39) * 2)}'")
    for source in (
        "s.v",
        '"s"."v"',
        "own.s.v",
        " visits ",
        "(from visits)",
        "((from s.v))",
        file,
    ):
        call = "from tanon.frequency_set($source, 'patient', 'sex') order by all"
        assert demo_con.execute(call, {"source": source}).fetchall() == wanted
    cte = "with groups as (from visits) from tanon.frequency_set('groups', 'patient', 'sex')"
    assert sorted(demo_con.execute(cte).fetchall()) == wanted


def mean_of_one_over(f, p):
    """The mean of 1 / F over the negative binomial distribution of F, summed term by term."""
    sizes = np.arange(f, f + int(60 * (f + 1) / p), dtype=float)
    if p == 1:
        return 1 / f
    ratios = np.log(sizes[:-1] * (1 - p) / (sizes[1:] - f))
    logs = f * np.log(p) + np.concatenate([[0], np.cumsum(ratios)])
    return float(np.sum(np.exp(logs) / sizes))


def test_the_individual_risk_is_the_mean_that_the_model_has(con):
    """With weights by respondent and time, with a fraction, and with a size; some of one group."""
    sizes = [1, 2, 3, 4, 8, 9, 10, 11, 30, 60]
    weights = [1, 1.25, 2, 4.5, 5, 5.5, 40, 400]
    con.execute("create table s (who integer, f integer, w double, day date)")
    rows = [
        (number * 1000 + i, f, w, f"2024-0{1 + n % 3}-01")
        for number, (f, (n, w)) in enumerate(product(sizes, enumerate(weights)))
        for i in range(f)
    ]
    con.executemany("insert into s values (?, ?, ?, ?)", rows + rows[:40])
    con.execute("alter table s add column q varchar; update s set q = f || ' of ' || w")
    for more, labelled in (("", 0), (", ts := 'day', granularity := 'month'", 1)):
        found = con.execute(f"from tanon.frequency_set('s', 'who', ['q'], weight := 'w'{more})")
        found = found.fetchall()
        assert len(found) == 80
        for row in found:
            f, w = row[0].split(" of ")
            assert row[1 + labelled] == int(f) and len(row) == 5 + labelled
            assert row[-2] == pytest.approx(int(f) * float(w))
            assert row[-1] == pytest.approx(mean_of_one_over(int(f), 1 / float(w)), rel=1e-8)
    for more in ("sampling_fraction := 0.03", f"population_size := {round(len(rows) / 0.03)}"):
        call = (
            "select distinct frequency, population_frequency, individual_risk "
            f"from tanon.frequency_set('s', 'who', ['q'], {more})"
        )
        for f, population, risk in con.execute(call).fetchall():
            assert population == pytest.approx(f / 0.03, rel=1e-3)
            assert risk == pytest.approx(mean_of_one_over(f, f / population), rel=1e-8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("sampling_fraction := 0.1, weight := 'w'", "weight must be omitted if"),
        ("sampling_fraction := 0.1, population_size := 9", "population_size must be omitted"),
        ("population_size := 2", "population_size must be at least the 3 respondents of source"),
        ("weight := 'q'", "weight must be one number of 1 or more for each respondent, got 1"),
    ],
)
def test_samples_that_are_none(con, arguments, message):
    con.execute("create table s as select i as who, i as q, i + 1 as w from range(3) r(i)")
    with pytest.raises(duckdb.Error, match=f"tanon.frequency_set: {message}"):
        con.execute(f"from tanon.frequency_set('s', 'who', ['q'], {arguments})").fetchall()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "NULL, 'patient', ['sex']",
            "source must be a table, a view or a query in parentheses, got NULL",
        ),
        ("'visits', NULL, ['sex']", "respondent must be given or declared for visits, got neither"),
        ("'visits', 'patient', NULL", "qi must be given or declared for visits, got neither"),
        ("'visits', 'patient', []", "qi must be columns of source, none twice, got []"),
        ("'visits', 'patient', ['sex', 'sex']", "none twice, got [sex, sex]"),
        ("'visits', 'patient', ['sex', NULL]", "none twice, got [sex, NULL]"),
        (
            "'visits', 'patients', ['sex']",
            "respondent must be a column of source, got 'patients'; did you mean patient?",
        ),
        ("'visits', 'patient', ['zpi']", "got 'zpi'; did you mean zip?"),
        ("'visits', 7, ['sex']", "respondent must be a column of source, got 7"),
        (
            "'(select *, 1 as tuples from visits)', 'patient', ['tuples']",
            "qi must be other than the columns that the result adds, frequency, tuples, "
            "population_frequency, individual_risk, got [",
        ),
        (
            "'(select nullif(patient, ''p001'') as patient, sex from visits)', 'patient', ['sex']",
            "respondent must be free of NULL, got 2 rows with NULL in patient",
        ),
    ],
)
def test_wrong_arguments(demo_con, arguments, message):
    with pytest.raises(duckdb.Error) as raised:
        demo_con.execute(f"from tanon.frequency_set({arguments})").fetchall()
    said = str(raised.value)
    assert said.startswith("Invalid Input Error: tanon.frequency_set: ")
    assert message in said


def test_a_misspelt_argument_shows_the_right_ones(demo_con):
    with pytest.raises(
        duckdb.BinderException, match=r"frequency_set\(source, respondent := NULL, qi := "
    ):
        demo_con.execute("from tanon.frequency_set('visits', uuid := 'patient', qi := ['sex'])")


def test_a_source_that_would_write_is_refused(demo_con):
    with pytest.raises(duckdb.Error):
        demo_con.execute("from tanon.frequency_set('(drop table visits)', 'patient', ['sex'])")
    with pytest.raises(duckdb.Error):
        demo_con.execute(
            "from tanon.frequency_set('(select 1); drop table visits; (select 1)', 'a', ['b'])"
        )
    assert demo_con.execute("select count(*) from visits").fetchall() == [(450,)]


def test_time_is_a_quasi_identifier_in_its_granularity(con):
    create_calendar(con)
    for seed in range(12):
        rows = dated_rows(seed)
        create_rows(con, rows)
        for granularity in ("hour", "week", "3 days", "quarter", "fiscal year", "shift"):
            found = con.execute(
                "from tanon.frequency_set('events', respondent := 'the one', qi := ['q1', 'q 2'], "
                "ts := 'when', granularity := ?, calendar := 'calendar')",
                [granularity],
            ).fetchall()
            labelled = [{**row, "when": label(granularity, row["when"])} for row in rows]
            wanted = frequency_set(labelled, "the one", ["q1", "q 2", "when"])
            assert {tuple(row[:3]): tuple(row[3:]) for row in found} == wanted
            assert len(found) == len(wanted)


def test_time_as_it_stands(con):
    rows = dated_rows(5)
    create_rows(con, rows)
    call = "from tanon.frequency_set('events', 'the one', ['q1'], ts := 'when')"
    found = {tuple(row[:2]): tuple(row[2:]) for row in con.execute(call).fetchall()}
    assert found == frequency_set(rows, "the one", ["q1", "when"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ts := 'when', granularity := 'wek'", "granularity must be .*'wek'; did you mean 'week'"),
        (
            "ts := 'when', granularity := 'semester', calendar := 'calendar'",
            "granularity must be of the calendar .* got 'semester'; the calendar has fiscal year",
        ),
        ("granularity := 'week'", "ts must be given if granularity is given, got NULL"),
        ("ts := 'q1', granularity := 'week'", "ts must be a column that is not among qi"),
        ("ts := 'note', granularity := 'week'", "ts must be a DATE or TIMESTAMP column .*VARCHAR"),
        ("ts := 'whn', granularity := 'week'", "ts must be .* got 'whn'; did you mean when"),
        (
            "ts := 'when', granularity := 'week', tz := 'UTC'",
            "tz must be NULL for a time without time zone, got UTC",
        ),
        (
            "ts := 'when', granularity := 'term', calendar := 'calendar'",
            "granularity must cover every time, got term and 1 rows .* first at 2024-03-01 12:00",
        ),
        (
            "ts := 'when', granularity := 'business_day'",
            "granularity must cover every time, got business_day and 1 rows .* 2024-06-01",
        ),
    ],
)
def test_wrong_times_and_granularities(con, arguments, message):
    create_calendar(con)
    con.execute(
        "create table events as select 'a' as \"the one\", 1 as q1, 'n' as note, "
        "unnest([timestamp '2024-01-10', '2024-03-01 12:00', '2024-06-01']) as \"when\""
    )
    with pytest.raises(duckdb.Error, match=f"tanon.frequency_set: {message}"):
        con.execute(
            f"from tanon.frequency_set('events', 'the one', ['q1'], {arguments})"
        ).fetchall()


def test_a_date_is_a_whole_day(con):
    call = (
        "from tanon.frequency_set('(select 1 as p, 2 as q, date ''2024-05-01'' as d)', 'p', 'q', "
    )
    assert con.execute(f"{call} ts := 'd', granularity := '2 days')").fetchall()
    for granularity in ("hour", "36 hours"):
        with pytest.raises(duckdb.Error, match="must have granules of whole days for a DATE"):
            con.execute(f"{call} ts := 'd', granularity := '{granularity}')").fetchall()


def test_times_of_a_zone_are_read_from_its_clock(con):
    query = "(select p, 1 as q, t from (values (1, timestamptz ''2024-05-01 20:00Z'')) as v(p, t))"
    call = f"from tanon.frequency_set('{query}', 'p', 'q', ts := 't', granularity := 'month', "
    for zone, month in (("Asia/Tokyo", "2024-05"), ("Pacific/Kiritimati", "2024-05")):
        assert con.execute(f"{call} tz := '{zone}')").fetchall() == [(1, month, 1, 1)]
    with pytest.raises(duckdb.Error, match=r"tanon.frequency_set: tz must be the name"):
        con.execute(f"{call} tz := null)").fetchall()
    instants = f"select count(*) from tanon.frequency_set('{query}', 'p', 'q', ts := 't')"
    assert con.execute(instants).fetchall() == [(1,)]
    none = instants.replace("as v(p, t)", "as v(p, t) where false")
    assert con.execute(none).fetchall() == [(0,)]


def test_null_and_infinite_times_are_refused(con):
    create_rows(con, dated_rows(7))
    call = "from tanon.frequency_set('events', 'the one', 'q1', ts := 'when', granularity := 'day')"
    con.execute("insert into events values ('a', 1, 'x', 'infinity', 'n')")
    with pytest.raises(duckdb.Error, match="granularity must cover every time, got day and 1 rows"):
        con.execute(call).fetchall()
    con.execute("insert into events values ('a', 1, 'x', null, 'n'), ('b', 1, 'x', null, 'n')")
    with pytest.raises(duckdb.Error, match="ts must be free of NULL, got 2 rows"):
        con.execute(call).fetchall()


FAULTS = {
    "'fiscal year', 90, 'odd', '2024-01-01', '2024-02-01'": "do not overlap",
    "'fiscal year', 90, 'odd', '2034-01-01', '2034-01-01'": "end after they start",
    "'fiscal year', 5, 'odd', '2034-01-01', '2035-01-01'": "numbered in order of time",
    "'fiscal year', 90, 'fiscal year 00001', '2034-01-01', '2035-01-01'": "labels that are unique",
    "'fiscal year', 90, null, '2034-01-01', '2035-01-01'": "free of NULL",
    "'fiscal year', 90, 'odd', null, '2035-01-01'": "free of NULL",
}


@pytest.mark.parametrize("row", FAULTS)
def test_a_calendar_is_checked_and_the_rows_are_named(con, row):
    create_calendar(con)
    create_rows(con, dated_rows(4))
    con.execute(f"insert into calendar values ({row})")
    with pytest.raises(duckdb.Error, match=f"calendar must .*{FAULTS[row]}.* got fiscal year "):
        con.execute(
            "from tanon.frequency_set('events', 'the one', 'q1', ts := 'when', "
            "granularity := 'fiscal year', calendar := 'calendar')"
        ).fetchall()


def test_a_calendar_has_its_columns(demo_con):
    with pytest.raises(duckdb.Error, match=r"calendar must be .* got one without granularity"):
        demo_con.execute(
            "from tanon.frequency_set('visits', 'patient', 'zip', ts := 'admitted', "
            "granularity := 'term', calendar := 'cases')"
        ).fetchall()
