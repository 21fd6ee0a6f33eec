"""The header of each file says all that a user needs, and says it truly."""

import re

import pytest
from every_function.examples import FUNCTIONS, TABLE_FUNCTIONS, example, rows

from tanon_duck.macros import catalog


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_runs_and_calls_the_function(kept_demo, name):
    assert f"tanon.{name}(" in example(name)
    rows(kept_demo, example(name))


@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_the_documented_result_columns_are_those_of_the_example(kept_demo, name):
    header = catalog.function(name).header
    described = kept_demo.execute(f"describe {example(name)}").fetchall()
    found = {column: kind for column, kind, *_ in described}
    optional = {r.name for r in header.results if r.meaning.startswith("(")}
    for result in header.results:
        if re.fullmatch(r"\w+", result.name) and result.name not in optional:
            assert result.name in found
            if result.type.isupper():
                assert found[result.name] == result.type, result.name
    if not header.passed_columns():
        assert set(found) <= set(header.added_columns())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_every_argument_and_column(con, name):
    header = catalog.function(name).header
    parts = con.execute(
        "select part, item, text from tanon.help(?, lines := false)", [name]
    ).fetchall()
    assert [item for part, item, _ in parts if part == "argument"] == [
        a.name for a in header.arguments
    ]
    if header.results:
        assert [item for part, item, _ in parts if part == "result"] == [
            r.name for r in header.results
        ]
    said = {part: text for part, _, text in parts}
    assert said["summary"] == header.summary
    assert said["example"] == header.example
    assert said.get("details", "") == header.details


def test_help_lists_every_function_and_nothing_else(con):
    listed = con.execute("select function, needs_python from tanon.help(lines := false)").fetchall()
    assert sorted(listed) == [(n, catalog.function(n).needs_python) for n in FUNCTIONS]


def test_help_names_the_nearest_function(con):
    with pytest.raises(Exception, match=r"no function tanon\.k_anonimity; did you mean 'k_a"):
        con.execute("from tanon.help('k_anonimity')").fetchall()
