"""Templates are strict: what a body must not do fails when it is rendered, not when it is run."""

import duckdb
import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import create_statements, header, text_tree
from tanon_duck.macros.template import Template

pytestmark = pytest.mark.quick

COMMENT = """One sentence.

Arguments:
  source  relation            where from
  respondent   column              who
  qi      columns or none     what
  names   texts               some words
  k       integer > 1         how many
  word    text = NULL         a word
  thing   value = NULL        anything
Result:
  x  BIGINT  a number
Example:
  from tanon.f('t')"""
ARGUMENTS = {
    "source": "t", "respondent": 'o"x', "qi": ["a", "b'c"], "names": ["it's", "x"], "k": 5,
    "word": "won't", "thing": [1.5, 2],
}  # fmt: skip


@pytest.fixture(scope="module")
def scratch():
    with duckdb.connect() as con:
        con.execute("attach ':memory:' as tanon")
        for statement in create_statements.private_statements():
            con.execute(statement)
        con.execute("create macro tanon._beside(x, whole) as x || ' of ' || whole::varchar")
        yield con


def render(scratch, body, **changed):
    """The body filled in with the arguments above."""
    head = header.parse(COMMENT)
    expression = text_tree.expression(Template("f", head, body).piece())
    scratch.execute(f"create or replace macro tanon.t({head.signature()}) as ({expression})")
    given = ARGUMENTS | changed
    named = ", ".join(f"{name} := ${name}" for name in given)
    return scratch.execute(f"select tanon.t({named})", given).fetchall()[0][0]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("select 1", "select 1"),
        ("select {respondent}", 'select "o""x"'),
        ("select {s.respondent}", 'select s."o""x"'),
        ("select {qi}", 'select "a", "b\'c"'),
        ("select {s.qi}", 'select s."a", s."b\'c"'),
        ("select {qi,} 1", 'select "a", "b\'c",  1'),
        ("select 1{,qi}", 'select 1, "a", "b\'c"'),
        ("select {qi:text}", "select ['a', 'b''c']::varchar[]"),
        ("select {respondent:text}", "select 'o\"x'"),
        ("select {names}", "select ['it''s', 'x']::varchar[]"),
        ("limit {k}", "limit 5"),
        ("select {word}", "select 'won''t'"),
        ("select {thing}", "select '[1.5, 2.0]'::DOUBLE[]"),
        ("from {source}", "from tanon_source"),
        ("from {source:relation}", 'from "t"'),
        ("error({function})", "error('tanon.f')"),
        ("select {'a': 1}, {a: 2}", "select {'a': 1}, {a: 2}"),
        ("{if k > 3}yes{else}no{end}!", "yes!"),
        ("{if k > 7}yes{else}no{end}!", "no!"),
        ("{if word is null}none{end}.", "."),
        ("{if k > 3}{if word is null}a{else}b {respondent}{end}{end}", 'b "o""x"'),
        ("{for n in names joined by ';'}{n} {n:name}{end}", "'it''s' \"it's\";'x' \"x\""),
        ("{for n in names joined by ';'}{tanon._beside(n, k)}{end}", "it's of 5;x of 5"),
        ("select 'it''s' -- {nonsense} respondent\nfrom x", "select 'it''s'\nfrom x"),
    ],
)  # fmt: skip
def test_rendering(scratch, body, text):
    assert render(scratch, body) == text


def test_an_empty_list_takes_its_comma_along(scratch):
    assert render(scratch, "select {qi,} 1{,qi}", qi=[]) == "select  1"


def test_what_comes_several_times_is_bound_once(scratch):
    body = "{for n in names joined by ','}{n}{if k > 3}{respondent}{end}{end} "
    body += "{for n in names joined by ';'}"
    body += "{n:name}{end}{if k > 3} {k}{end}"
    expression = text_tree.expression(Template("f", header.parse(COMMENT), body).piece())
    assert expression.count("in names") == 0 and expression.count("k > 3") == 1
    assert render(scratch, body) == '\'it\'\'s\'"o""x",\'x\'"o""x" "it\'s";"x" 5'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("select {uuid}", "{uuid} is no argument"),
        ("select respondent from x", "the bare word respondent: write {respondent}"),
        ("select count(respondent)", "the bare word respondent"),
        ("select '{respondent}'", "a placeholder inside quotes"),
        ('select "{respondent}"', "a placeholder inside quotes"),
        ("select {respondent:nonsense}", "no form of a placeholder"),
        ("{for n in names joined by ', '}{n:beside}{end}", "{n:beside}: write {tanon._beside(n)}"),
        ("select {name}", "{name} is no argument; did you mean 'names'?"),
        ("{if k > 3}yes", "has no {end}"),
        ("yes{end}", "an {end} closes nothing"),
        ("{for n in names joined by ', '}{n}", "has no {end}"),
    ],
)
def test_what_a_body_must_not_do(scratch, body, message):
    with pytest.raises(TemplateError, match=r"tanon\.f: ") as raised:
        render(scratch, body)
    assert message in str(raised.value)


def test_names_behind_a_dot_an_as_or_before_a_default_are_not_arguments(scratch):
    body = "select s.respondent, 1 as k, f(k := 2), \"respondent\", 'respondent'"
    assert render(scratch, body) == body
