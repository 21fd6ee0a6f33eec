"""Macros that are put in where they are called: the same values, and none that would change."""

import duckdb
import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import inlining, kept_as_text
from tanon_duck.macros.catalog import functions

HEAD = "create or replace macro tanon."
MACROS = [
    f"{HEAD}_twice(x) as 2 * x",
    f"{HEAD}_each(xs, y) as list_transform(xs, lambda e: tanon._twice(e) + y)",
    f"{HEAD}_said(x) as 'x is ' || x || case when x > 3 then ', x' else '' end",
    f"{HEAD}_nothing() as 'none'",
]
EXPRESSIONS = {
    "a": "tanon._each([k, k + 1], y := 3)",
    "b": "tanon._each([k, k + 1], 1 - 3)",
    "c": "tanon._said(k - 1) || tanon._nothing() || tanon._said(tanon._twice(k))",
}


def values(statements, expressions):
    with duckdb.connect() as con:
        con.execute("create schema tanon")
        for statement in statements:
            con.execute(statement)
        return {
            name: con.execute(f"select {text} from (select 4 as k)").fetchall()
            for name, text in expressions.items()
        }


def put_in(statements, expressions, elsewhere="", names=(), worth=10_000):
    return inlining.put_in(statements, expressions, elsewhere, names, worth)


def test_values_stay_and_macros_go():
    left, texts = put_in(MACROS, EXPRESSIONS)
    # A call that names its arguments is left as it is, and what it calls is put into the macro.
    assert [statement.split("(")[0] for statement in left] == [f"{HEAD}_each"]
    assert "_twice" not in str(texts) and "_said" not in str(texts)
    assert values(left, texts) == values(MACROS, EXPRESSIONS)


@pytest.mark.parametrize(
    ("expressions", "given"),
    [
        ({"a": "'select tanon._twice(' || k || ')'"}, {}),  # a text that is run calls it
        ({"a": "tanon._twice(k)"}, {"elsewhere": "query(tanon._twice(1))"}),
        ({"a": "tanon._twice(k)"}, {"worth": -10}),
    ],
)
def test_what_is_called_elsewhere_or_too_long_stays(expressions, given):
    assert put_in(MACROS[:1], expressions, **given) == (MACROS[:1], expressions)


def test_a_variable_of_a_lambda_stands_for_no_argument():
    macros = [f"{HEAD}_all(xs, y) as list_transform(xs, lambda e: e + y)"]
    hidden = {"a": "list_transform([k, 7], lambda e: tanon._all([1, 2], e))"}
    assert put_in(macros, hidden) == (macros, hidden)
    named = {"a": "tanon._all([1, 2], k)"}
    assert put_in(macros, named, names=["e"]) == (macros, named)
    assert put_in(macros, named)[0] == []


def test_what_would_be_taken_for_an_argument_is_not_kept_as_text():
    header = functions()["k_anonymity"].header
    kept = kept_as_text.keeping("tanon._text_of_k_anonymity()", header, "concat(k, 'k', uid)")
    assert kept.endswith("$tanon$concat(@8@, 'k', @2@)$tanon$")
    for text in ("concat('@', k)", "concat('$tanon$', k)", "list_transform([1], lambda k: k)"):
        with pytest.raises(TemplateError):
            kept_as_text.keeping("tanon._text_of_k_anonymity()", header, text)
