"""Losses of a release against plain loops."""

import pytest
import series_tables

from oracles import sax as slow
from oracles.example_tables import normal_walk

LOSS = "from tanon.series_loss('r', 't', series_id := 'who', series := 's')"


@pytest.fixture
def released(con):
    series_tables.load_series(con, normal_walk(70)[:, :5])
    con.execute(
        "create table r as from tanon.publish_series('t', series_id := 'who', series := 's', k "
        ":= 6, "
        "p := 3, for_owner := true)"
    )
    return con


def test_equals_plain_loops_and_counts_the_suppressed(released):
    released.execute("delete from r where who in ('w0003', 'w0004')")
    series = normal_walk(70)[:, :5].tolist()
    rows = released.execute("select who, low, high, word, level from r").fetchall()
    values = [slow.value_loss(low, high) for _, low, high, _, _ in rows]
    patterns = [slow.pattern_loss(series[int(w[1:])], word, n) for w, _, _, word, n in rows]
    records, suppressed, value, pattern = released.execute(LOSS).fetchall()[0]
    assert records == len(rows)
    assert records + suppressed == 70
    assert value == pytest.approx(sum(values) / len(values))
    assert pattern == pytest.approx(sum(patterns) / len(patterns))


def test_nothing_published_has_no_loss(released):
    released.execute("delete from r")
    assert released.execute(LOSS).fetchall() == [(0, 70, None, None)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("update r set who = 'nobody' where who = 'w0001'", "each series once, got 1 other rows"),
        ("insert into r from r where who = 'w0001'", "each series once, got 1 other rows"),
        ("alter table r drop column who", "series_id must be a column of .*release"),
        ("update t set s = s[:3] where who = 'w0001'", "series must be of one length"),
    ],
)
def test_tables_that_do_not_fit_are_refused(released, spoil, message):
    released.execute(spoil)
    with pytest.raises(Exception, match=rf"tanon\.series_loss: .*{message}"):
        released.execute(LOSS).fetchall()
