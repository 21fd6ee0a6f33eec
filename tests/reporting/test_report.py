"""The page of a report: what it says, what it must not say, and how it is kept."""

import re
import stat

import pytest
from reporting.kinds import ARGUMENTS, made

import tanon_duck
from tanon_duck import cli
from tanon_duck.errors import TanonError


@pytest.mark.parametrize("kind", ARGUMENTS)
@pytest.mark.parametrize("audience", ["owner", "public"])
def test_a_page_needs_nothing_from_outside(demo_con, kind, audience):
    page = made(demo_con, kind, audience).html
    assert page.startswith("<!doctype html>")
    left = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(
        r"https?://|<script|<link (?!rel=\"icon\" href=\"data:)|url\(|@import", left
    )
    for word in ("Promised and found", "Signatures", "What is not promised"):
        assert word in page


def test_the_line_that_matters_stands_above_all_figures(demo_con):
    page = made(demo_con, "events").page
    assert page.holds and page.alarms == (
        "diagnosis is released unprotected: a reader who also knows it singles out 24.3\u202f% of "
        "the "
        "respondents",
    )
    assert "82.4\u202f%" in made(demo_con, "events").html  # zip, if it were kept


def test_the_owner_sees_the_small_groups_and_others_do_not(demo_con):
    assert "sex = f, admitted = 2024-10-21" in made(demo_con, "events").html
    assert "2024-10-21" not in made(demo_con, "events", "public").html


@pytest.mark.parametrize("kind", ["events", "stream"])
def test_the_edition_for_others_holds_no_value_of_the_source(con, kind):
    con.execute(
        "create table visits as select 'qpatient' || i % 300 as patient, 'qsex' || i % 2 as sex, "
        "timestamp '2024-01-01' + to_minutes(i * 1171) as admitted, 'qill' || i % 7 as diagnosis, "
        "7000000 + i % 11 as zip from range(450) as r(i)"
    )
    con.execute(
        "create table cases as select date '2024-03-01' + (i // 20)::int as day, "
        "'qill' || if(i % 20 < 12 and i // 20 % 5 = 1, 0, i % 4) as disease, 7000000 + i as age, "
        "'qplace' || i % 3 as district, 'qperson' || i as person from range(400) as r(i)"
    )
    table = ARGUMENTS[kind]["source"]
    query = f"(from {table} where '7000003' <> '' and '2024-05-05' <> '')"
    page = made(con, kind, "public", source=query).html
    owner = made(con, kind).html
    values = {
        value
        for row in con.execute(f"select columns(*)::varchar from {table}").fetchall()
        for value in row
    }
    labels = {value[:10] for value in values if value.startswith("2024")}
    assert [value for value in values | labels if value in page] == []
    assert [value for value in values | labels if value in owner]  # the control


def test_a_promise_that_does_not_hold_is_said_first(demo_con):
    found = made(demo_con, "events", granularities=["day"], max_suppression=0)
    assert not found.passed
    assert '<p class="verdict broken">The promise does not hold' in found.html
    found = made(demo_con, "series", k=15)
    assert not found.passed and "✗ does not hold" in found.html


def test_markup_in_names_and_values_stays_text(con):
    bad = '<script>alert("x")</script>'
    quoted = '"' + bad.replace('"', '""') + '{}"'
    names = [bad + str(i) for i in range(5)]
    columns = ", ".join(f"'{bad}' || i % {n} as {quoted.format(i)}" for i, n in enumerate([30, 2]))
    con.execute(
        f"create table {quoted.format(9)} as select {columns}, "
        f"timestamp '2024-01-01' + to_hours(i) as {quoted.format(2)}, "
        f"'{bad}' || i % 3 as {quoted.format(3)}, '{bad}' || i as {quoted.format(4)} "
        "from range(300) as r(i)"
    )
    page = tanon_duck.report(
        con, "events", source=quoted.format(9), respondent=names[0], qi=[names[1]], ts=names[2],
        granularities=["day", "week"], k=5, max_suppression=0.5, keep=[names[3]],
    )  # fmt: skip
    assert "<script" not in page.html and "&lt;script&gt;" in page.html
    for picture in page.pictures.values():
        assert "<script" not in picture.svg
    assert "<script" not in page._repr_html_()


def test_a_table_without_rows_and_ten_thousand_groups(demo_con):
    demo_con.execute("create table few as from visits limit 0")
    assert "the release has no rows" in made(demo_con, "events", source="few").html
    demo_con.execute(
        "create table many as select i % 5 as patient, i // 2 as sex, 'd' as diagnosis, "
        "timestamp '2024-01-01' as admitted from range(20000) as r(i)"
    )
    page = made(demo_con, "events", source="many").html
    assert "more rows; the function below returns all of them" in page and len(page) < 60_000


OF_MARKUP = {
    "table_pair": {
        "qi": ["c2"],
        "sensitive": "c1",
        "l": 2,
        "partition": "c0",
        "rows_are_persons": True,
    },
    "stream": {
        "ts": "c0",
        "sensitive": "c1",
        "l": 2,
        "w": 3,
        "qi": ["c2"],
        "rows_are_persons": True,
    },
    "itemsets": {"transaction": "c0", "item": "c1", "min_support": 8, "k": 3},
}


@pytest.mark.parametrize("kind", OF_MARKUP)
@pytest.mark.parametrize("rows", [400, 0])
def test_markup_stays_text_in_every_kind_and_no_row_is_no_error(con, kind, rows):
    bad = '<script>alert("x")</script>'

    def hostile(value):
        return [*map(hostile, value)] if isinstance(value, list) else value.replace("c", bad)

    quoted = '"' + bad.replace('"', '""') + '{}"'
    con.execute(
        f"create table {quoted.format(9)} as select date '2024-01-01' + (i // 20)::int as "
        f"{quoted.format(0)}, '{bad}' || i % 5 as {quoted.format(1)}, '{bad}' || i % 3 as "
        f"{quoted.format(2)} from range({rows}) as r(i)"
    )
    given = {n: v if isinstance(v, int) else hostile(v) for n, v in OF_MARKUP[kind].items()}
    found = tanon_duck.report(con, kind, source=quoted.format(9), **given)
    assert found.passed and "<script" not in found.html
    assert bool(rows) <= ("&lt;script&gt;" in found.html)


def test_it_is_saved_whole_for_its_owner_and_never_over_a_file(demo_con, tmp_path):
    found = made(demo_con, "itemsets")
    path = found.save(tmp_path / "r.html")
    assert path.read_text() == found.html
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(TanonError, match="exists already"):
        found.save(path)
    found.save(path, force=True)
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]


def test_it_shows_itself_in_a_notebook_in_a_frame_of_its_own(demo_con, tmp_path):
    found = made(demo_con, "stream")
    assert found._repr_html_().startswith("<iframe sandbox srcdoc=")
    picture = found.pictures["How far records moved"]
    assert picture._repr_svg_().startswith("<svg ")
    assert picture.save(tmp_path / "p.svg").read_text() == picture._repr_svg_()


def test_a_release_on_record_is_found_by_its_name(demo_con):
    arguments = ARGUMENTS["events"]
    tanon_duck.release(demo_con, "publish_events", into="first", **arguments)
    found = tanon_duck.report(demo_con, release="first")
    assert found.passed and "Releases of this table on record" in found.html
    with pytest.raises(TanonError, match="release must be one on record, got 'frist'; there are f"):
        tanon_duck.report(demo_con, release="frist")


ON_RECORD = {
    "publish_table_pair": {"source": "visits", "qi": ["age"], "sensitive": "diagnosis", "l": 2,
                        "result": "values", "respondent": "patient"},
    "publish_series": {"source": "incomes", "series_id": "name", "series": "incomes", "k": 12,
                       "p": 6, "sensitive": "charity", "allow_identifying": "charity"},
    "publish_itemsets": {"source": "visits", "transaction": "patient", "item": "diagnosis",
                          "min_support": 8, "k": 5},
}  # fmt: skip


@pytest.mark.parametrize("publisher", ON_RECORD)
def test_what_every_publisher_has_on_record_is_reported_on(demo_con, publisher):
    made = tanon_duck.release(demo_con, publisher, into="out", **ON_RECORD[publisher])
    found = tanon_duck.report(demo_con, release="out", **({"queries": 0} if publisher !=
                              "publish_itemsets" else {}))  # fmt: skip
    assert found.passed
    rows = made.manifest["release"]["rows"]
    told = {fact.value for fact in found.facts.of("release")}
    if publisher == "publish_table_pair":
        rows = demo_con.execute("select sum(records) from out").fetchall()[0][0]
    assert rows in told


def test_a_release_that_the_report_would_get_wrong_is_refused(demo_con):
    given = ARGUMENTS["events"] | {"sensitive": "diagnosis", "limits": {"distinct_l": 2}}
    tanon_duck.release(demo_con, "publish_events", into="varied", **given)
    found = tanon_duck.report(demo_con, release="varied", queries=0)
    assert found.passed and "diagnosis, distinct_l: sensitive values in a group" in found.html
    demo_con.execute("create table as_it_was as from visits")
    demo_con.execute("delete from visits where age = (select min(age) from visits)")
    with pytest.raises(TanonError, match="release must be what its arguments give now, got rec"):
        tanon_duck.report(demo_con, release="varied", queries=0)
    demo_con.execute("create or replace table visits as from as_it_was")
    query = ARGUMENTS["events"] | {"source": "(from visits)"}
    tanon_duck.release(demo_con, "publish_events", into="asked", **query)
    with pytest.raises(TanonError, match="source must be given, got a release that"):
        tanon_duck.report(demo_con, release="asked")
    assert tanon_duck.report(demo_con, release="asked", source="visits", queries=0).passed


@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        ("event", {}, "kind must be one of events, table_pair, stream, series, itemsets"),
        ("series", {"audience": "all"}, "audience must be one of owner, public"),
        (
            "series",
            {"sourse": "t"},
            "arguments must be some of .* got sourse; did you mean 'source'",
        ),
    ],
)
def test_a_wrong_call_is_named(con, kind, more, said):
    with pytest.raises(TanonError, match=said):
        tanon_duck.report(con, kind, **more)


def test_the_connection_is_free_afterwards(demo_con):
    made(demo_con, "events")
    demo_con.sql("update visits set zip = zip")


def test_attributes_that_roles_generalize_are_reported_on_as_they_are_published(demo_con, tmp_path):
    given = ARGUMENTS["events"] | {"qi": ["sex", "zip"], "queries": 0}
    recorded = ARGUMENTS["events"] | {"qi": ["zip"], "granularities": ["year"]}
    tanon_duck.release(demo_con, "publish_events", into="before", **recorded)
    ways = {"zip": "prefixes 4, 3, 2", "sex": ""}
    tanon_duck.set_roles(demo_con, "visits", respondent="patient", quasi_identifiers=ways)
    arguments = {n: v for n, v in given.items() if n not in ("qi", "respondent")}
    published = {n: v for n, v in arguments.items() if n != "queries"}
    made_now = tanon_duck.release(demo_con, "publish_events", into="now", **published)
    levels = made_now.manifest["chosen"]["levels"]
    assert levels["zip"] > 0
    for found in (
        tanon_duck.report(demo_con, "events", **arguments),
        tanon_duck.report(demo_con, release="now", queries=0),
    ):
        assert found.passed and f"released at level {levels['zip']} of " in found.html
        assert found.facts.value("release", "rows released") == made_now.manifest["release"]["rows"]
    before = tanon_duck.report(demo_con, release="before", queries=0)
    assert before.passed and "released at level" not in before.html, "it was made without"
    assert "Releases of this table on record" in before.html
    demo_con.execute(f"copy visits to '{tmp_path}/visits.parquet'")
    (tmp_path / "roles.toml").write_text(
        'patient = "respondent"\nzip = "quasi-identifier; prefixes 4, 3, 2"\n'
    )
    words = f"--ts admitted --granularities month -k 2 --roles {tmp_path}/roles.toml".split()
    target = tmp_path / "page.html"
    call = ["report", "events", f"{tmp_path}/visits.parquet", *words, "-o", str(target)]
    assert cli.main([*call, "--queries", "0"]) == 0
    assert "released at level" in target.read_text()


def test_a_page_without_time_and_with_hidden_cells(demo_con):
    arguments = {n: v for n, v in ARGUMENTS["events"].items() if n not in
                 ("ts", "granularities", "max_suppression")}  # fmt: skip
    found = made_of(demo_con, arguments | {"qi": ["sex"], "remainder": True})
    assert "share quasi-identifiers</" in found.html and "The trade-off" not in found.html
    assert "Risk before and after" in found.html and "rows of the remainder" in found.html
    found = made_of(demo_con, arguments | {
        "qi": ["sex", "age", "zip"], "suppression": "cells", "max_suppression": 0.5,
        "hierarchies": "(from tanon.hierarchies('visits', {'age': 'intervals 40', 'zip': "
        "'prefixes 4, 3, 2'}))",
    })  # fmt: skip
    assert found.passed and "or * where it is hidden" in found.html


def made_of(con, arguments):
    return tanon_duck.report(con, "events", **arguments, queries=20)
