"""The plugin in a pytest of its own, and the same assertions without it."""

import re
import subprocess
import sys

import pytest

from tanon_duck import testing
from tanon_duck.checking import running
from tanon_duck.errors import TanonError

TESTS = """
import duckdb
import pytest
from tanon_duck import demo

@pytest.fixture
def con():
    with duckdb.connect() as connection:  # a plain one: the plugin brings the functions
        demo.create_tables(connection)
        yield connection

def test_holds(con, tanon):
    assert tanon.assert_k_anonymous(con, "visits", respondent="patient", qi=["zip"], k=26).holds
    tanon.assert_no_k_anonymity_violations(con, "visits", respondent="patient", qi="sex", k=5)

def test_fails(con, tanon):
    qi = ["zip", "age"]
    tanon.assert_no_k_anonymity_violations(con, "visits", respondent="patient", qi=qi, k=2)

def test_mistaken(con, tanon):
    tanon.assert_k_anonymous(con, "visits", respondent="patient", qi="zpi", k=2)

def test_policy(con, tanon):
    check = {"function": "k_anonymity", "relation": "visits", "respondent": "patient", "qi": "zip"}
    tanon.assert_policy(con, {"check": [check | {"k": 26}]})
    tanon.assert_policy(con, {"check": [check | {"k": 27}]})
"""


def run(folder, *words):
    (folder / "test_release.py").write_text(TESTS)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "test_release.py", *words],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    return ran.stdout


def test_failures_are_read_in_the_log_and_hold_no_values(tmp_path):
    said = run(tmp_path)
    assert "3 failed, 1 passed" in said
    assert "tanon.k_anonymity_violations does not hold: frequency 1 (>= 2), 124 rows" in said
    assert "124 rows, not shown" in said
    assert "tanon.k_anonymity: qi must be columns of source" in said
    assert "k_anonymity of visits by zip: does not hold: gen_m 26 (>= 27)" in said
    assert not re.search(r"\b100\d\d\b", said)
    assert "testing.py" not in re.sub(r"tanon_duck/testing.py:\d+: TanonError", "", said)


def test_values_are_shown_where_they_are_asked_for(tmp_path):
    assert re.search(r"zip = 1\d+, age = \d+, frequency = 1", run(tmp_path, "--tanon-values"))


def test_an_empty_table_is_an_error_unless_it_may_be_empty(demo_con):
    promise = {"respondent": "patient", "qi": ["sex"], "k": 2}
    assert testing.assert_k_anonymous(demo_con, "visits", min_rows=450, **promise).holds
    with pytest.raises(TanonError, match="must be a relation with min_rows"):
        testing.assert_k_anonymous(demo_con, "visits", min_rows=451, **promise)
    demo_con.execute("delete from visits")
    with pytest.raises(TanonError, match="must be a relation with a row"):
        testing.assert_k_anonymous(demo_con, "visits", **promise)
    assert testing.assert_k_anonymous(demo_con, "visits", allow_empty=True, **promise).holds


def test_every_check_has_an_assertion(demo_con):
    assert set(testing.names().values()) == set(running.checks())
    assert set(testing.names()) <= set(dir(testing)) & set(dir(testing.Assertions()))
    testing.assert_l_diverse(demo_con, "visits", groups="sex", sensitive="diagnosis", l=2)
    testing.assert_kp_anonymous(demo_con, "published_incomes", k=12, p=6, sensitive="charity")
    with pytest.raises(AssertionError, match=r"(?s)max_l .* rows, not shown"):
        testing.assert_l_diverse(demo_con, "cases", groups="day", sensitive="disease", l=2)
    with pytest.raises(TanonError, match="did you mean"):
        testing.assert_l_diverse(demo_con, "cases", groups="dya", sensitive="disease", l=2)
    with pytest.raises(AttributeError, match="did you mean 'assert_l_diverse'"):
        testing.assert_l_divers  # noqa: B018 - there is none
