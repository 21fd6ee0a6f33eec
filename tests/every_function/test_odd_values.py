"""Arguments of table functions with values of odd types: refused in own words, or rows come."""

import random
import re

import duckdb
import pytest
from drawn import is_long
from every_function.examples import TABLE_FUNCTIONS

import tanon_duck
from tanon_duck import demo
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

ODD = (
    "3",
    "-0.5",
    "'a'",
    "'[1, 2]'",
    "true",
    "[1, 2]",
    "['a', 'b']",
    "[[1]]",
    "[null]",
    "{'a': 1}",
    "map {'a': [1]}",
    "date '2024-01-01'",
    "interval 1 day",
    "'a'::blob",
)


# Arguments whose texts are SQL, alone or in a list: DuckDB's errors are about that SQL.
SQL = {"predicates", "move_cost", "suppress_cost"}
ARGUMENTS = 2  # of each function, where everybody waits for the tests


def odd_calls(function):
    """Arguments and odd values: all of them in a long run, else two arguments with one value."""
    chance, found = random.Random(function), []
    for argument in catalog.function(function).header.arguments:
        is_relation = argument.kind.name == "relation"
        texts = ("'", "['") if argument.name in SQL else ("'",) if is_relation else ()
        fitting = [odd for odd in ODD if not odd.startswith(texts)]
        found += [
            (argument.name, odd) for odd in (fitting if is_long() else [chance.choice(fitting)])
        ]
    return found if is_long() else chance.sample(found, min(ARGUMENTS, len(found)))


def call_of(function, changed):
    """The example of a function with another value of one argument."""
    call = example_call(catalog.function(function))
    given = ", ".join(f"{name} := {value}" for name, value in (call.values | changed).items())
    return f"{call.before} from tanon.{function}({given})"


def called_by(function):
    """The functions that a function calls by name, as a report calls the publisher."""
    return set(re.findall(r"\btanon\.([a-z]\w*)\s*\(", catalog.function(function).body))


@pytest.fixture(scope="module")
def tables():
    with tanon_duck.connect() as con:
        demo.create_tables(con)
        yield con


@pytest.mark.parametrize("function", TABLE_FUNCTIONS)
def test_an_odd_value_is_refused_in_words_or_gives_rows(tables, function):
    raw, called = [], "|".join([function, *called_by(function)])
    for argument, odd in odd_calls(function):
        try:
            tables.execute(call_of(function, {argument: odd})).fetchall()
        except duckdb.Error as error:
            if not re.match(rf"Invalid Input Error: tanon\.({called}): ", str(error)):
                raw.append((argument, odd, str(error).partition("\n")[0]))
    assert raw == []


def test_a_wrong_choice_that_is_no_text_is_refused_as_a_choice(tables):
    """The whole text of a call is bound at once, and one comparison more would end it."""
    for changed, sentence in (
        ({"suppression": "3"}, "suppression must be one of 'rows', 'cells', got 3"),
        (
            {"max_suppression": "'[1, 2]'"},
            "max_suppression must be a number in [0, 1), got '[1, 2]'",
        ),
        ({"k": "'a'"}, "k must be an integer > 1, got 'a'"),
        (
            {"respondent": "{'a': 1}"},
            "respondent must be a column of source and population, got {'a': 1}",
        ),
    ):
        said = re.escape(f"tanon.publish_events: {sentence}")
        with pytest.raises(duckdb.Error, match=said):
            tables.execute(call_of("publish_events", changed))
