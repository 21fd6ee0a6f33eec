"""Width of envelopes."""

import pytest

from oracles import sax as slow
from oracles.example_tables import random_series


def test_equals_plain_loops(con):
    low = random_series("walk", 10, 5, seed=4)
    high = low + abs(random_series("walk", 10, 5, seed=5))
    for one, other in zip(low.tolist(), high.tolist(), strict=True):
        found = con.execute("select tanon.series_value_loss(?, ?)", [one, other]).fetchall()[0][0]
        assert found == pytest.approx(slow.value_loss(one, other))


def test_whole_numbers_null_and_other_lengths(con):
    found = con.execute(
        "select tanon.series_value_loss([1, 2], [4, 6]), tanon.series_value_loss(null, [1])"
    )
    assert found.fetchall() == [(12.5**0.5, None)]
    with pytest.raises(
        Exception, match=r"tanon\.series_value_loss: high must be as long as low, 1"
    ):
        con.execute("select tanon.series_value_loss([1], [1, 2])").fetchall()


@pytest.mark.parametrize(
    ("low", "high", "loss"),
    [
        ("[9007199254740993]", "[9007199254740992]", 1),
        ("[-9223372036854775808]", "[9223372036854775807]", 2.0**64),
        ("[-1e200]", "[1e200]", 2e200),
        ("[-1e308, 0]", "[1e308, 1]", 2**0.5 * 1e308),
        ("[-1e308, 1e-300]", "[5e307, 2e-300]", 1.5e308 / 2**0.5),
        ("[-1e308]", "[1e308]", float("inf")),
        ("[0.0::double, 0]", "[3e-200::double, 4e-200]", 5e-200 / 2**0.5),
        ("[0.0::double]", "[5e-324::double]", 5e-324),
        ("[1.5, null]", "[1.5, 2]", 0),
    ],
)
def test_no_width_is_too_large_or_small(con, low, high, loss):
    ((found,),) = con.execute(f"select tanon.series_value_loss({low}, {high})").fetchall()
    assert found == pytest.approx(loss, rel=1e-14)


@pytest.mark.parametrize("value", ["['a']", "[date '2024-01-01']", "[[1]]", "[true]", "'a'", "1"])
def test_what_is_no_list_of_numbers_is_refused(value, con):
    said = r"tanon\.series_value_loss: low and high must be lists of numbers, got "
    for low, high in ((value, value), (value, "[1]"), ("[1]", value)):
        with pytest.raises(Exception, match=said):
            con.execute(f"select tanon.series_value_loss({low}, {high})").fetchall()
