"""What the page is told of a table is what SQL says, and asking changes nothing."""

import duckdb
import pytest

import tanon_duck
from tanon_duck.errors import TanonError
from tanon_duck.exploring import Explored
from tanon_duck.exploring.table import Names

EVENTS = {
    "uid": "patient", "qi": ["sex"], "ts": "admitted",
    "granularities": ["week", "business_day", "month"],
}  # fmt: skip
SERIES = {
    "id": "name", "series": ["incomes"], "k": 6, "p": 3, "algorithm": "kapra", "sensitive": [],
    "sample": 60,
}  # fmt: skip


def explored(con, table):
    return Explored(con, table, Names(table, table, f"[relation.{table}]", table))


def test_counts_are_those_of_group_sizes(demo_con):
    found = explored(demo_con, "visits").answer("counts", EVENTS)
    assert (found["rows"], found["people"]) == (450, 300)
    told = {each["name"]: each for each in found["granularities"]}
    assert list(told) == EVENTS["granularities"]
    rows = demo_con.execute(
        "from tanon.group_sizes('visits', uid := 'patient', qi := ['sex'], ts := 'admitted', "
        "granularities := ['week', 'business_day', 'month'])"
    ).fetchall()
    for name in told:
        assert told[name]["sizes"] == [list(row[1:]) for row in rows if row[0] == name]
    assert told["business_day"]["reason"].startswith("no granule covers")
    assert told["week"]["reason"] is None
    assert sorted(found["finer"]) == [["business_day", "month"], ["business_day", "week"]]


def test_proposals_stand_beside_what_is_declared(demo_con):
    tanon_duck.declare(demo_con, "visits", respondent="patient", keep="zip")
    found = explored(demo_con, "visits").answer("columns", {"uid": ""})
    columns = {each["column_name"]: each for each in found["columns"]}
    assert (columns["zip"]["declared"], columns["zip"]["proposed"]) == ("keep", "quasi-identifier")
    assert columns["patient"]["declared"] == "respondent" and columns["age"]["declared"] is None
    assert found["names"]["sql"] == "visits"


def test_a_table_without_rows_is_no_error(demo_con):
    demo_con.execute("create table nobody as from visits limit 0")
    found = explored(demo_con, "nobody").answer("counts", EVENTS)
    assert (found["rows"], found["people"]) == (0, 0)
    assert [each["sizes"] for each in found["granularities"]] == [[], [], []]


def test_series_are_those_of_a_release_of_the_sample(demo_con):
    found = explored(demo_con, "incomes").answer("series", SERIES)
    sample = "(from incomes order by hash(name::varchar), name limit 60)"
    demo_con.execute(
        "create temp table mine as from tanon.kp_anonymize($source, id := 'name', "
        "series := 'incomes', k := 6, p := 3, for_owner := true)",
        {"source": sample},
    )
    (loss,) = demo_con.execute(
        "from tanon.kp_loss('mine', $source, id := 'name', series := 'incomes')",
        {"source": sample},
    ).fetchall()
    assert tuple(found["loss"].values()) == loss
    assert loss[0] + loss[1] == 60
    groups = demo_con.execute("select k_group, count(*) from mine group by all").fetchall()
    assert found["groups"] == len(groups)
    assert all(dict(groups)[each["group"]] == each["series"] >= 6 for each in found["drawn"])


def test_the_report_is_that_of_the_settings(demo_con):
    asked = EVENTS | {"k": 5, "permille": 10, "keep": ["zip"], "audience": "owner"}
    found = explored(demo_con, "visits").answer("report", asked)
    assert (
        found["html"].startswith("<!doctype html>") and "max_suppression := 0.01" in found["html"]
    )
    assert found["verdict"].startswith("The promise holds")
    assert "whoever also knows it singles out" in found["html"]


@pytest.mark.parametrize(
    ("name", "question", "says"),
    [
        ("counts", EVENTS | {"qi": ["sx"]}, "sx"),
        ("counts", EVENTS | {"qi": "sex"}, "qi must be a list of texts"),
        ("counts", EVENTS | {"granularities": ["fortnight"]}, "fortnight"),
        ("counts", {}, "uid must be a text, got None"),
        ("series", SERIES | {"sample": 100000}, "sample must be between 1 and 1000"),
        ("series", SERIES | {"k": "6"}, "k must be a whole number"),
        ("drop", {}, "question must be one of columns, counts"),
    ],
)
def test_what_is_wrong_is_said(demo_con, name, question, says):
    table = "incomes" if name == "series" else "visits"
    with pytest.raises((TanonError, duckdb.Error)) as raised:
        explored(demo_con, table).answer(name, question)
    assert says in str(raised.value)


def test_nothing_is_written(demo_con):
    def there():
        tables = "select table_name from duckdb_tables() where not temporary order by all"
        return demo_con.execute(tables).fetchall(), demo_con.execute("from visits").fetchall()

    before = there()
    table = explored(demo_con, "visits")
    table.answer("columns", {"uid": "patient"})
    table.answer("counts", EVENTS)
    assert there() == before
