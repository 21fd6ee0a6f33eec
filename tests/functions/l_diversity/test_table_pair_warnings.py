"""tanon.table_pair_warnings against the two tables read row by row."""

import random
from collections import defaultdict

import duckdb
import pytest

from oracles import warned

CALL = (
    "select warning, rows, share, affects from tanon.table_pair_warnings('i', 'v', "
    "qi := ['age', 'sex'], sensitive := 's'{})"
)


def release(con, rows, l=2, partition=True):  # noqa: E741
    """Publish rows of (day, age, sex, s); what is told of the pair, and what should be."""
    con.execute("create or replace table t (day integer, age integer, sex varchar, s varchar)")
    if rows:
        con.executemany("insert into t values (?, ?, ?, ?)", rows)
    more = ", partition := 'day'" if partition else ""
    for name, part in (("i", "individuals"), ("v", "values")):
        con.execute(
            f"create or replace table {name} as from tanon.publish_table_pair('t', "
            f"qi := ['age', 'sex'], sensitive := 's', l := {l}, result := '{part}', "
            f"allow_identifying := ['age'], "
            f"rows_are_persons := true{more})"
        )
    day = "day" if partition else "0"
    individuals = con.execute(f"select {day}, (age, sex), a_group from i").fetchall()
    counts = con.execute("select a_group, s, records from v").fetchall()
    return told(con, more), warned.anatomy(individuals, counts, partition)


def told(con, more=""):
    found = con.execute(CALL.format(more)).fetchall()
    return {name: (rows, share) for name, rows, share, _ in found}


def near(wanted):
    return {name: (rows, pytest.approx(float(share))) for name, (rows, share) in wanted.items()}


@pytest.mark.parametrize("partition", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_as_row_by_row(con, seed, partition):
    draw = random.Random(seed)
    values = [None, "flu", "cold", "gout", *["rare"] * (seed % 2)]
    rows = [
        (
            i % 4, draw.choice([None, *range(20, 20 + 4 * (seed + 1))]),
            draw.choice(["f", "m", None]), values[i // 4 % len(values)] if i > 3 else values[-1],
        )
        for i in range(20 * (seed + 1) + 40)
    ]  # fmt: skip
    found, wanted = release(con, rows, "'3/2'" if seed == 5 else 2, partition)
    assert found == near(wanted)
    assert "best guess" in found


def test_each_warning_where_its_cause_is_and_only_there(con):
    values = ["a", "b", "c"]
    # Three of each kind of people in every partition, groups of three values: only the promise.
    rows = [(day, 30 + i % 2, "f", values[i // 2 % 3]) for day in range(2) for i in range(18)]
    found, _ = release(con, rows, 3)
    assert set(found) <= {"best guess", "one kind of people"}
    assert found["best guess"] == (36, pytest.approx(1 / 3))
    found, _ = release(con, [(1, 1, "f", v) for v in values], 3)
    assert found["one kind of people"] == (3, 1)
    found, _ = release(con, [(1, i, "f", v) for i, v in enumerate("ab" * 6)])
    assert set(found) == {"best guess", "two values", "who is in it"}
    assert found["two values"] == found["who is in it"] == (12, 1)


def test_somebody_who_comes_back_is_followed(con):
    # One has a each time, beside b and then c: a is what both groups have.
    rows = [(1, 1, "f", "a"), (1, 2, "f", "b"), (2, 1, "f", "a"), (2, 3, "f", "c")]
    found, _ = release(con, rows)
    assert found["followed"] == (2, 0.5)
    # Beside the same value each time nothing more is learnt.
    rows = [(1, 1, "f", "a"), (1, 2, "f", "b"), (2, 1, "f", "a"), (2, 3, "f", "b")]
    assert "followed" not in release(con, rows)[0]


def test_a_rare_value_is_told_with_its_factor(con):
    rows = [(1, i, "f", "rare" if i == 0 else "ab"[i % 2]) for i in range(40)]
    found, _ = release(con, rows, partition=False)
    assert found["rare value"][0] >= 2
    (advice,) = con.execute(
        "select advice from tanon.table_pair_warnings('i', 'v', qi := ['age', 'sex'], sensitive "
        ":= 's') "
        "where warning = 'rare value'"
    ).fetchone()
    assert "up to 20.0 times" in advice


def test_further_columns_are_named(con):
    release(con, [(1, i, "f", "ab"[i % 2]) for i in range(4)])
    con.execute("alter table i add column who integer")
    con.execute("alter table v add column what integer")
    found = con.execute(CALL.format("")).fetchall()
    assert [row[3] for row in found if row[0] == "unnamed column"] == ["day", "what", "who"]
    found = con.execute(CALL.format(", partition := 'day'")).fetchall()
    assert [row[3] for row in found if row[0] == "unnamed column"] == ["what", "who"]


def test_empty_tables(con):
    assert release(con, []) == ({}, {})


def test_tables_of_different_groups_are_no_pair(con):
    release(con, [(1, i, "f", "ab"[i % 2]) for i in range(4)])
    con.execute("delete from v where s = 'a' and a_group = 1")
    with pytest.raises(duckdb.Error, match="individuals must have the groups of counts"):
        told(con)
    with pytest.raises(duckdb.Error, match="partition must be none of qi"):
        told(con, ", partition := 'age'")


@pytest.mark.parametrize("l", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_values_that_all_groups_of_a_person_have_in_common(con, seed, l):  # noqa: E741
    draw = random.Random(seed)
    rows = [(i % 3, f"p{draw.randrange(40)}", i, draw.choice("abcdefg")) for i in range(120)]
    con.execute("create table t (day integer, who varchar, age integer, s varchar)")
    con.executemany("insert into t values (?, ?, ?, ?)", rows)
    call = (
        f"from tanon.publish_table_pair('t', qi := 'age', sensitive := 's', l := {l}, "
        f"allow_identifying := 'age', "
        "partition := 'day', respondent := 'who', result := "
    )
    con.execute(f"create table i as {call} 'individuals')")
    con.execute(f"create table v as {call} 'values')")
    con.execute(f"create table o as {call} 'individuals', for_owner := true)")
    held, groups = defaultdict(set), defaultdict(list)
    for group, value in con.execute("select a_group, s from v").fetchall():
        held[group].add(value)
    for who, group in con.execute("select who, a_group from o").fetchall():
        groups[who].append(group)
    several = [[held[g] for g in met] for met in groups.values() if len(met) > 1]
    left = [(len(met), len(set.intersection(*met))) for met in several]
    known = [(n, common) for n, common in left if 0 < common < l]
    ((rows_told, share, affects, advice),) = con.execute(
        "select rows, share, affects, advice from tanon.table_pair_warnings('i', 'v', qi := 'age', "
        "sensitive := 's', partition := 'day', owner := 'o', respondent := 'who') "
        "where warning = 'values in common'"
    ).fetchall()
    assert rows_told == sum(n for n, _ in known) > 0
    assert share == pytest.approx(rows_told / 120)
    assert affects == "s"
    single = sum(common == 1 for _, common in known)
    assert advice.startswith(f"{len(known)} of {len(several)} persons with several rows: ")
    assert f"and for {single} of them a single one" in advice


def test_a_person_with_one_row_has_nothing_in_common(con):
    release(con, [(1, i, "f", "ab"[i % 2]) for i in range(20)])
    con.execute("create table o as select *, age as who from i")
    found = told(con, ", owner := 'o', respondent := 'who'")
    assert "values in common" not in found
