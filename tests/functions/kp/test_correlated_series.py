"""Conditions on reconstructed series against evaluating them in Python."""

import pytest
import series_tables

from oracles.query_answers import rebuilt
from tanon_duck.algorithms import sax


def matching(con, *predicates):
    listed = ", ".join("'" + p.replace("'", "''") + "'" for p in predicates)
    rows = con.execute(
        f"select id, reconstructed from tanon.correlated_series('released', [{listed}])"
    ).fetchall()
    return dict(rows)


@pytest.fixture
def published(con):
    series = series_tables.walks(150, 5, 7)
    return series_tables.load(con, series, [0] * 150, keep_id=True, highest=6)


def test_differences_and_any_other_expression(con, published):
    values = {row["id"]: rebuilt(row["word"], row["level"]) for row in published}
    got = matching(con, "series[5] - series[1] between 0.5 and 2", "series[2] < series[3]")
    wanted = {i for i, v in values.items() if 0.5 <= v[4] - v[0] <= 2 and v[1] < v[2]}
    assert set(got) == wanted
    assert 0 < len(wanted) < len(values)
    assert all(got[i] == pytest.approx(values[i]) for i in got)
    peak = matching(con, "list_max(series) = series[3] and list_min(series) < 0")
    assert set(peak) == {i for i, v in values.items() if max(v) == v[2] and min(v) < 0}


def test_reconstruction_equals_that_of_the_algorithm_at_every_level(con):
    for level in range(1, 27):
        word = "".join(chr(ord("a") + letter) for letter in range(level))
        got = con.execute(
            "select reconstructed from tanon.correlated_series("
            f"'(select [0.0] as low, [0.0] as high, ''{word[:1]}'' as word, {level} as level)', "
            "['true'])"
        ).fetchall()
        assert len(got) == 1
        direct = con.execute(f"select tanon._rebuilt('{word}', {level})").fetchall()[0][0]
        assert direct == sax.letter_values(level).tolist()
    beyond = con.execute("select tanon._rebuilt('ac.', 2)").fetchall()[0][0]
    assert beyond == [sax.letter_values(2)[0], None, None]


def test_withheld_letters_match_nothing(con, published):
    con.execute("update released set word = '.' || word[2:]")
    assert matching(con, "series[1] < 99") == {}
    assert len(matching(con, "series[2] < 99")) == len(published)


@pytest.mark.parametrize(
    "predicates",
    [
        *("[]", "null", "['x', 'x']", "''", "3", "[[1]]", "{'a': 1}", "map {'a': [1]}"),
        *("interval 1 day", "date '2024-01-01'"),
    ],
)
def test_wrong_predicates(con, published, predicates):
    with pytest.raises(Exception, match="predicates must be a list of SQL conditions"):
        con.execute(f"from tanon.correlated_series('released', {predicates})").fetchall()


def test_a_taken_column_is_refused(con, published):
    with pytest.raises(Exception, match="without columns reconstructed, got one with reconstr"):
        con.execute(
            "from tanon.correlated_series('(select *, 1 as reconstructed from released)', ['true'])"
        ).fetchall()


def test_one_statement_cannot_become_two(con, published):
    with pytest.raises(Exception, match="Parser Error"):
        matching(con, "true); drop table released; select (1")
    assert con.execute("select count(*) from released").fetchall() == [(len(published),)]
