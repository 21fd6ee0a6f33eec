"""The suppressed series of tanon.publish_series."""

import numpy as np
import series_tables

from oracles import kp_anonymity as slow
from oracles.example_tables import INCOMES, normal_walk

CALL = (
    "from tanon.publish_series('t', series_id := 'who', series := 's', k := {}, p := {}, "
    "algorithm := 'kapra', result := 'suppressed'{})"
)


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


def test_the_same_scale_leaves_out_the_others(con):
    """With each scale, those published and those left out are everybody, once."""
    size = np.geomspace(1, 9999, 192)[np.random.default_rng(192).permutation(192), None]
    series_tables.load_series(con, normal_walk(192)[:, :5] * size)
    left_out = []
    for scale in ("none", "series"):
        more = f", max_level := 3, scale := '{scale}'"
        published = con.execute(
            f"select who from tanon.publish_series('t', 'who', 's', 5, 2, algorithm := 'kapra', "
            f"for_owner := true{more})"
        ).fetchall()
        left_out.append([who for who, _ in con.execute(CALL.format(5, 2, more)).fetchall()])
        assert sorted([w for (w,) in published] + left_out[-1]) == [f"w{i:04}" for i in range(192)]
    assert left_out == [["w0120"], ["w0092"]]
