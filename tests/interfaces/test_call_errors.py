"""DuckDB's errors about calls of ours, in our words: at the prompt and from ``tanon_duck.sql``."""

from io import StringIO

import duckdb
import pytest

import tanon_duck
from tanon_duck import quoting
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.call_errors import explained
from tanon_duck.interfaces.sql_prompt import run_shell

SENTENCES = {
    "from tanon.k_anonymity('visits', quasi := ['zip'], respondent := 'patient')": (
        "tanon.k_anonymity: arguments must be some of source, respondent, qi, ts, granularity, "
        "calendar, "
        "tz, k, got quasi"
    ),
    "from tanon.k_anonymity('visits', 'patient', qqi := 'zip')": "got qqi; did you mean 'qi'?",
    "from tanon.k_anonymity('visits', qi := ['zip'])": (
        "tanon.k_anonymity: respondent must be given or declared for visits, got neither: "
        "tanon.set_roles "
        "gives a column the role respondent"
    ),
    "from tanon.k_anonymity()": "tanon.k_anonymity: source is missing: the table",
    "from TANON.K_ANONYMITY('a', 'b', 'c', 'd', 'e', null, null, 2, 3)": (
        "tanon.k_anonymity takes at most 8 arguments, got 9"
    ),
    "from tanon.k_anonymity('visits', respondent = 'patient', qi := ['zip'])": (
        "tanon.k_anonymity: respondent must be a column of source, got false; arguments are "
        "named by :=, "
        "not by ="
    ),
    "from tanon.k_anonymity(source='visits', respondent='patient', qi=['zip'])": (
        "source must be named by :=, as in source := ..., got ="
    ),
    "from tanon.k_anonimity('visits', 'patient', 'zip')": (
        "there is no function tanon.k_anonimity; did you mean 'k_anonymity'?"
    ),
    "select tanon.k_anonymity('visits', 'patient', 'zip')": (
        "tanon.k_anonymity gives rows: write from tanon.k_anonymity(...)"
    ),
    "from tanon.granule_label(date '2024-01-01', 'week')": (
        "tanon.granule_label is an expression: write select tanon.granule_label(...)"
    ),
    "select tanon.sax([1, 2, 3], 2, foo := 3)": "tanon.sax: arguments must be some of series",
    "select tanon.granule_label(date '2024-01-01')": "tanon.granule_label: granularity is missing",
    "from tanon.help('nosuch')": (
        "tanon.help: there is no function tanon.nosuch; from tanon.help() lists all"
    ),
}


@pytest.mark.parametrize("statement", SENTENCES)
def test_the_prompt_says_it_in_one_sentence(demo_con, statement):
    errors = StringIO()
    run_shell(demo_con, input=StringIO(statement + ";\n"), output=StringIO(), errors=errors)
    said = errors.getvalue()
    assert SENTENCES[statement] in said
    assert len(said.splitlines()) == 1


def test_errors_that_are_not_about_us_stay_as_they_are(demo_con):
    for statement in ("from nowhere", "select no_such(1)", "from no_such(1)", "select"):
        with pytest.raises(duckdb.Error) as raised:
            demo_con.execute(statement)
        assert explained(raised.value, statement) is None
    assert explained(TanonError("x"), "from tanon.k_anonymity()") is None


def test_sql_names_what_is_missing_or_unknown():
    with pytest.raises(TanonError, match=r"^tanon\.k_anonymity: respondent must be given or decl"):
        tanon_duck.sql("k_anonymity", source="visits")
    with pytest.raises(TanonError, match="got respndent; did you mean 'respondent'"):
        tanon_duck.sql("k_anonymity", source="visits", respndent="patient")


def test_arguments_are_taken_apart_at_their_own_commas():
    text = "f('a, (b', [1, 2], {'x': (1, 2)}, n := g(3, 4)) more, text"
    assert quoting.arguments(text, 2)[0] == ["'a, (b'", "[1, 2]", "{'x': (1, 2)}", "n := g(3, 4)"]
    assert quoting.arguments("f()", 2) == ([], 3)
