"""Groups that fail, against counting in Python."""

import random
from collections import Counter
from fractions import Fraction

import pytest


@pytest.mark.parametrize("seed", range(10))
def test_failing_groups(con, seed):
    rng = random.Random(seed)
    rows = [
        (rng.choice([1, 2, 3, None]), rng.choice("xy"), rng.choice(["a", "b", "c", None]))
        for _ in range(50)
    ]
    con.execute("create table t (g int, h varchar, s varchar)")
    con.executemany("insert into t values (?, ?, ?)", rows)
    text = rng.choice(["1", "2", "5/2", "3"])
    wanted = []
    for group in {row[:2] for row in rows}:
        counts = Counter(row[2] for row in rows if row[:2] == group)
        n, level = sum(counts.values()), max(counts.values())
        if Fraction(text) * level > n:
            wanted.append((*group, n, level, n / level))
    found = con.execute(
        f"from tanon.l_diversity_violations('t', groups := ['g', 'h'], sensitive := 's', l := "
        f"'{text}')"
    ).fetchall()
    assert sorted(found, key=str) == sorted(wanted, key=str)


def test_no_rows_no_groups(con):
    con.execute("create table t (g int, s int)")
    assert (
        con.execute(
            "from tanon.l_diversity_violations('t', groups := 'g', sensitive := 's', l := 2)"
        ).fetchall()
        == []
    )


def test_values_and_groups_of_a_collation_are_one(con):
    con.execute("create table t (g varchar collate nocase, s varchar collate nocase)")
    con.execute("insert into t values ('x', 'flu'), ('X', 'Flu'), ('x', 'gout')")
    call = "from tanon.l_diversity_violations('t', groups := 'g', sensitive := 's', l := 2)"
    found = con.execute(f"select lower(g), records, level, max_l {call}").fetchall()
    assert found == [("x", 3, 2, 1.5)]


def test_rows_are_counted_and_not_persons(con):
    con.execute("create table t as select 1 as g, 'p' as who, unnest(['flu', 'cold']) as s")
    found = con.execute(
        "from tanon.l_diversity_violations('t', groups := 'g', sensitive := 's', l := 2)"
    )
    assert found.fetchall() == []
