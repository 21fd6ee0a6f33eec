"""Pattern loss through SQL against all pairs."""

import pytest

from oracles import sax as slow
from oracles.example_tables import random_series


def loss(con, series, word, level):
    query = "select tanon.series_pattern_loss(?, ?, ?::integer)"
    return con.execute(query, [series, word, level]).fetchall()[0][0]


@pytest.mark.parametrize("level", [1, 2, 5])
def test_equals_all_pairs(con, level):
    rows = random_series("integer", 15, 5, seed=6).tolist()
    for row, other in zip(rows, rows[1:] + rows[:1], strict=True):
        word = slow.word(other, level)
        expected = slow.pattern_loss(row, word, level)
        assert loss(con, row, word, level) == pytest.approx(expected, abs=1e-9)


def test_null_gives_null_and_wrong_words_are_refused(con):
    assert loss(con, None, "ab", 2) is None
    assert loss(con, [1.0, 2.0], None, 2) is None
    with pytest.raises(Exception, match="word must be one letter for each reading, got 3 letters"):
        loss(con, [1.0, 2.0], "abc", 3)
    with pytest.raises(Exception, match="word must be letters from a to b at level 2"):
        loss(con, [1.0, 2.0], "ac", 2)
