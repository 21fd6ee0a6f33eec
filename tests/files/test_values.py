"""From words of a command line to SQL values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tanon_duck import kinds
from tanon_duck.files.values import any_value, join_list, split_list, sql_value

EXPRESSIONS = "['round(a, 2) > 1', 'b in (''x'', ''y'')']"


@pytest.mark.parametrize(
    ("words", "typed", "expected"),
    [
        ("column", ["o'x"], "'o''x'"),
        ("column", ["a,b"], "'a,b'"),
        ("columns", ["zip,sex"], "['zip', 'sex']"),
        ("columns", ["zip", "sex"], "['zip', 'sex']"),
        ("columns", ['"a,b",c'], "['a,b', 'c']"),
        ("columns", ['a"b'], "['a\"b']"),
        ("columns", ["two words, b "], "['two words', ' b ']"),
        ("columns", [""], "[]::varchar[]"),
        ("texts", ["x,o'y"], "['x', 'o''y']"),
        ("positions", ["1,2", "3"], "[1, 2, 3]"),
        ("sizes", ["3, 4"], "[3, 4]"),
        ("numbers", ["1.5,-2"], "[1.5, -2]"),
        ("granularity", ["3 days"], "'3 days'"),
        ("granularities", ["day,3 days"], "['day', '3 days']"),
        ("expressions", ["round(a, 2) > 1", "b in ('x', 'y')"], EXPRESSIONS),
        ("integer > 1", ["5"], "5"),
        ("number in [0, 1)", [".5"], ".5"),
        ("number in [0, 1)", ["1e-3"], "1e-3"),
        ("text", ["1"], "'1'"),
        ("one of 'a', 'b'", ["a"], "'a'"),
        ("rational >= 1", ["5/2"], "'5/2'"),
        ("rational >= 1", ["2.5"], "2.5"),
        ("value", ["[1, 2]"], "[1, 2]"),
        ("value", ["{'a': 1}"], "{'a': 1}"),
        ("value", ["'it''s'"], "'it''s'"),
        ("value", ["NULL"], "NULL"),
        ("value", ["day"], "'day'"),
        ("value", ["d^2"], "'d^2'"),
        ("value", ["-1.5"], "-1.5"),
    ],
)
def test_every_kind(words, typed, expected):
    assert sql_value(kinds.parse(words), typed) == expected


@pytest.mark.parametrize(
    ("words", "typed", "message"),
    [
        ("integer > 1", "two", "must be an integer > 1, got 'two'"),
        ("integer > 1", "2.5", "must be an integer > 1, got '2.5'"),
        ("number >= 0", "nan", "must be a number >= 0, got 'nan'"),
        ("positions", "1,x", "must be a list of positions"),
    ],
)
def test_a_wrong_value_says_what_is_allowed(words, typed, message):
    with pytest.raises(ValueError, match="must be") as raised:
        sql_value(kinds.parse(words), [typed])
    assert message in str(raised.value)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)))
def test_any_names_survive_the_command_line(names):
    assert split_list([join_list(names)] if names else []) == names


def test_what_is_no_sql_value_is_text():
    assert any_value("[") == "'['"
    assert any_value("1; drop table x") == "'1; drop table x'"
