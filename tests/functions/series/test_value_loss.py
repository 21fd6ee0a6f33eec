"""Width of envelopes."""

import pytest

from oracles import sax as slow
from oracles.example_tables import random_series


def test_equals_plain_loops(con):
    low = random_series("walk", 10, 5, seed=4)
    high = low + abs(random_series("walk", 10, 5, seed=5))
    for one, other in zip(low.tolist(), high.tolist(), strict=True):
        found = con.execute("select tanon.value_loss(?, ?)", [one, other]).fetchall()[0][0]
        assert found == pytest.approx(slow.value_loss(one, other))


def test_whole_numbers_null_and_other_lengths(con):
    found = con.execute("select tanon.value_loss([1, 2], [4, 6]), tanon.value_loss(null, [1])")
    assert found.fetchall() == [(12.5**0.5, None)]
    with pytest.raises(Exception, match=r"tanon\.value_loss: high must be as long as low, 1"):
        con.execute("select tanon.value_loss([1], [1, 2])").fetchall()
