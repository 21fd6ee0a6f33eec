import duckdb
import pytest
from hypothesis import given, settings
from tables import VISIT_TYPES, VISITS, create

from oracles.frequencies import frequency_set
from tanon_duck import connect

CALL = "from tanon.frequency_set('visits of all', uid := 'who', qi := ['q1', 'q 2'])"


@settings(derandomize=True, deadline=None, max_examples=60)
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
    query = "from tanon.frequency_set('visits', uid := 'patient', qi := ['admitted', 'age'])"
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
        "memory.s.v",
        " visits ",
        "(from visits)",
        "((from s.v))",
        file,
    ):
        call = "from tanon.frequency_set($source, 'patient', 'sex') order by all"
        assert demo_con.execute(call, {"source": source}).fetchall() == wanted
    cte = "with groups as (from visits) from tanon.frequency_set('groups', 'patient', 'sex')"
    assert sorted(demo_con.execute(cte).fetchall()) == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "NULL, 'patient', ['sex']",
            "source must be a table, a view or a query in parentheses, got NULL",
        ),
        ("'visits', NULL, ['sex']", "uid must be a column of source, got NULL"),
        ("'visits', 'patient', NULL", "qi must be columns of source, none twice, got NULL"),
        ("'visits', 'patient', []", "qi must be columns of source, none twice, got []"),
        ("'visits', 'patient', ['sex', 'sex']", "none twice, got [sex, sex]"),
        ("'visits', 'patient', ['sex', NULL]", "none twice, got [sex, NULL]"),
        (
            "'visits', 'patients', ['sex']",
            "uid must be a column of source, got 'patients'; did you mean patient?",
        ),
        ("'visits', 'patient', ['zpi']", "got 'zpi'; did you mean zip?"),
        ("'visits', 7, ['sex']", "uid must be a column of source, got 7"),
        (
            "'(select *, 1 as tuples from visits)', 'patient', ['tuples']",
            "qi must be other than the columns that the result adds, frequency, tuples, got [",
        ),
        (
            "'(select nullif(patient, ''p001'') as patient, sex from visits)', 'patient', ['sex']",
            "uid must be free of NULL, got 2 rows with NULL in patient",
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
    with pytest.raises(duckdb.BinderException, match=r"frequency_set\(source, uid, qi"):
        demo_con.execute("from tanon.frequency_set('visits', uuid := 'patient', qi := ['sex'])")


def test_a_source_that_would_write_is_refused(demo_con):
    with pytest.raises(duckdb.Error):
        demo_con.execute("from tanon.frequency_set('(drop table visits)', 'patient', ['sex'])")
    with pytest.raises(duckdb.Error):
        demo_con.execute(
            "from tanon.frequency_set('(select 1); drop table visits; (select 1)', 'a', ['b'])"
        )
    assert demo_con.execute("select count(*) from visits").fetchall() == [(450,)]
