"""Similar patterns against the cosine of all pairwise differences, row by row."""

import pytest
import series_tables

from oracles.query_answers import distance, rebuilt


@pytest.fixture
def published(con):
    series = series_tables.walks(120, 5, 9)
    return series_tables.load(con, series, [0] * 120, keep_id=True)


def similar(con, series, tolerance):
    rows = con.execute(
        f"select id, distance from tanon.similar_series('released', {series}, {tolerance})"
    ).fetchall()
    return dict(rows)


@pytest.mark.parametrize("series", [[1, 2, 3, 4, 5], [3, 1, 0.5, 1, 4], [2, 2, 2, 2, 2]])
@pytest.mark.parametrize("tolerance", [0, 0.3, 1, 2])
def test_equals_the_definition(con, published, series, tolerance):
    wanted = {row["id"]: distance(rebuilt(row["word"], row["level"]), series) for row in published}
    got = similar(con, series, tolerance)
    assert set(got) == {i for i, d in wanted.items() if d <= tolerance + 1e-9}
    assert all(got[i] == pytest.approx(wanted[i], abs=1e-9) for i in got)
    assert all(d >= 0 for d in got.values())


BAD = [
    ("[1, 2]", "0.5", "series must be 5 numbers, got 2"),
    ("[1, 2, 3, 4, null]", "0.5", "series must be a list of two or more finite numbers"),
    ("[1, 2, 3, 4, 'inf'::double]", "0.5", "series must be a list of two or more finite"),
    ("[]", "0.5", "series must be a list of two or more finite numbers"),
    ("[1, 2, 3, 4, 5]", "2.5", r"tolerance must be a number in \[0, 2\], got 2.5"),
    ("[1, 2, 3, 4, 5]", "null", "tolerance must be"),
]


@pytest.mark.parametrize(("series", "tolerance", "message"), BAD)
def test_wrong_arguments(con, published, series, tolerance, message):
    with pytest.raises(Exception, match=f"tanon.similar_series: {message}"):
        similar(con, series, tolerance)


def test_withheld_letters_are_refused_not_dropped(con, published):
    con.execute("update released set word = '.' || word[2:] where p_group = 1")
    with pytest.raises(Exception, match=r"release must have whole words, got \.[a-z]+; see"):
        similar(con, [1, 2, 3, 4, 5], 2)


@pytest.mark.parametrize(("word", "level"), [("aaaac", 2), ("aaaaA", 3), ("aaaaa", 27)])
def test_letters_that_the_level_does_not_have_are_refused(con, published, word, level):
    con.execute(f"update released set word = '{word}', level = {level} where id = 7")
    with pytest.raises(Exception, match=f"letters of their level, got {word} at level {level}"):
        similar(con, [1, 2, 3, 4, 5], 2)


def test_no_row(con, published):
    con.execute("delete from released")
    assert similar(con, [1, 2, 3], 1) == {}
