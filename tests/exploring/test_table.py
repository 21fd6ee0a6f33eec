"""What the page is told of a table is what SQL says, and asking changes nothing."""

import threading

import duckdb
import pytest

import tanon_duck
from tanon_duck.errors import TanonError
from tanon_duck.exploring import ExploredTable
from tanon_duck.exploring.table import Names

EVENTS = {
    "respondent": "patient", "qi": ["sex"], "ts": "admitted",
    "granularities": ["week", "business_day", "month"],
}  # fmt: skip
SERIES = {
    "series_id": "name", "series": ["incomes"], "k": 6, "p": 3, "algorithm": "kapra",
    "sensitive": [], "sample": 60,
}  # fmt: skip


def explored(con, table):
    return ExploredTable(con, table, Names(table, table, f"[relation.{table}]", table))


def test_counts_are_those_of_group_sizes(demo_con):
    found = explored(demo_con, "visits").answer("counts", EVENTS)
    assert (found["rows"], found["people"]) == (450, 300)
    told = {each["name"]: each for each in found["granularities"]}
    assert list(told) == EVENTS["granularities"]
    rows = demo_con.execute(
        "from tanon.group_sizes('visits', respondent := 'patient', qi := ['sex'], ts := "
        "'admitted', "
        "granularities := ['week', 'business_day', 'month'])"
    ).fetchall()
    for name in told:
        assert told[name]["sizes"] == [list(row[1:]) for row in rows if row[0] == name]
    assert told["business_day"]["reason"].startswith("no granule covers")
    assert told["week"]["reason"] is None
    assert sorted(found["finer"]) == [["business_day", "month"], ["business_day", "week"]]


HIERARCHIES = """
create table h as
    select distinct 'zip' as attribute, l as level, zip as value,
        zip[:3 - l] || repeat('*', l::bigint) as generalized
    from visits, range(1, 4) as r(l)
    union all
    select distinct 'AGE', 1, age::varchar, (age // 20 * 20)::varchar from visits
"""


def told(found):
    return {each["name"]: each["sizes"] for each in found["granularities"]}


@pytest.mark.parametrize("levels", [{}, {"zip": 1}, {"zip": 2, "age": 1}, {"zip": 3, "age": 0}])
def test_counts_on_levels_are_those_of_the_generalized_table(demo_con, levels):
    demo_con.execute(HIERARCHIES)
    qi = ["zip", "age"]
    names = Names("visits", "visits", "", "visits", "h", "h")
    found = ExploredTable(demo_con, "visits", names, "h").answer(
        "counts", EVENTS | {"qi": qi, "levels": levels}
    )
    meant = {"zip": "zip", "age": "age"}
    if level := levels.get("zip"):
        meant["zip"] = f"zip[:{3 - level}] || '***'[:{level}]"
    if levels.get("age"):
        meant["age"] = "(age // 20 * 20)::varchar"
    query = f"(select patient, admitted, {meant['zip']} as zip, {meant['age']} as age from visits)"
    rows = demo_con.execute(
        "from tanon.group_sizes($q, respondent := 'patient', qi := ['zip', 'age'], ts := "
        "'admitted', "
        "granularities := ['week', 'month'])",
        {"q": query},
    ).fetchall()
    for name in ("week", "month"):
        assert told(found)[name] == [list(row[1:]) for row in rows if row[0] == name]


def test_levels_are_listed_and_gaps_are_refused(demo_con):
    demo_con.execute(HIERARCHIES)
    table = ExploredTable(demo_con, "visits", Names("v", "visits", "", "visits", "h", "h"), "h")
    found = table.answer("columns", {})["levels"]
    assert [(each["attribute"], each["level"]) for each in found] == [
        ("AGE", 1), ("zip", 1), ("zip", 2), ("zip", 3),
    ]  # fmt: skip
    first = "(select min(zip) from visits)"
    demo_con.execute(f"delete from h where attribute = 'zip' and value = {first}")
    with pytest.raises(TanonError, match="every value of zip once on level 2, got 1 values"):
        table.answer("counts", EVENTS | {"qi": ["zip"], "levels": {"zip": 2}})
    with pytest.raises(TanonError, match="levels must be levels of quasi-identifiers, got 'sex'"):
        table.answer("counts", EVENTS | {"qi": ["zip"], "levels": {"sex": 2}})


def test_without_a_time_counts_are_those_of_the_frequency_set(demo_con):
    asked = EVENTS | {"qi": ["zip", "age"], "ts": ""}
    found = explored(demo_con, "visits").answer("counts", asked)
    wanted = demo_con.execute(
        "select frequency, count(*), sum(tuples)::bigint from tanon.frequency_set('visits', "
        "respondent := 'patient', qi := ['zip', 'age']) group by frequency order by frequency"
    ).fetchall()
    assert told(found) == {"without time": [list(row) for row in wanted]}
    assert found["finer"] == []


@pytest.mark.parametrize("ts", ["admitted", ""])
def test_values_of_groups_are_those_of_the_diversity_metrics(demo_con, ts):
    demo_con.execute("update visits set diagnosis = null where age % 7 = 0")
    asked = EVENTS | {"qi": ["sex", "age"], "ts": ts, "sensitive": "diagnosis"}
    found = told(explored(demo_con, "visits").answer("counts", asked))
    plain = told(explored(demo_con, "visits").answer("counts", asked | {"sensitive": ""}))
    for name, rows in plain.items():
        summed = {}
        for f, groups, tuples, *_ in found[name]:
            met = summed.setdefault(f, [f, 0, 0])
            met[1] += groups
            met[2] += tuples
        assert sorted(summed.values()) == rows
    for name in ("week", "month") if ts else ("without time",):
        source = f"(from tanon.generalize('visits', 'admitted', '{name}'))" if ts else "visits"
        ((least, frequency),) = demo_con.execute(
            "select distinct_l, frequency_l from tanon.diversity_metrics($source, "
            "groups := $groups, sensitive := 'diagnosis', respondent := 'patient')",
            {"source": source, "groups": ["sex", "age", *([ts] if ts else [])]},
        ).fetchall()
        assert min(row[3] for row in found[name]) == least
        assert min(row[4] for row in found[name]) == frequency


def test_a_count_that_runs_is_stopped_and_the_next_one_runs(demo_con):
    demo_con.execute(
        "create table many as select i % 1000003 as patient, i % 997 as sex, timestamp "
        "'2024-01-01' + to_minutes(i % 400000) as admitted from range(2000000) as r(i)"
    )
    table = explored(demo_con, "many")
    said = []

    def count():
        try:
            table.answer("counts", EVENTS)
        except TanonError as error:
            said.append(str(error))

    thread = threading.Thread(target=count)
    thread.start()
    while thread.is_alive():  # it may not have begun when it is first told
        table.answer("stop", {})
        thread.join(0.05)
    assert said == ["explore: stopped; the table is unchanged"]
    assert table.answer("columns", {})["columns"]


def test_proposals_stand_beside_what_is_declared(demo_con):
    tanon_duck.set_roles(demo_con, "visits", respondent="patient", keep="zip")
    found = explored(demo_con, "visits").answer("columns", {"respondent": ""})
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
        "create temp table mine as from tanon.publish_series($source, series_id := 'name', "
        "series := 'incomes', k := 6, p := 3, algorithm := 'kapra', for_owner := true)",
        {"source": sample},
    )
    (loss,) = demo_con.execute(
        "from tanon.series_loss('mine', $source, series_id := 'name', series := 'incomes')",
        {"source": sample},
    ).fetchall()
    assert tuple(found["loss"].values()) == loss
    assert loss[0] + loss[1] == 60
    groups = demo_con.execute("select k_group, count(*) from mine group by all").fetchall()
    assert found["groups"] == len(groups)
    assert all(dict(groups)[each["group"]] == each["series"] >= 6 for each in found["drawn"])


@pytest.mark.parametrize("sensitive", [[], ["charity"]])
def test_a_report_on_series_with_and_without_a_sensitive_column(demo_con, sensitive):
    asked = SERIES | {"sensitive": sensitive, "audience": "owner"}
    found = explored(demo_con, "incomes").answer("series_report", asked)
    assert found["verdict"].startswith("The promise holds")
    assert ("worst chance of a sensitive value" in found["html"]) == bool(sensitive)
    assert ("names no sensitive column" in found["html"]) == (not sensitive)


def test_the_report_is_that_of_the_settings(demo_con):
    asked = EVENTS | {"k": 5, "permille": 10, "keep": ["zip"], "audience": "owner"}
    found = explored(demo_con, "visits").answer("report", asked)
    assert (
        found["html"].startswith("<!doctype html>") and "max_suppression := 0.01" in found["html"]
    )
    assert found["verdict"].startswith("The promise holds")
    assert "a reader who also knows it singles out" in found["html"]


@pytest.mark.parametrize(
    ("name", "question", "says"),
    [
        ("counts", EVENTS | {"qi": ["sx"]}, "sx"),
        ("counts", EVENTS | {"qi": "sex"}, "qi must be a list of texts"),
        ("counts", EVENTS | {"granularities": ["fortnight"]}, "fortnight"),
        ("counts", {}, "respondent must be a text, got None"),
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
    table.answer("columns", {"respondent": "patient"})
    table.answer("counts", EVENTS)
    assert there() == before
