"""tanon.identifying_pairs against looking at everybody one by one."""

import itertools
import random

import duckdb
import pytest

from oracles.singled_out import share_singled_out


@pytest.mark.parametrize("seed", range(8))
def test_as_looked_at_one_by_one(con, seed):
    draw = random.Random(seed)
    rows = [
        (draw.randrange(12), draw.choice([None, "a", "b"]), draw.randrange(4), draw.choice("xyz"))
        for _ in range(draw.choice([0, 1, 8, 25]))
    ]
    con.execute('create table t (who integer, "o\'x" varchar, "a""b" integer, c varchar)')
    if rows:
        con.executemany("insert into t values (?, ?, ?, ?)", rows)
    names = ["o'x", 'a"b', "c"]
    found = con.execute(
        "from tanon.identifying_pairs('t', respondent := 'who', qi := $names)", {"names": names}
    ).fetchall()
    pairs = list(itertools.combinations_with_replacement(range(3), 2))
    assert len(found) == len(pairs)
    shares = {(one, other): (count, share) for one, other, count, share in found}
    for i, j in pairs:
        places = sorted({i + 1, j + 1})
        count, share = shares[names[i], names[j] if i != j else None]
        assert count == len({tuple(row[p] for p in places) for row in rows})
        assert share == pytest.approx(share_singled_out(rows, 0, places))


def test_at_most_sixteen(con):
    con.execute("create table t as select 1 as who, " + ", ".join(f"1 as c{i}" for i in range(17)))
    with pytest.raises(duckdb.Error, match="qi must be at most 16 columns"):
        con.execute(
            "from tanon.identifying_pairs('t', 'who', $names)",
            {"names": [f"c{i}" for i in range(17)]},
        ).fetchall()
