"""Conventional releases of series: ranges that k share, tight and tested."""

import duckdb
import numpy as np
import pytest
import series_tables

from oracles import kp_anonymity as slow
from oracles.example_tables import normal_walk
from tanon_duck.secret import held_secret

CALL = (
    "from tanon.publish_series_ranges('t', series_id := 'who', series := 's', k := {}, "
    "sensitive := 'secret', allow_identifying := 'secret', for_owner := true{}) order by all"
)


@pytest.mark.parametrize("method", ["exchange", "halves", "sequential"])
def test_every_range_is_shared_by_k_and_tight(con, method):
    series = normal_walk(150)[:, :4]
    series_tables.load_series(con, series)
    rows = con.execute(CALL.format(7, f", method := '{method}'")).fetchall()
    assert len(rows) == 150
    boxes = {}
    for who, number, low, high, secret in rows:
        assert secret == 1000 - int(who[1:])
        boxes.setdefault((tuple(low), tuple(high)), set()).add((number, int(who[1:])))
    for (low, high), members in boxes.items():
        own = series[[row for _, row in members]]
        assert len(members) >= 7
        assert len({number for number, _ in members}) == 1
        assert (own.min(axis=0) == low).all()
        assert (own.max(axis=0) == high).all()


@pytest.mark.parametrize("method", ["halves", "sequential"])
def test_groups_equal_plain_loops(con, method):
    series = normal_walk(90)[:, :4]
    series_tables.load_series(con, series)
    rows = con.execute(CALL.format(6, f", method := '{method}'")).fetchall()
    order = con.execute(
        "select who from t order by tanon._keyed("
        "tanon._key($1, 'tanon.k_anonymize_series', 'VARCHAR'), who)",
        [held_secret()],
    ).fetchall()
    numbers = [int(w[1:]) for (w,) in order]
    split = {"halves": slow.untorn_halves, "sequential": slow.sequential_halves}[method]
    groups = split(series[numbers].tolist(), list(range(90)), 6)
    expected = sorted(sorted(numbers[i] for i in group) for group in groups)
    found = {}
    for who, number, *_ in rows:
        found.setdefault(number, []).append(int(who[1:]))
    assert sorted(map(sorted, found.values())) == expected


@pytest.mark.parametrize("method", ["exchange", "halves", "sequential"])
def test_ranges_are_narrow_in_the_scale_asked_for(con, method):
    """Positions of other units do not hide a position of small readings."""
    units = 10.0 ** np.array([0, 3, 2, 0])
    series = normal_walk(300)[:, :4] * units
    series_tables.load_series(con, series)
    found = {}
    for scale in ("none", "position"):
        rows = con.execute(CALL.format(8, f", method := '{method}', scale := '{scale}'")).fetchall()
        widths = np.array([np.subtract(high, low) for _, _, low, high, _ in rows])
        found[scale] = widths.mean(axis=0) / series.std(axis=0)
    assert found["position"].mean() < 0.9 * found["none"].mean()
    assert found["position"][1] > found["none"][1]


def test_the_default_is_the_narrowest(con):
    series_tables.load_series(con, normal_walk(400)[:, :6])
    widths = {}
    for method in ("exchange", "halves", "sequential"):
        options = f", method := '{method}'"
        query = f"select avg(tanon.series_value_loss(low, high)) from ({CALL.format(10, options)})"
        widths[method] = con.execute(query).fetchall()[0][0]
    assert widths["exchange"] < 0.97 * widths["halves"] < 0.9 * widths["sequential"]


def test_columns_are_those_that_were_asked_for(con):
    series_tables.load_series(con, normal_walk(20)[:, :3])
    plain = con.execute(
        "from tanon.publish_series_ranges('t', series_id := 'who', series := 's', k := 5)"
    )
    assert [column[0] for column in plain.description] == ["k_group", "low", "high"]
    assert len(plain.fetchall()) == 20


def test_too_few_series_are_refused_and_none_are_fine(con):
    series_tables.load_series(con, np.eye(4))
    with pytest.raises(Exception, match="source must be at least k = 5 series, got 4"):
        con.execute(CALL.format(5, "")).fetchall()
    con.execute("delete from t")
    assert con.execute(CALL.format(5, "")).fetchall() == []


@pytest.mark.parametrize("value", ["[true, false]", "['a', 'b']", "[[1.5]]", "[date '2024-01-01']"])
def test_a_list_of_no_numbers_is_refused_by_its_type(demo_con, value):
    source = f"(select name, {value} as x from incomes)".replace("'", "''")
    with pytest.raises(
        duckdb.Error, match=r"each a column of lists of numbers or a .*, got 'x' of"
    ):
        demo_con.execute(
            f"from tanon.publish_series_ranges('{source}', series_id := 'name', series := 'x', k "
            f":= 2)"
        )
