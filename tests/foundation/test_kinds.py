"""Every kind of argument: what it takes and refuses, given in SQL and on the command line."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tanon_duck import secret
from tanon_duck.macros import catalog, kinds
from tanon_duck.macros.kinds.typed import any_value, join_list, split_list

pytestmark = pytest.mark.quick

SECRET = secret.new_secret()
# By the words of a kind: values in SQL that are right and wrong, then what is typed, likewise.
VALUES = {
    "relation": (["'t'", "'(select 1)'"], ["' '", "5", "null"], ["t"], [" ", "5"]),
    "relation(a DOUBLE[])": (["'t'"], ["''", "'tanon_t'"], ["t"], ["", "tanon_t"]),
    "calendar": (["'t'"], ["''", "true"], ["t"], ["", "true"]),
    "hierarchies": (["'t'"], ["''", "[1]"], ["t"], ["", "[1]"]),
    "column": (["'a'", "'a''b'"], ["5", "''", "'tanon_a'", "null"], ["a", "5"], ["", "tanon_a"]),
    "columns": (["['a', 'b']", "'a'"], ["[]", "['a', 'A']", "null"], ["a,b"], ["", "a,A"]),
    "columns or none": (["['a']", "[]"], ["['a', 'a']", "['tanon_a']"], ["a", ""], ["a,a"]),
    "integer > 1": (["2", "'3'"], ["1", "2.5", "'x'", "null"], ["2"], ["1", "2.5", "x", "[2]"]),
    "number in [0, 1)": (["0", "0.5"], ["1", "-1", "'nan'", "null"], ["0", ".5"], ["1", "nan"]),
    "share": (["0", "0.5", "7e-5"], ["1", "-1", "'nan'", "null"], ["0", ".5"], ["1", "nan"]),
    "rational > 1": (["2.5", "'5/2'"], ["1", "'x'", "null"], ["2.5", "5/2"], ["1", "x"]),
    "count or share": (["1", "0.5"], ["0", "1.5", "null"], ["1", "0.5"], ["0", "1.5", "x"]),
    "numbers": (["[1.5, 2]"], ["[1]", "['nan', '2']", "null"], ["1.5,2"], ["1", "x,2", "nan,2"]),
    "positions": (["[1, 3]"], ["[0]", "[1, 1]", "null"], ["1,3"], ["0", "1,1", "x"]),
    "sizes": (["[5, 10]"], ["[0]", "[5, 5]", "null"], ["5,10"], ["0", "5,5", "x"]),
    "shares": (["[0, 0.05]", "[0]"], ["[1]", "[]", "[0, 0]", "null"], ["0,.05"], ["1", "0,0", "x"]),
    "widths": (["[5, 10]", "[0.5]"], ["[5, 12]", "[0]", "null"], ["5,10"], ["5,12", "0", "x"]),
    "ranges": (
        ["[{'position': 1, 'low': 0, 'high': 9}]"],
        ["[{'position': 1, 'low': 9, 'high': 0}]", "[]", "null"],
        ["[{'position': 1, 'low': 0, 'high': 9}]"],
        ["[{'position': 0, 'low': 0, 'high': 9}]", "1"],
    ),
    "roles": (
        ["{'a': 'respondent'}", "map {'a': 'time; month, year'}", "{'a': 'none'}"],
        ["{'a': 'respondant'}", "5", "{'a': 'keep; list'}", "{'a': 'quasi-identifier; x'}", "null"],
        ["a=respondent", "a=quasi-identifier; prefixes 3"],
        ["a=respondant", "a", "=keep"],
    ),
    "ways": (
        ["{'a': 'intervals 5, 10 from 1 below 18 above 90'}", "{'a': 'parents p(b, c)'}"],
        ["{'a': 'intervals'}", "{'a': 'parents p(b)'}", "map {}", "null"],
        ["a=prefixes 4, 3", "a=list", "a=dates year, 2 weeks", "a=quantiles 4"],
        ["a=prefix 4", "a=list 3", "a=", "a"],
    ),
    "groups": (["{'a': 'b'}"], ["map {}", "5", "null"], ["a=b"], ["a"]),
    "choices": (
        ["{'a': ['b', 'c'], 'd': ['e']}", "map {'a': 'b, c'}", "{'a': ['''b, c''']}"],
        ["map {}", "5", "{'a': []::varchar[]}", "{'a': [null, 'b']}", "{'a': null}", "null"],
        ["a=b,c"],
        ["a", "a="],
    ),
    "text": (["'x'", "''"], ["null"], ["x", ""], []),
    "one of 'a', 'b'": (["'a'"], ["'c'", "null"], ["b"], ["c", ""]),
    "texts": (["['x']"], ["[]", "['x', 'x']", "null"], ["x,y"], ["x,x", ""]),
    "expressions": (["['a > 1']"], ["[]", "null"], ["a in (1, 2)"], [""]),
    "value": (["1", "'x'", "[1]"], ["null"], ["x", "1"], ["null"]),
    "time": (["date '2024-01-01'"], ["null"], ["x"], ["null"]),
    "boolean": (["true", "'no'"], ["'x'", "7.5::varchar", "null"], ["true"], ["x"]),
    "secret": ([f"'{SECRET}'", "null"], ["'abc'", "'zz'"], [SECRET], ["abc"]),
    "granularity": (["'day'", "'3 days'"], ["'dya'", "5", "null"], ["day"], ["dya", ""]),
    "granularities": (["['day', 'week']"], ["['dya']", "[]", "null"], ["day,week"], ["dya", ""]),
    "levels": (
        ["{'zip': 2, 'a b': 0}", "map {'zip': 2}"],
        ["{'zip': 1.5}", "{'zip': -1}", "{'zip': null}", "'zip'", "map {}", "null"],
        ["{'zip': 2}", "zip=2", "a b=1,zip=0", '"a,b=1"'],
        ["zip", "{'zip': 'x'}", "zip=", "zip=x", "=2", "zip=1,sex", "zip=1,ZIP=2", "zip=1.5"],
    ),
    "preference": (
        ["'entropy'", "{'zip': 2.5}", "map {'zip': 0}"],
        ["'best'", "{'zip': -1}", "{'zip': 'inf'::double}", "map {'a': 1, 'A': 2}", "null"],
        ["gen_s", "{'zip': 2}", "zip=2,sex=.5"],
        ["best", "2", "zip=-1"],
    ),
    "limits": (
        ["{'distinct_l': 3, 't': 0.2}", "{'recursive_c': 2, 'recursive_l': 3}", "{'beta': 1}"],
        ["{'l': 2}", "{'distinct_l': 1}", "{'recursive_l': 3}", "{'t': 1}", "'t'", "null"],
        ["{'entropy_l': 2.5}", "distinct_l=2,t=0.2"],
        ["t", "{'t': 'x'}", "t=1", "distinct=2"],
    ),
    "presence": (
        ["{'k_map': 5}", "{'delta_low': 0.1, 'delta_high': 0.1}", "map {'delta_high': 1}"],
        ["{'k_map': 1}", "{'delta_low': 0.5, 'delta_high': 0.1}", "{'k': 5}", "'x'", "null"],
        ["{'k_map': 5}", "k_map=5"],
        ["x", "{'delta_high': 2}", "kmap=5"],
    ),
    "snapshots": (["'day'", "7"], ["'x'", "0", "null"], ["3 days", "7"], ["x", "0"]),
    "formula or relation(d, c)": (["'d^2'", "'t'"], ["'log(d)'", "null"], ["d", "t"], ["d+1"]),
    "number or relation(v, c)": (["3", "'t'"], ["0", "'x*y'", "null"], ["3", "t"], ["-1"]),
}


def refused(con, kind, value):
    """The message about a value given in SQL, None if it is right."""
    check = kind.wrong("x", "'f: a must be it'", optional=False)
    sql = f"select {check} from (select {value} as x, null::varchar as calendar)"
    return con.execute(sql).fetchall()[0][0]


def refused_as_typed(con, kind, typed):
    """The same of what was typed."""
    try:
        return refused(con, kind, kind.from_typed([typed]))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("words", VALUES)
def test_right_and_wrong_values(con, words):
    kind = kinds.parse(words)
    right, wrong, typed, typed_wrong = VALUES[words]
    assert [value for value in right if refused(con, kind, value)] == []
    assert [value for value in wrong if not refused(con, kind, value)] == []
    assert [value for value in typed if refused_as_typed(con, kind, value)] == []
    assert [value for value in typed_wrong if not refused_as_typed(con, kind, value)] == []


@pytest.mark.parametrize("words", VALUES)
def test_what_a_kind_says_of_itself(con, words):
    kind = kinds.parse(words)
    assert kind.words == words and kind.name and kind.allowed and kind.metavar
    right = VALUES[words][0][0]
    prefixes = ("'tanon.f'",) if kind.names_function else ("", "s")
    for expression in (*(kind.quoted("x", prefix) for prefix in prefixes), kind.as_text("x")):
        answer = con.execute(f"select {expression} from (select {right} as x)").fetchall()
        assert isinstance(answer[0][0], str)
    if kind.is_listed:
        several = ["7", "8"] if "N" in kind.metavar else ["a, b", "c"]
        if "=" in kind.metavar:
            assert kind.from_typed(["a, b=x=y", "c=d'e"]) == "map {'a, b': 'x=y', 'c': 'd''e'}"
            return
        back = con.execute(f"select {kind.from_typed(kind.as_typed(several))}").fetchall()[0][0]
        assert [str(value) for value in back] == several


def test_no_kind_is_forgotten():
    """Neither here nor by `every`, and each is used; one without all it has to say is not made."""
    tried = {type(kinds.parse(words)) for words in VALUES}
    used = {type(a.kind) for f in catalog.functions().values() for a in f.header.arguments}
    leaves = {kind for kind in kinds.Kind.below() if not kind.__subclasses__()}
    assert tried == used == set(kinds.every()) >= leaves


def test_words_mean_one_kind():
    for words in VALUES:
        assert sum(re.fullmatch(kind.pattern, words) is not None for kind in kinds.every()) == 1


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
        ("columns", ["[]"], "['[]']"),
        ("columns or none", ["[]"], "[]::varchar[]"),
        ("columns or none", ['"[]"'], "['[]']"),
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
        ("levels", ["zip=2,a=b=1"], "map {'zip': 2, 'a=b': 1}"),
    ],
)
def test_what_is_typed_as_sql(words, typed, expected):
    assert kinds.parse(words).from_typed(typed) == expected


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
        kinds.parse(words).from_typed([typed])
    assert message in str(raised.value)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)))
def test_any_names_survive_the_command_line(names):
    assert split_list([join_list(names)] if names else []) == names


def test_what_is_no_sql_value_is_text():
    assert any_value("[") == "'['"
    assert any_value("1; drop table x") == "'1; drop table x'"
