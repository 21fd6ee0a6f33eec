"""The series that a word stands for."""

import pytest

from oracles import sax as slow


def series(con, word, level):
    return con.execute("select tanon.sax_series(?, ?::integer)", [word, level]).fetchall()[0][0]


@pytest.mark.parametrize(("word", "level"), [("abc", 3), ("aabdz", 26), ("a", 1), ("ba", 2)])
def test_letters_become_the_middle_of_their_share(con, word, level):
    assert series(con, word, level) == pytest.approx(slow.reconstruct(word, level))


def test_null_gives_null(con):
    assert series(con, None, 3) is None
    assert series(con, "abc", None) is None


@pytest.mark.parametrize(
    ("word", "level", "message"),
    [
        ("abd", 3, "word must be letters from a to c at level 3"),
        ("aBc", 3, "word must be letters from a to c at level 3"),
        ("a.c", 3, "word must be letters from a to c at level 3"),
        ("abc", 0, r"level must be an integer in \[1, 26\], got 0"),
    ],
)
def test_what_is_no_word_is_refused(con, word, level, message):
    with pytest.raises(Exception, match=rf"tanon\.sax_series: {message}"):
        series(con, word, level)
