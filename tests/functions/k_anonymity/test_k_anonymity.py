import duckdb
import pytest
from drawn import examples
from hypothesis import given
from tables import VISIT_TYPES, VISITS, create

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.frequencies import frequency_set
from oracles.generalization import metrics
from tanon_duck import connect


@examples(60)
@given(rows=VISITS)
def test_as_the_definition_reads(rows):
    with connect() as con:
        create(con, "visits", VISIT_TYPES, rows)
        call = "from tanon.k_anonymity('visits', respondent := 'who', qi := ['q1', 'q 2'])"
        found = con.execute(call).fetchall()
    frequencies = [f for f, _ in frequency_set(rows, "who", ["q1", "q 2"]).values()]
    people = {row["who"] for row in rows}
    assert found == [
        (min(frequencies, default=None), sum(frequencies), len(frequencies), len(rows), len(people))
    ]


def test_an_empty_table_is_k_anonymous_for_every_k(con):
    call = "from tanon.k_anonymity('(select 1 as p, 2 as q where false)', 'p', ['q'])"
    assert con.execute(call).fetchall() == [(None, 0, 0, 0, 0)]


def test_a_million_rows_of_one_person_are_one_person(con):
    call = "from tanon.k_anonymity('(select 7 as p, 1 as q from range(1000000))', 'p', ['q'])"
    assert con.execute(call).fetchall() == [(1, 1, 1, 1000000, 1)]


@pytest.mark.parametrize("respondent", ["patient", "PATIENT"])
def test_nobody_is_not_a_respondent_whatever_the_case_of_the_name(con, respondent):
    con.execute("create table r as from (values (null, 1), (2, 1)) as rows(patient, q)")
    with pytest.raises(duckdb.Error, match="must be free of NULL, got 1 rows"):
        con.execute(f"from tanon.k_anonymity('r', '{respondent}', 'q')").fetchall()


def test_in_a_granularity(con):
    create_calendar(con)
    for seed in range(8):
        rows = dated_rows(seed)
        create_rows(con, rows)
        for granularity in ("day", "week", "month", "fiscal year", "fortnight"):
            found = con.execute(
                "from tanon.k_anonymity('events', respondent := 'the one', qi := ['q1', 'q 2'], "
                "ts := 'when', granularity := ?, calendar := 'calendar')",
                [granularity],
            ).fetchall()
            wanted = metrics(rows, "the one", ["q1", "q 2"], "when", up(granularity), 1)
            people = len({row["the one"] for row in rows})
            expected = (wanted.gen_m, wanted.gen_s, wanted.groups, len(rows), people)
            assert found == [expected]


def test_the_printed_values_of_the_paper(con):
    con.execute(
        "create table r (u varchar, q varchar, t date); insert into r values "
        "('u1', 'q1', '2006-01-03'), ('u2', 'q1', '2006-01-03'), ('u1', 'q1', '2006-01-11'), "
        "('u4', 'q1', '2006-01-12'), ('u5', 'q2', '2006-02-07'), ('u6', 'q2', '2006-02-10')"
    )
    for granularity, pair in (("day", (1, 6)), ("week", (2, 6)), ("month", (2, 5))):
        call = f"tanon.k_anonymity('r', 'u', 'q', ts := 't', granularity := '{granularity}')"
        found = con.execute(f"select gen_m, gen_s from {call}").fetchall()
        assert found == [pair]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "source = 'visits', respondent := 'patient'",
            "source must be .*: name an argument with :=",
        ),
        ("'visits', respondent = 'patient'", "respondent must be .*: name an argument with :="),
    ],
)
def test_what_is_nearly_an_argument_is_told(demo_con, call, message):
    with pytest.raises(duckdb.Error, match=f"tanon.k_anonymity: .*{message}"):
        demo_con.execute(f"from tanon.k_anonymity({call}, qi := ['sex'])").fetchall()


def test_tables_with_words_of_sql_in_their_names_are_tables(demo_con):
    for name in ("from there", "select_from", "with dates from x"):
        demo_con.execute(f'create or replace table "{name}" as from visits')
        source = name if name.isidentifier() else f'"{name}"'
        call = f"tanon.k_anonymity('{source}', respondent := 'patient', qi := ['sex'])"
        assert len(demo_con.execute(f"from {call}").fetchall()) == 1
