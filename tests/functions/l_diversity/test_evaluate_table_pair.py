"""tanon.evaluate_table_pair against counts and estimates group by group."""

import random
from collections import Counter
from fractions import Fraction

import duckdb
import pytest

from oracles.counted_queries import asked, count, summary

CALL = "from tanon.evaluate_table_pair('i', 'v', 't', qi := {}, sensitive := 's', queries := 300{})"


def create(con, seed):
    """A table with NULLs, and the pair that is published of it."""
    draw = random.Random(seed)
    rows = [
        {
            "day": draw.randrange(3),
            "age": draw.choice([None, *range(20, 40)]),
            "sex": draw.choice(["f", "m", None]),
            "s": draw.choice([None, "flu", "cold", "gout"]),
        }
        for _ in range(120)
    ]
    con.execute("create or replace table t (day integer, age integer, sex varchar, s varchar)")
    con.executemany("insert into t values (?, ?, ?, ?)", [list(row.values()) for row in rows])
    for name, part in (("i", "individuals"), ("v", "values")):
        con.execute(
            f"create or replace table {name} as from tanon.publish_table_pair('t', "
            f"qi := ['age', 'sex'], sensitive := 's', l := 2, result := '{part}', partition := "
            f"'day', "
            "rows_are_persons := true)"
        )
    return rows


def estimate(con, query):
    """Individuals who are asked for, times the share of their group's values that are."""
    individuals = con.execute("select a_group, day, age, sex from i").fetchall()
    wanted = Counter(
        group
        for group, *own in individuals
        if all(
            value in query.get(name, [value])
            for name, value in zip(("day", "age", "sex"), own, strict=True)
        )
    )
    sizes = Counter(group for group, *_ in individuals)
    met = Counter()
    for group, value, records in con.execute("select a_group, s, records from v").fetchall():
        met[group] += records if value in query.get("s", [value]) else 0
    return sum(Fraction(n * met[group], sizes[group]) for group, n in wanted.items())


@pytest.mark.parametrize("seed", range(3))
def test_as_group_by_group(con, seed):
    rows = create(con, seed)
    names = ["day", "age", "sex", "s"]
    answers = [(count(rows, q), estimate(con, q)) for q in asked(rows, names, 300, seed)]
    wanted = summary(rows, answers)
    found = con.execute(CALL.format(names[:3], f", seed := {seed}")).fetchall()
    assert [row[0] for row in found] == list(wanted)
    for selectivity, queries, relative, _, absolute in found:
        number, of_truth, in_rows = wanted[selectivity]
        assert queries == number
        assert relative == (None if of_truth is None else pytest.approx(of_truth, abs=1e-9))
        assert absolute == (None if in_rows is None else pytest.approx(in_rows, abs=1e-9))


def test_groups_of_one_value_answer_exactly_and_a_single_group_does_not(con):
    create(con, 7)
    con.execute("create or replace table i as select day, age, sex, rowid as a_group from t")
    con.execute("create or replace table v as select rowid as a_group, s, 1 as records from t")
    found = con.execute(CALL.format(["age", "sex"], "")).fetchall()
    assert found[-1][2] == found[-1][3] == 0
    con.execute("create or replace table i as select day, age, sex, 1 as a_group from t")
    con.execute(
        "create or replace table v as select 1 as a_group, s, count(*) as records from t group by s"
    )
    assert con.execute(CALL.format(["age", "sex"], "")).fetchall()[-1][3] > 0.05


def test_the_same_for_any_row_order_and_threads(con):
    create(con, 8)
    first = con.execute(CALL.format(["day", "age"], "")).fetchall()
    for name in ("i", "v", "t"):
        con.execute(f"create or replace table {name} as from {name} order by random()")
    con.execute("set threads = 1")
    assert con.execute(CALL.format(["day", "age"], "")).fetchall() == first


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("delete from i where a_group = 1", "individuals must have the groups of counts"),
        ("update v set records = records + 1", "individuals must have the groups of counts"),
        ("update i set age = 99 where a_group = 1", "individuals and counts must hold values of"),
        ("alter table v rename records to n", "counts must .*records"),
    ],
)
def test_bad_input(con, change, message):
    create(con, 9)
    con.execute(change)
    with pytest.raises(duckdb.Error, match=f"tanon.evaluate_table_pair: {message}"):
        con.execute(CALL.format(["age", "sex"], "")).fetchall()


def test_arguments(con):
    create(con, 9)
    with pytest.raises(duckdb.Error, match="sensitive must be none of qi"):
        con.execute(CALL.format(["age", "s"], "")).fetchall()
