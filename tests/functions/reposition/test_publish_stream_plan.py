"""Flows in counts, against the record-level greedy."""

import random
from fractions import Fraction

import duckdb
import pytest

from oracles.record_relay import RecordRelay

VALUES = ["a", "b", "c", None]


def fill(con, stream):
    con.execute("create or replace table t (tm integer, s varchar)")
    rows = [
        (t, VALUES[v])
        for t, counts in enumerate(stream)
        for v, n in counts.items()
        for _ in range(n)
    ]
    con.executemany("insert into t values (?, ?)", rows)


@pytest.mark.parametrize("seed", range(12))
def test_flows_of_a_stream(con, seed):
    rng = random.Random(seed)
    stream = [{v: n for v in range(4) if (n := rng.randint(-1, 4)) > 0} for _ in range(9)]
    stream[0], stream[-1] = stream[0] or {0: 1}, stream[-1] or {1: 1}
    fill(con, stream)
    l, w = Fraction(rng.choice(["2", "3", "5/2"])), rng.randint(1, 5)  # noqa: E741
    oracle = RecordRelay(l, w, [d * d for d in range(w + 1)], [9] * 4)
    wanted = {}
    for now, counts in enumerate(stream):
        oracle.step(now, counts)
        wanted = {cell: n for cell, n in wanted.items() if last_seen(cell) <= now - w}
        wanted |= oracle.cells()
    found = con.execute(
        "from tanon.publish_stream('t', ts := 'tm', sensitive := 's', move_cost := 'd^2', "
        "suppress_cost := 9, "
        f"l := '{l}', w := {w}, rows_are_persons := true, result := 'plan')"
    ).fetchall()
    assert {(VALUES.index(s), day, to): n for s, day, to, n, _ in found} == wanted
    assert len(found) == len(wanted)


def last_seen(cell):
    """The slot that a flow goes to, or its home if it is suppressed."""
    return cell[1] if cell[2] is None else cell[2]


def spelt(con):
    """Values that a collation takes for one: skewed on day 0, and balanced by day 1."""
    con.execute("create table t (tm integer, s varchar collate nocase)")
    con.execute("insert into t values (0, 'a'), (0, 'A'), (1, 'B'), (1, 'b')")


def test_values_of_a_collation_are_one(con):
    spelt(con)
    found = con.execute(
        "select lower(s), tm, published_ts, records "
        "from tanon.publish_stream('t', 'tm', 's', 2, 2, rows_are_persons := true, "
        "result := 'plan') order by all"
    ).fetchall()
    assert found == [("a", 0, 1, 2), ("b", 1, 1, 2)]


def test_rows_of_a_collation_go_as_planned(con):
    spelt(con)
    call = "from tanon.publish_stream('t', 'tm', 's', 2, 2, rows_are_persons := true)"
    assert con.execute(call).fetchall() == [(1, "A"), (1, "a"), (1, "B"), (1, "b")]


@pytest.mark.parametrize("result", ["plan", "summary"])
def test_one_value_alone_balances_nothing(con, result):
    spelt(con)
    call = f"'t', 'tm', 's', 1, 2, rows_are_persons := true, result := '{result}'"
    with pytest.raises(
        duckdb.Error, match=r"tanon\.publish_stream: l must be a rational number greater"
    ):
        con.execute(f"from tanon.publish_stream({call})")


def test_time_is_the_first_instant_of_a_snapshot(con):
    con.execute("create table t (tm timestamp, s int)")
    con.execute("insert into t values ('2024-01-01 10:30', 1), ('2024-01-01 12:59', 2)")
    found = con.execute(
        "select tm::varchar, published_ts::varchar, records from tanon.publish_stream("
        "'t', 'tm', 's', 2, 3, granularity := 'hour', rows_are_persons := true, "
        "result := 'plan') order by tm"
    ).fetchall()
    assert found == [
        ("2024-01-01 10:00:00", "2024-01-01 12:00:00", 1),
        ("2024-01-01 12:00:00", "2024-01-01 12:00:00", 1),
    ]
