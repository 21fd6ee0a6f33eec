"""The header of a publication states its arguments; tanon.publish_stream checks the same."""

import inspect
import re
from dataclasses import fields

import duckdb
import pytest
from publication.streams import BEGIN

from tanon_duck import TanonError, cli, new_secret, publication
from tanon_duck.errors import TemplateError
from tanon_duck.macros import jinja_statements
from tanon_duck.publishing import parameters
from tanon_duck.publishing.parameters import Parameters
from tanon_duck.quoting import identifier, literal

SPELLINGS = [
    *(("l", l) for l in (3, 2.5, "5/2", "5 / 2", "1e3", "+3", "1_0", "２", "2.", "12345678901")),  # noqa: E741
    *(("w", w) for w in ("4", 4.0, "４", True)),
    *(("granularity", g) for g in ("2 days", "days", 3)),
    *(("move_cost", mu) for mu in ("2.5*d", "２*d", "1e1*d", "0*d")),
    *(("suppress_cost", beta) for beta in ("3", 2.5, "1_0", "1e1", "nan", 1e300)),
    *(("method", method) for method in ("paper", "Step")),
    ("start", "Stream"),
    *(("lateness", late) for late in ("covered", "Any")),
]


def refused(call):
    """The argument or the table that is refused, None if all goes well."""
    try:
        call()
    except (TanonError, duckdb.Error) as error:
        return re.search(r"(?:tanon\.\w+: |Table with name )(\w+)", str(error))[1]
    return None


@pytest.mark.parametrize(("argument", "value"), SPELLINGS)
def test_every_spelling_is_judged_as_reposition_judges_it(demo_con, argument, value):
    given = {"l": 2, "w": 4} | {argument: value}
    written = ", ".join(
        f"{name} := {literal(v) if isinstance(v, str) else v}" for name, v in given.items()
    )
    call = f"'cases', 'day', 'disease', respondent := 'person', {written}, result := 'summary'"
    call = f"from tanon.publish_stream({call})"
    by_function = refused(lambda: demo_con.execute(call))
    by_publication = refused(lambda: publication(demo_con, "flu", "cases", **(BEGIN | given)))
    assert by_publication == by_function


def test_at_least_a_third_of_the_spellings_is_refused_and_a_third_is_not(demo_con):
    results = [
        refused(lambda: publication(demo_con, f"p{i}", "cases", **(BEGIN | {name: value})))  # noqa: B023
        for i, (name, value) in enumerate(SPELLINGS)
    ]
    assert len(SPELLINGS) / 3 < results.count(None) < len(SPELLINGS) * 2 / 3


def test_the_header_the_signature_and_what_is_kept_name_the_same_arguments():
    header = {a.name for a in parameters.header().arguments}
    assert set(inspect.signature(publication).parameters) - {"con", "name"} == header
    assert {field.name for field in fields(Parameters)} == header - {"secret"}


@pytest.mark.parametrize("name", ["seed", "gamma"])
def test_an_argument_that_there_is_not_is_an_error_of_the_call(demo_con, name):
    with pytest.raises(TypeError, match=name):
        publication(demo_con, "flu", "cases", **BEGIN, **{name: 3})


@pytest.mark.parametrize(
    ("argument", "value"), [("w", "4"), ("l", "2.0"), ("qi", ("age", "district"))]
)
def test_to_go_on_another_spelling_of_the_same_will_do(demo_con, argument, value):
    publication(demo_con, "flu", "cases", **BEGIN)
    assert publication(demo_con, "flu", **{argument: value}).parameters.w == 4


@pytest.mark.parametrize("value", ["x'; drop table cases; --", 3.5, b"x", ["x"]])
def test_text_that_is_not_quoted_stands_in_no_statement(value):
    with pytest.raises(TemplateError, match="filled in with text that is not quoted"):
        jinja_statements.of_text("select {{ value }}", value=value)


def test_what_is_quoted_stands_in_statements_as_it_is():
    filled = jinja_statements.of_text(
        "select {{ a }} as {{ b }}, {{ c }}, {{ d }}, {{ e }}",
        a=literal("it's"),
        b=identifier('"'),
        c=None,
        d=True,
        e=3,
    )
    assert filled == "select 'it''s' as \"\"\"\", null, true, 3"
    assert jinja_statements.of_text("select upper('x')") == "select system.main.upper('x')"


def test_the_secret_is_in_no_statement_no_error_and_no_manifest(demo_con):
    secret = new_secret()
    demo_con.execute("call enable_logging('QueryLog')")
    stream = publication(demo_con, "flu", "cases", **BEGIN, secret=secret)
    stream.advance("2024-04-11")
    stream.finish()
    stream.verify()
    assert len(publication(demo_con, "flu", secret=secret).individuals().fetchall()) > 300
    assert secret not in stream.pair("values")
    run = [text for (text,) in demo_con.execute("select message from duckdb_logs").fetchall()]
    assert any("publish_table_pair" in text for text in run)
    assert any("state_plan" in text for text in run)
    assert not any(secret in text for text in [*run, str(stream.manifest())])
    for spoil in ("alter table flu.released drop age", "update flu.state set secret = 'x'"):
        demo_con.execute(spoil)
        with pytest.raises(duckdb.Error) as error:
            stream.values().fetchall()
            stream.individuals().fetchall()
        assert secret not in str(error.value)


def test_a_function_reads_its_secret_from_a_query(demo_con):
    secret = new_secret()
    demo_con.execute("create table held as select $1 as s", [secret])
    call = (
        "from tanon.publish_table_pair('cases', qi := ['age', 'district'], sensitive := "
        "'disease', l := "
        "2, "
        "result := 'individuals', rows_are_persons := true, secret := {})"
    )
    wanted = demo_con.execute(call.format(literal(secret))).fetchall()
    assert demo_con.execute(call.format("'(select upper(s) from held)'")).fetchall() == wanted
    told = "tanon.publish_table_pair: secret must be"
    for query in ("(select s from held limit 0)", "(select s[:20] from held)"):
        with pytest.raises(duckdb.Error, match=f"{told} a query that gives one") as error:
            demo_con.execute(call.format(literal(query))).fetchall()
        assert secret[:20] not in str(error.value)


def test_help_and_options_come_from_the_header(capsys):
    with pytest.raises(SystemExit):
        cli.main(["stream", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for argument in parameters.header().arguments:
        assert (f"--{argument.name.replace('_', '-')}" in shown) == (argument.name != "secret")
        assert argument.name == "secret" or " ".join(argument.meaning.split()) in shown
