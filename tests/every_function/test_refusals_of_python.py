"""What Python refuses is raised by SQL: the sentence of ours, and no word of DuckDB's before it."""

import re
from dataclasses import replace
from functools import wraps
from pathlib import Path

import duckdb
import pytest
from every_function.examples import FUNCTIONS, example

import tanon_duck
from tanon_duck import demo, quoting
from tanon_duck.errors import TanonError
from tanon_duck.macros import catalog
from tanon_duck.udfs import _called_by_duckdb, _registry

# They run while a call is bound, and refuse nothing that the example holds.
WHILE_BOUND = {"any_roles", "declared_roles", "held_secret", "text_of"}
# Whose example asks Python nothing.
ASKED = {
    "report_events": "from tanon.report_events('visits', respondent := 'patient', "
    "qi := ['zip', 'sex'], k := 2, max_suppression := 0.5, queries := 10)"
}
SAID = "tanon.probe: source must be something else, got this"


def _refuses(function):
    """A function of the same signature that refuses everything."""

    @wraps(function.call)
    def refused(*columns):
        raise TanonError(SAID)

    inner = re.fullmatch(r"STRUCT\(answer (.*), refused VARCHAR\)", function.returns)
    return replace(function, call=_called_by_duckdb(refused, inner[1]))


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    """A connection to the demo's tables whose Python functions refuse everything."""
    path = tmp_path_factory.mktemp("refusing") / "demo.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    known = tuple(f if f.name in WHILE_BOUND else _refuses(f) for f in _registry.load())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_registry, "load", lambda: known)
        con = tanon_duck.connect(path)
    with con:
        yield con


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if catalog.function(n).needs_python])
def test_a_refusal_is_the_sentence_alone(refusing, name):
    with pytest.raises(duckdb.InvalidInputException) as raised:
        refusing.execute(ASKED.get(name, example(name))).fetchall()
    assert str(raised.value).split("\n")[0] == f"Invalid Input Error: {SAID}"


def test_every_call_of_python_is_asked_for_its_refusal():
    """In the SQL of all functions and steps, and in what is made for the roles and the secret."""
    calls = 0
    folders = catalog.sql_root(), Path(tanon_duck.__file__).parent
    for path in sorted(path for folder in folders for path in folder.rglob("*.sql")):
        code = quoting.without_comments(path.read_text())
        for name in _registry.called_in(code):
            asked = rf"tanon\._answer\(\s*tanon_{name}\("
            found = re.findall(rf"\btanon_{name}\(", code)
            assert len(found) == len(re.findall(asked, code)), f"{path.name}: {name}"
            calls += len(found)
    assert calls > 30


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select tanon.sax([1, 2, null], 3)", "tanon.sax: series must be finite readings, got 1 "),
        ("select tanon.z_normalize([1])", "tanon.z_normalize: series must be at least 2 readings"),
        (
            "from tanon.publish_stream('cases', ts := 'day', sensitive := 'disease', l := 2, w "
            ":= 4, "
            "suppress_cost := 0)",
            "tanon.publish_stream: suppress_cost must be ",
        ),
        (
            "from tanon.frequent_itemsets('(select 1 as t, range(40) as i from range(3))', "
            "transaction := 't', item := 'i', min_support := 1)",
            "tanon.frequent_itemsets: ",
        ),
    ],
)
def test_what_the_user_reads(demo_con, sql, said):
    with pytest.raises(duckdb.InvalidInputException) as raised:
        demo_con.execute(sql).fetchall()
    assert str(raised.value).startswith(f"Invalid Input Error: {said}")


def test_of_a_closed_connection_too(tmp_path):
    con = tanon_duck.connect(tmp_path / "v.duckdb")
    demo.create_tables(con)
    other = con.cursor()
    con.close()
    with pytest.raises(duckdb.Error) as raised:
        other.execute("from tanon.k_anonymity('visits', respondent := 'patient')").fetchall()
    assert "Python exception" not in str(raised.value)
