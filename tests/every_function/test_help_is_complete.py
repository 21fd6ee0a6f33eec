"""The header of each file says all that a user needs, and says it truly."""

import re

import pytest
from every_function.examples import (
    EXAMPLES,
    FUNCTIONS,
    TABLE_FUNCTIONS,
    answer_of,
    example,
    function_of,
    rows,
)

from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs_and_calls_the_function(kept_demo, name):
    rows(kept_demo, example(name))


@pytest.mark.parametrize("name", [n for n in EXAMPLES if not function_of(n).is_scalar])
def test_the_documented_result_columns_are_those_of_the_example(kept_demo, name):
    answer, file = answer_of(name), function_of(name).file.name
    described = kept_demo.execute(f"describe {example(name)}").fetchall()
    found = {column: kind for column, kind, *_ in described}
    optional = {r.name for r in answer.columns if r.meaning.startswith("(")}
    for result in answer.columns:
        if re.fullmatch(r"\w+", result.name) and result.name not in optional:
            assert result.name in found, f"{file}: Result: the query gives no {result.name}"
            if result.type.isupper():
                assert found[result.name] == result.type, result.name
    listed = [column for column in answer.added_columns() if column in found]
    given = [column for column in found if column in listed]
    assert listed == given, f"{file}: Result: must list the columns in the order {given}"
    surplus = set(found) - set(listed) - set(users_columns(kept_demo, name))
    assert not surplus, f"{file}: Result: must list {surplus}"


def users_columns(con, name):
    """Yield the columns that the example passes to the result, as {qi} and source.* say."""
    values = example_call(function_of(name)).values
    for passed in answer_of(name).passed_columns():
        argument, _, star = passed.partition(".")
        value = values.get(argument) or function_of(name).header.argument(argument).default
        if star:
            ((relation,),) = con.execute(f"select tanon._relation({value})").fetchall()
            yield from (
                column for column, *_ in con.execute(f"describe from {relation}").fetchall()
            )
        else:
            yield from re.findall(r"'((?:[^']|'')*)'", value)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_every_argument_and_column(con, name):
    header = catalog.function(name).header
    parts = con.execute(
        "select part, item, text from tanon.help(?, lines := false)", [name]
    ).fetchall()
    assert [item for part, item, _ in parts if part == "argument"] == [
        a.name for a in header.arguments
    ]
    for answer in header.answers if name in TABLE_FUNCTIONS else ():
        title = f"result {answer.name}".rstrip()
        assert [i for part, i, _ in parts if part == title] == [r.name for r in answer.columns]
        assert (f"for {answer.name}".rstrip(), "", answer.audience) in parts
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
