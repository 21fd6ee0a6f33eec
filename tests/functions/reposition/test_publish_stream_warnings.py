"""The warnings of tanon.publish_stream against the plan read record by record."""

import random

import pytest

from oracles import warned

GIVEN = "'t', ts := 'day', sensitive := 's', l := 2, w := 3, rows_are_persons := true"


def told(con, rows, more=""):
    con.execute("create or replace table t (day integer, s varchar)")
    if rows:
        con.executemany("insert into t values (?, ?)", rows)
    found = con.execute(
        f"select warning, records, share from tanon.publish_stream({GIVEN}{more}, result := "
        f"'warnings')"
    ).fetchall()
    plan = con.execute(
        "select s, day, published_ts, records "
        f"from tanon.publish_stream({GIVEN}{more}, result := 'plan')"
    ).fetchall()
    return {name: (n, share) for name, n, share in found}, warned.stream(plan)


@pytest.mark.parametrize("more", ["", ", lateness := 'covered'", ", method := 'paper'"])
@pytest.mark.parametrize("seed", range(5))
def test_as_record_by_record(con, seed, more):
    draw = random.Random(seed)
    values = [None, "flu", "flu", "flu", "cold", "gout"]
    rows = [(draw.randrange(9) - 4, draw.choice(values)) for _ in range(30 + 20 * seed)]
    found, wanted = told(con, rows, more)
    assert found == {n: (rows, pytest.approx(float(s))) for n, (rows, s) in wanted.items()}


def test_a_balanced_stream_promises_what_it_promises(con):
    found, _ = told(con, [(day, v) for day in range(4) for v in "aabb"])
    assert found == {"best guess": (16, 0.5)}


def test_who_knows_the_true_day_is_sure_unless_the_late_are_covered(con):
    # Three of a and one of b: two of a cannot stay, and no other value goes with them.
    rows = [(0, "a"), (0, "a"), (0, "a"), (0, "b"), (1, "b"), (1, "b"), (1, "a")]
    found, _ = told(con, rows)
    assert found["true day of the late"][1] == 1
    found, _ = told(con, rows, ", lateness := 'covered'")
    assert not [name for name in found if name.startswith("true day")]


def test_what_vanishes_is_told(con):
    found, _ = told(con, [(0, "a"), (5, "b"), (5, "c"), (9, "d")])
    assert found["snapshots lost"] == found["values lost"] == (2, 0.5)
    assert found["suppressed"] == (2, 0.5)


def test_an_empty_stream(con):
    assert told(con, []) == ({}, {})
