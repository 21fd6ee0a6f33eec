"""The two released tables are two views of one deal, and nothing else gets out."""

from collections import Counter

import duckdb
import pytest

CALL = "from tanon.publish_anatomy('t', qi := ['age', 'sex'], sa := 's', l := 2, part := '{}'{})"


@pytest.fixture
def table(con):
    con.execute(
        "create table t as select i as id, i % 3 as day, 20 + i % 7 as age, "
        "if(i % 2 = 0, 'f', null) as sex, "
        "['flu', 'cold', null, 'mumps'][1 + (i * i + i // 5) % 4] as s from range(120) r(i)"
    )
    return con


@pytest.mark.parametrize("partition", ["", ", partition := 'day'"])
def test_both_tables_are_the_groups_of_anatomize(table, partition):
    dealt = table.execute(f"from tanon.anatomize('t', sa := 's', l := 2{partition})").fetchall()
    described = table.execute("describe " + CALL.format("individuals", partition)).fetchall()
    day = ["day"] if partition else []
    assert [c for c, *_ in described] == [*day, "age", "sex", "a_group"]
    people = table.execute(CALL.format("individuals", partition)).fetchall()
    cut = slice(1, 4) if partition else slice(2, 4)
    assert Counter(people) == Counter((*row[cut], row[5]) for row in dealt)
    values = table.execute(CALL.format("values", partition)).fetchall()
    if partition:
        assert Counter({row[:3]: row[3] for row in values}) == Counter(
            (r[1], r[5], r[4]) for r in dealt
        )
    else:
        assert Counter({row[:2]: row[2] for row in values}) == Counter((r[5], r[4]) for r in dealt)


def test_the_order_of_rows_tells_nothing(table):
    people = table.execute(CALL.format("individuals", "")).fetchall()
    assert people == sorted(people, key=lambda row: (row[0], row[1] is None, row[1] or "", row[2]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("qi := ['age', 's'], sa := 's', l := 2, part := 'values'", "sa must be none of qi"),
        ("qi := ['age', 'S'], sa := 's', l := 2, part := 'individuals'", "sa must be none of qi"),
        (
            "qi := 'age', sa := 's', l := 1, part := 'individuals', partition := 'S'",
            "sa must be none of partition",
        ),
        (
            "qi := 'AGE', sa := 's', l := 2, part := 'values', partition := 'age'",
            "qi must be none of",
        ),
        (
            "qi := 'age', sa := 's', l := 2, part := 'values', partition := 'age'",
            "qi must be none of",
        ),
        (
            "qi := 'age', sa := 's', l := 2, part := 'all'",
            "part must be one of 'individuals', 'values'",
        ),
        ("qi := 'age', sa := 's', l := 9, part := 'values'", "every partition must be l-eligible"),
    ],
)
def test_refused(table, call, message):
    with pytest.raises(duckdb.Error, match=f"tanon.publish_anatomy: {message}"):
        table.execute(f"from tanon.publish_anatomy('t', {call})").fetchall()
