"""Every function whose result is for others says what it promises, and gets an account of it."""

import json
import re

import duckdb
import pytest
from every_function.examples import FUNCTIONS
from every_function.test_files_door import plain_call

from tanon_duck import TanonError, demo, release
from tanon_duck.accounting.manifest import written
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

PUBLISHERS = [n for n in FUNCTIONS if catalog.function(n).header.answer().audience == "others"]


def arguments(con, name):
    """Those of the example, as values of Python."""
    values = example_call(catalog.function(name)).values
    return {a: con.execute(f"select {sql}").fetchall()[0][0] for a, sql in values.items()}


def texts_of(con):
    """Every text and every number that is not round in the tables that releases are made of."""
    for table in (*("visits", "cases", "incomes"), "published_incomes"):
        for column, *_ in con.execute(f"describe {table}").fetchall():
            values = f"select distinct unnest([{column}])::varchar from {table}"
            yield from (text for (text,) in con.execute(values).fetchall())
            granules = ", ".join(f"strftime({column}, '{f}')" for f in ("%Y-%m", "%Y-%m-%d", "%G"))
            kind = con.execute(f"select typeof(any_value({column})) from {table}").fetchall()[0][0]
            if kind in ("DATE", "TIMESTAMP"):
                labels = f"select distinct unnest([{granules}]) from {table}"
                yield from (text for (text,) in con.execute(labels).fetchall())


def strings(value):
    """All texts and numbers of a manifest, keys aside."""
    if isinstance(value, dict):
        return [s for v in value.values() for s in strings(v)]
    if isinstance(value, list):
        return [s for v in value for s in strings(v)]
    return [str(value)]


@pytest.mark.parametrize("name", PUBLISHERS)
def test_the_example_as_a_release_is_the_same_rows_and_keeps_its_promises(demo_con, name):
    given = arguments(demo_con, name)
    made = release(demo_con, name, into="out", **given)
    wanted = demo_con.execute(plain_call(catalog.function(name))).fetchall()
    assert demo_con.execute("from out").fetchall() == wanted
    manifest = made.manifest
    assert manifest["function"] == f"tanon.{name}"
    assert manifest["release"]["rows"] == len(wanted)
    assert manifest["checks"]
    assert all(check["holds"] for check in manifest["checks"])
    on_record = 'select "table", "function", digest, manifest from tanon_releases'
    assert demo_con.execute(on_record).fetchall() == [
        ("out", f"tanon.{name}", manifest["release"]["digest"], written(manifest))
    ]


@pytest.mark.parametrize("name", PUBLISHERS)
def test_no_value_of_the_source_stands_in_the_manifest(demo_con, name):
    manifest = json.loads(
        written(release(demo_con, name, into="out", **arguments(demo_con, name)).manifest)
    )
    # Counts, versions and what the caller typed may be equal to a value by chance.
    figures = ("versions", "parameters", "suppressed", "checks", "manifest", "released")
    left = {key: value for key, value in manifest.items() if key not in figures}
    for part in ("release", "source"):
        left[part] = {k: v for k, v in left[part].items() if k != "rows"}
    if chosen := left["chosen"]:
        left["chosen"] = {k: v for k, v in chosen.items() if not isinstance(v, int | float)}
    values = {text for text in texts_of(demo_con) if text}
    assert len(values) > 1000
    assert [s for s in strings(left) if s in values] == []
    words = set(re.findall(r"[\w.-]+", re.sub(r"1:[0-9a-f]{64}", "", json.dumps(manifest))))
    assert [v for v in values & words if not v.replace(".", "").isdigit()] == []


@pytest.mark.parametrize("name", PUBLISHERS)
def test_a_copy_for_the_owner_is_no_release(demo_con, name):
    if catalog.function(name).header.argument("for_owner") is None:
        return
    given = arguments(demo_con, name) | {"for_owner": True}
    with pytest.raises(TanonError, match=f"tanon.{name} gives no release with these arguments"):
        release(demo_con, name, into="out", **given)
    made = "select count(*) from duckdb_tables() where table_name = 'out'"
    assert demo_con.execute(made).fetchall() == [(0,)]


OWNERS = [
    (name, answer.name)
    for name in PUBLISHERS
    for answer in catalog.function(name).header.answers
    if answer.audience != "others"
]


@pytest.mark.parametrize(("name", "result"), OWNERS)
def test_a_result_for_the_owner_is_no_release(demo_con, name, result):
    given = arguments(demo_con, name) | {"result": result}
    with pytest.raises(TanonError, match=f"tanon.{name} gives no release with these arguments"):
        release(demo_con, name, into="out", **given)


def test_what_fails_leaves_neither_table_nor_record(con):
    demo.create_tables(con)
    before = con.execute("select table_name from duckdb_tables() order by all").fetchall()
    given = arguments(con, "publish_events") | {"k": 299}
    with pytest.raises(duckdb.Error, match="granularities must hold one"):
        release(con, "publish_events", into="out", **given)
    assert con.execute("select table_name from duckdb_tables() order by all").fetchall() == before
