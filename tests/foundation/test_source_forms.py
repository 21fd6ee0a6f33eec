"""Every spelling of a relation that other tools and people write means the same rows."""

import re

import duckdb
import pytest

import tanon_duck
from tanon_duck import demo

FORMS = (
    "visits",
    "main.visits",
    "own.main.visits",
    '"own"."main"."visits"',
    '"visits"',
    "visits;",
    "(from visits)",
    "(from visits);",
    "(from visits) ; ;\n",
    "(select * from visits) dbt_subquery",
    '(select * from visits) as "an alias"',
    "(select * from visits) as v;",
    "select * from visits",
    "SELECT * FROM visits;",
    "select * from visits -- all of them",
    "(select * from visits) v -- all of them",
    "from visits",
    "from visits where true",
    "with v as (from visits) from v",
    "with recursive v as (from visits) select * from v;",
    "with v(a, b, c, d, e, f) as (from visits) select a as patient, c as zip from v",
    "query_table('visits')",
    "query('from visits')",
    "(select * from visits where age < 50) union all (select * from visits where age >= 50)",
)


@pytest.mark.parametrize("form", FORMS)
def test_a_relation_in_every_form(demo_con, form):
    call = "from tanon.k_anonymity($source, 'patient', ['zip'])"
    wanted = demo_con.execute(call, {"source": "visits"}).fetchall()
    assert demo_con.execute(call, {"source": form}).fetchall() == wanted
    call = "select count(*) from tanon.generalize($source, 'admitted', 'month')"
    if "patient, c as zip" not in form:
        assert demo_con.execute(call, {"source": form}).fetchall() == [(450,)]


def test_files_in_every_form(demo_con, tmp_path):
    demo_con.execute(f"copy visits to '{tmp_path}/v.csv.gz'")
    demo_con.execute(f"copy visits to '{tmp_path}/v.parquet'")
    for form in (
        f"{tmp_path}/v.csv.gz",
        f"{tmp_path}/*.parquet",
        f"read_csv('{tmp_path}/v.csv.gz')",
    ):
        call = "select tuples from tanon.k_anonymity($source, 'patient', ['zip'])"
        assert demo_con.execute(call, {"source": form}).fetchall() == [(450,)]


@pytest.mark.parametrize("name", ["two words", "select", "from", "a(b", "with x", "values", "x; y"])
def test_names_that_look_like_more_are_names(con, name):
    con.execute(f'create table "{name}" as select 1 as u, 2 as q')
    call = "select tuples from tanon.k_anonymity($source, 'u', ['q'])"
    for source in (name, f'"{name}"'):
        assert con.execute(call, {"source": source}).fetchall() == [(1,)]


@pytest.mark.parametrize("source", ["drop table visits", "(drop table visits)", "visits; select 1"])
def test_nothing_but_a_relation_is_run(demo_con, source):
    with pytest.raises(duckdb.Error):
        demo_con.execute("from tanon.k_anonymity($source, 'patient', ['zip'])", {"source": source})
    assert demo_con.execute("select count(*) from visits").fetchall() == [(450,)]


def test_texts_that_should_be_times_get_the_cast(demo_con):
    demo_con.execute('create table t as select *, admitted::varchar as "a day" from visits')
    with pytest.raises(duckdb.Error) as raised:
        demo_con.execute(
            "from tanon.k_anonymity('t', 'patient', ['zip'], ts := 'a day', granularity := 'week')"
        )
    assert """replace ("a day"::timestamp as "a day")""" in str(raised.value)


@pytest.mark.parametrize("threads", [1, 4])
def test_of_several_wrong_columns_the_first_argument_is_told(threads):
    wrong = {
        "respondent := 'patien', qi := ['sexx', 'zp'], ts := 'admited'": "respondent must be a "
        "column of source",
        "respondent := 'patient', qi := ['sexx', 'zp'], ts := 'admited'": "got 'sexx'; did you "
        "mean sex?",
        "respondent := 'patient', qi := ['sex', 'zp'], ts := 'admited'": "got 'zp'; did you mean "
        "zip?",
        "respondent := 'patient', qi := ['sex', 'zip'], ts := 'diagnosis'": "ts must be a DATE or",
    }
    with tanon_duck.connect(config={"threads": threads}) as con:
        demo.create_tables(con)
        for given, message in wrong.items():
            for _ in range(10):
                with pytest.raises(duckdb.Error, match=re.escape(message)):
                    con.execute(f"from tanon.k_anonymity('visits', {given})").fetchall()
