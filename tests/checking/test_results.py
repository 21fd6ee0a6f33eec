"""One check as a result: whether it holds, its figures, and what is told without values."""

import json
import re
from xml.etree import ElementTree

import duckdb
import pytest

from tanon_duck.checking import formats, running
from tanon_duck.checking.results import Figure, Report, Result
from tanon_duck.errors import TanonError

VISITS = {"source": "visits", "respondent": "patient", "qi": ["zip", "age"]}


def holding(**fields):
    return Result("k_anonymity_violations", {}, **({"holds": True} | fields))


def test_the_figures_are_those_of_plain_sql(demo_con):
    found = running.run(demo_con, "k_anonymity_violations", VISITS | {"k": 3}, values=True)
    rows = demo_con.execute(
        "select count(distinct patient) from visits group by zip, age having count(distinct "
        "patient) < 3"
    ).fetchall()
    assert (found.holds, found.failing, found.status) == (False, len(rows), 1)
    assert found.figures == (Figure("frequency", min(rows)[0], ">=", 3),)
    assert len(found.rows) == min(5, len(rows))
    assert found.columns == ("zip", "age", "frequency", "tuples")


def test_it_holds_where_no_row_is_found(demo_con):
    found = running.run(demo_con, "k_anonymity_violations", VISITS | {"qi": "sex", "k": 100})
    assert (found.holds, found.failing, found.status, found.rows) == (True, 0, 0, ())


@pytest.mark.parametrize(("k", "status"), [(26, 0), (27, 1)])
def test_a_truth_value_is_a_promise(demo_con, k, status):
    found = running.run(demo_con, "k_anonymity", VISITS | {"qi": ["zip"], "k": k})
    assert found.status == status
    assert found.figures == (Figure("gen_m", 26, ">=", k),)


@pytest.mark.parametrize("source", ["(from visits where false)", "from visits where false", "none"])
def test_an_empty_table_tells_nothing_unless_it_may_be_empty(demo_con, source):
    demo_con.execute("create table none as from visits where false")
    empty = VISITS | {"source": source, "k": 5}
    found = running.run(demo_con, "k_anonymity", empty)
    assert (found.holds, found.status) == (None, 2)
    assert found.message == (
        "tanon.k_anonymity: source must be a relation with a row, unless allow_empty says "
        "otherwise, got 0 rows"
    )
    assert running.run(demo_con, "k_anonymity", empty, least=0).holds is True
    assert running.run(demo_con, "k_anonymity", empty | {"source": "visits"}).holds is not None


@pytest.mark.parametrize(("least", "status"), [(450, 0), (451, 2)])
def test_a_table_may_be_asked_to_have_more_rows(demo_con, least, status):
    call = VISITS | {"qi": ["sex"], "k": 5}
    assert running.run(demo_con, "k_anonymity", call, least=least).status == status


@pytest.mark.parametrize(
    "given", [{"min_rows": 0}, {"min_rows": True}, {"min_rows": 5, "allow_empty": True}]
)
def test_contradictory_row_counts_are_refused(given):
    with pytest.raises(TanonError, match="min_rows"):
        running.least_rows(**({"min_rows": None, "allow_empty": False} | given))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("k_anonymity", {}, "tanon.k_anonymity: k must be given where it is a check, got none"),
        ("presence_metrics", {"population": "visits"}, "tanon.presence_metrics: k, delta_low or "
         "delta_high must be given where it is a check, got none"),
        ("frequency_set", {}, "tanon.frequency_set is not a check; checks are"),
        ("k_anonimity", {}, "no function tanon.k_anonimity; did you mean 'k_anonymity'"),
        ("k_anonymity", {"kk": 3}, "got kk; did you mean 'k'?"),
        ("k_anonymity", {"k": 5, "qi": ["zpi"]}, "got 'zpi'; did you mean zip?"),
        ("k_anonymity", {"k": 5, "source": "nowhere"}, "nowhere"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_no_verdict(demo_con, function, arguments, message):
    found = running.run(demo_con, function, VISITS | arguments, values=True)
    assert (found.holds, found.status) == (None, 2)
    assert message in found.message


def test_without_values_the_nearest_name_is_told_and_not_what_came(demo_con):
    for given, told in (
        ({"k": 5, "qi": ["zpi"]}, "; did you mean zip?"),
        ({"k": 5, "granularity": "mnth", "ts": "admitted"}, "; did you mean 'month'?"),
        ({"k": 1}, "k must be an integer > 1"),
    ):
        found = running.run(demo_con, "k_anonymity", VISITS | given)
        assert found.message.startswith("tanon.k_anonymity: ")
        assert found.message.endswith(told)
        assert ", got" not in found.message


def test_nothing_stays_behind(demo_con):
    before = demo_con.execute("from duckdb_tables()").fetchall()
    running.run(demo_con, "k_anonymity", VISITS | {"k": 5})
    assert demo_con.execute("from duckdb_tables()").fetchall() == before


@pytest.mark.parametrize("format", formats.FORMATS)
def test_no_format_shows_a_value_where_none_is_to_be_shown(con, format):
    con.execute(
        "create table t as select 'ssn-' || range as respondent, 'rare-' || range as qi from "
        "range(3)"
    )
    call = {"source": "(from t where qi <> 'rare-9')", "respondent": "respondent", "qi": ["qi"]}
    wrong = [
        call | {"source": "(select null as respondent, 'rare-1' as qi)"},
        call | {"source": "(select 'rare-5'::int as respondent, 1 as qi)"},
    ]
    results = [
        running.run(con, "k_anonymity_violations", given | {"k": 2}) for given in [call, *wrong]
    ]
    assert [r.status for r in results] == [1, 2, 2]
    shown = formats.written(Report(results), format)
    assert not re.search(r"rare-[0-9]|ssn-", shown)
    control = formats.written(
        Report([running.run(con, "k_anonymity_violations", call | {"k": 2}, values=True)]), format
    )
    assert "rare-" in control or format in ("csv", "github")


def test_formats_are_read_by_machines():
    hostile = "a\nb::error,:%\x1b<&"
    broken = holding(holds=False, failing=2, name=hostile, columns=("x",), rows=((hostile,),))
    report = Report(
        [broken, holding(holds=None, message="?"), holding(holds=False, severity="warn")]
    )
    assert json.loads(formats.written(report, "json"))["checks"][0]["name"] == hostile
    suite = ElementTree.fromstring(formats.written(report, "junit"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    lines = formats.written(report, "github").splitlines()
    assert [line.split(" ")[0] for line in lines[:3]] == ["::error", "::error", "::warning"]
    assert formats.written(report, "text").count("\n") == 6


@pytest.mark.parametrize(
    ("results", "status"),
    [
        ([], 0),
        ([holding()], 0),
        ([holding(holds=False, severity="warn"), holding()], 0),
        ([holding(holds=False), holding()], 1),
        ([holding(holds=False), holding(holds=None)], 2),
        ([holding(holds=None, severity="warn")], 2),
    ],
)
def test_a_report_is_as_bad_as_its_worst(results, status):
    assert Report(results).status == status
    assert Report(results).holds == (status == 0)


def test_an_interrupt_is_no_result(demo_con):
    class Interrupted:
        def execute(self, sql, *values):
            if "from tanon." in sql:
                raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")
            return demo_con.execute(sql, *values)

    with pytest.raises(duckdb.InterruptException):
        running.run(Interrupted(), "k_anonymity", VISITS | {"k": 5})
