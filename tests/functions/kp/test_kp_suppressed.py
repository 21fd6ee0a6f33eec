"""Which series a release leaves out."""

import series_tables

from oracles import kp_anonymity as slow
from oracles.example_tables import INCOMES, normal_walk

CALL = "from tanon.kp_suppressed('t', id := 'who', series := 's', k := {}, p := {}{})"


def test_the_sixth_income_has_no_partner_at_level_two(con):
    series_tables.load_series(con, INCOMES[:, :6])
    (row,) = con.execute(CALL.format(4, 2, ", max_level := 2")).fetchall()
    assert row[0] == "w0005"
    assert row[1].startswith("fewer than P = 2 series agree with its word at any level: only 1 ")
    assert con.execute(CALL.format(4, 2, "")).fetchall() == []


def test_equals_plain_loops(con):
    seen = 0
    for n in range(24, 34, 2):
        series = normal_walk(n)[:, :5]
        series_tables.load_series(con, series)
        _, _, expected = slow.kapra(series.tolist(), 5, 2, 10)
        found = con.execute(CALL.format(5, 2, "")).fetchall()
        assert [int(who[1:]) for who, _ in found] == expected
        seen += len(expected)
    assert seen > 0


def test_a_table_that_kapra_cannot_publish_loses_nobody(con):
    rising_and_falling = [[1, 2, 3], [2, 3, 4], [3, 4, 5], [5, 4, 1]]
    series_tables.load_series(con, rising_and_falling)
    assert con.execute(CALL.format(4, 2, "")).fetchall() == []
