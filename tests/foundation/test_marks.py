"""Expressions of text: what they hold several times stands once, literals that meet are one."""

import pytest

from tanon_duck.macros import marks
from tanon_duck.macros.marks import as_parameters, joined, mark, once, renamed


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([], "''"),
        (["'a'", "'b'"], "'ab'"),
        (["'it''s'", "' x'"], "'it''s x'"),
        (["'a'", "concat('b', x, 'c')", "'d'"], "concat('ab', x, 'cd')"),
        (["concat('a', f(x, 'y, )'))", "''"], "concat('a', f(x, 'y, )'))"),
        (["concat(x) || concat(y)", "'c'"], "concat(concat(x) || concat(y), 'c')"),
        (["x"], "concat(x)"),
        (["E'\\n'", "'b'"], "concat(E'\\n', 'b')"),
    ],
)  # fmt: skip
def test_texts_that_follow_each_other(parts, whole):
    assert joined(parts) == whole


def test_what_is_there_several_times_is_computed_once():
    text = joined([mark("f(x)"), "'a'", mark("f(x)"), mark("g(x)")])
    assert once(text) == (
        "list_transform([struct_pack(e0 := f(x))], lambda tanon_once: "
        "concat(tanon_once['e0'], 'a', tanon_once['e0'], g(x)))[1]"
    )


def test_what_is_cheap_or_a_literal_stays_where_it_is():
    text = joined([mark("'it''s'"), mark("x is null"), mark("x is null"), mark("'it''s'")])
    assert "tanon_once" not in once(text)


def test_a_condition_stands_alone():
    assert once(f"{mark('(a or b)')} and c") == "(a or b) and c"
    assert once(f"{mark('(a is null)')} and c") == "a is null and c"


def test_parameters_of_a_shared_step():
    text = joined([mark("f(x)"), "' and '", mark("g(y)"), mark("f(x)")])
    assert as_parameters(text) == ("concat(e0, ' and ', e1, e0)", ["f(x)", "g(y)"])


def test_arguments_are_renamed_where_they_are_meant():
    text = "concat('qi', tanon._qi(qi), s.qi, qi := 1, \"qi\", lambda q: q || qi)"
    changed = "concat('qi', tanon._qi(ids), s.qi, qi := 1, \"qi\", lambda q: q || ids)"
    assert renamed(text, {"qi": "ids", "k": "k"}) == changed
    assert renamed("f(a, b)", {"a": "b", "b": "a"}) == "f(b, a)"
    assert marks.uses("f('qi')", "qi") is False
