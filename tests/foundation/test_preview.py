"""The rendered SQL, compared with files that are read in review."""

from pathlib import Path

import duckdb
import pytest

import tanon_duck
from tanon_duck import TanonError

GOLDEN = Path(__file__).parent / "golden"
CALLS = {
    "plain_names": ("k_anonymity", {"source": "visits", "uid": "patient", "qi": ["zip", "sex"]}),
    "hostile_names": (
        "k_anonymity_violations",
        {"source": 's."a.b""c"', "uid": "o'x\"", "qi": ["x; drop table y", "{k}"], "k": 5},
    ),
    "a_query": (
        "frequency_set",
        {"source": "(select * from visits)", "uid": "patient", "qi": ["sex"]},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_golden(name):
    function, arguments = CALLS[name]
    assert tanon_duck.sql(function, **arguments) == (GOLDEN / f"{name}.sql").read_text()


def test_the_text_gives_the_rows_of_the_call(demo_con):
    text = tanon_duck.sql("frequency_set", source="visits", uid="patient", qi=["zip", "age"])
    call = "from tanon.frequency_set('visits', 'patient', ['zip', 'age'])"
    assert sorted(duckdb_rows(text)) == sorted(demo_con.execute(call).fetchall())


def test_of_an_expression_it_is_the_sql_that_stands_for_it():
    assert duckdb_rows("select " + tanon_duck.sql("version")) == [(tanon_duck.__version__,)]


def duckdb_rows(text):
    """Rows of the text in a database that knows nothing of tanon."""
    from tanon_duck import demo

    with duckdb.connect() as con:
        demo.create_tables(con)
        return con.execute(text).fetchall()


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("k_anonimity", {}, r"no function tanon\.k_anonimity; did you mean 'k_anonymity'"),
        ("k_anonymity", {"sorce": "t"}, r"got sorce; did you mean 'source'"),
        (
            "k_anonymity",
            {"source": "t", "uid": "u", "qi": []},
            r"^tanon\.k_anonymity: qi must be columns of source, none twice, got \[\]$",
        ),
    ],
)
def test_wrong_calls(function, arguments, message):
    with pytest.raises(TanonError, match=message):
        tanon_duck.sql(function, **arguments)
