"""Shares of totals against sums in Python, exact as fractions."""

import random
from fractions import Fraction

import duckdb
import pytest


def dominated(rows, share, n):
    """Groups whose n largest contributors hold more than the share: who, region, load."""
    loads = {}
    for who, region, load in rows:
        group = loads.setdefault(region, {})
        group[who] = group.get(who, Fraction(0)) + (Fraction(load) if load is not None else 0)
    for region, group in loads.items():
        parts = sorted(map(abs, group.values()), reverse=True)
        total, largest = sum(parts), sum(parts[:n])
        if largest > Fraction(share) * total:
            yield region, len(parts), float(total), float(largest)


def create(con, rows):
    con.execute("create or replace table loads (who varchar, region varchar, load decimal(18, 2))")
    con.executemany("insert into loads values (?, ?, ?)", rows)


@pytest.mark.parametrize("seed", range(6))
def test_the_groups_that_few_dominate(con, seed):
    rng = random.Random(seed)
    rows = [
        (f"w{rng.randrange(9)}", rng.choice(["a", "b", None]), rng.choice([0, 1, 2, 5, 40, -3]))
        for _ in range(rng.choice([1, 30, 80]))
    ]
    create(con, rows)
    for share, n in (("0.25", 1), ("0.5", 1), ("0.75", 2), ("0.5", 3)):
        found = con.execute(
            "select region, respondents, total, largest "
            "from tanon.dominated_total_violations('loads', 'who', 'region', 'load', $share, n "
            ":= $n)",
            {"share": float(share), "n": n},
        ).fetchall()
        assert sorted(found, key=repr) == sorted(dominated(rows, share, n), key=repr)


def test_exactly_the_share_is_allowed(con):
    create(con, [(f"w{i}", "a", 25) for i in range(4)])
    call = "from tanon.dominated_total_violations('loads', 'who', 'region', 'load', $share)"
    assert con.execute(call, {"share": 0.25}).fetchall() == []
    assert con.execute(call, {"share": 0.2499}).fetchall() == [("a", 4, 100.0, 25.0, 0.25)]


def test_in_granules_of_time(con):
    con.execute(
        "create table loads as select range % 3 as who, range as load, "
        "timestamp '2024-01-01' + interval (range) day as t from range(90)"
    )
    found = con.execute(
        "select t, respondents from tanon.dominated_total_violations('loads', 'who', [range], "
        "'load', "
        "0.334, ts := 't', granularity := 'month') order by all".replace(
            "[range]", "['x']"
        ).replace("'loads'", "'(select *, 1 as x from loads)'")
    ).fetchall()
    wanted = con.execute(
        "with parts as (select strftime(t, '%Y-%m') as m, who, sum(load) as part from loads "
        "group by all) select m, count(*) from parts group by m "
        "having max(part) > 0.334 * sum(part) order by all"
    ).fetchall()
    assert found == wanted != []


def test_sums_are_the_same_in_any_order(con):
    rng = random.Random(1)
    values = [rng.uniform(-1, 1) * 10 ** rng.randrange(12) for _ in range(400)]
    found = set()
    for _ in range(3):
        rng.shuffle(values)
        con.execute("create or replace table loads (who varchar, region varchar, load double)")
        con.executemany("insert into loads values ('w', 'a', ?)", [(v,) for v in values])
        found |= set(
            con.execute(
                "from tanon.dominated_total_violations('loads', 'who', 'region', 'load', 0.5)"
            ).fetchall()
        )
    assert len(found) == 1


def test_what_is_no_number_dominates(con):
    con.execute(
        "create table loads as select unnest(['a', 'b']) as who, 'x' as region, "
        "unnest(['NaN'::double, 1]) as load"
    )
    call = (
        "select count(*) from tanon.dominated_total_violations('loads', 'who', 'region', "
        "'load', 0.9)"
    )
    assert con.execute(call).fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("'who', 'region', 'region', 0.5", "value must be a numeric column of source"),
        ("'who', 'region', 'load', 1.5", r"share must be a number in \(0, 1\), got 1.5"),
        ("'who', ['who'], 'load', 0.5", "respondent must be a column that is not among qi"),
        ("'who', 'region', 'load', 0.5, n := 0", "n must be an integer >= 1, got 0"),
    ],
)
def test_wrong_arguments(con, arguments, message):
    create(con, [("w", "a", 1)])
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from tanon.dominated_total_violations('loads', {arguments})")
