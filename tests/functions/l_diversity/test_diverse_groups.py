"""Groups of Anatomy: complete, diverse, as many as can be, dealt by secret and not by row order."""

import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise

import duckdb
import pytest

from tanon_duck import new_secret


def fill(con, rows):
    con.execute("create or replace table t (id int, day int, s varchar)")
    if rows:
        con.executemany("insert into t values (?, ?, ?)", rows)


PERSONS = ", rows_are_persons := true"


def dealt(con, l, more="", persons=PERSONS):  # noqa: E741
    return con.execute(
        f"from tanon.diverse_groups('t', sensitive := 's', l := '{l}'{more}{persons}) order by id"
    ).fetchall()


def eligible_rows(rng, l, days):  # noqa: E741
    rows = []
    for day in range(days):
        counts = [rng.randint(0, 9) for _ in range(rng.randint(1, 8))]
        while counts and l * max(counts) > sum(counts):
            counts[counts.index(max(counts))] -= 1
        values = [
            value for value, n in zip([None, *"abcdefg"], counts, strict=False) for _ in range(n)
        ]
        rows += [(day, value) for value in values]
    rng.shuffle(rows)
    return [(i, *row) for i, row in enumerate(rows)]


@pytest.mark.parametrize("seed", range(25))
def test_groups_are_diverse_and_complete(con, seed):
    rng = random.Random(seed)
    text = rng.choice(["2", "3", "4", "3/2", "5/2", "7/3"])
    l = Fraction(text)  # noqa: E741
    rows = eligible_rows(rng, l, rng.randint(1, 5))
    fill(con, rows)
    found = dealt(con, text, ", partition := 'day'")
    assert [row[:3] for row in found] == rows
    groups = defaultdict(list)
    for _, day, value, group in found:
        groups[group].append((day, value))
    assert sorted(groups) == list(range(1, len(groups) + 1))
    sizes = Counter(day for _, day, _ in rows)
    per_day = Counter()
    for members in groups.values():
        assert len({day for day, _ in members}) == 1
        counts = Counter(value for _, value in members)
        assert l * max(counts.values()) <= len(members)
        per_day[members[0][0]] += 1
        if l.denominator == 1:
            assert max(counts.values()) == 1
    if l.denominator == 1:
        assert per_day == {day: n // l for day, n in sizes.items()}


def test_the_whole_table_is_one_partition_by_default(con):
    fill(con, [(i, 0, "abc"[i % 3]) for i in range(9)])
    assert Counter(row[3] for row in dealt(con, 3)) == {1: 3, 2: 3, 3: 3}


def test_secret_decides_and_row_order_does_not(con):
    rows = [(i, 0, "abcd"[i % 4]) for i in range(80)]
    fill(con, rows)
    first = dealt(con, 2)
    fill(con, rows[::-1])
    assert dealt(con, 2) == first
    assert dealt(con, 2, f", secret := '{new_secret()}'") != first


def test_equal_rows_are_dealt_each_by_itself(con):
    """Of 400 equal rows few follow each other in the deal, whose groups would be neighbours."""
    con.execute("create table t as select 0 as id, 0 as day, 'a' as s from range(400)")
    con.execute("insert into t select i, 0, 'a' from range(1, 801) r(i)")
    con.execute("insert into t select i, 0, 'b' from range(1, 1201) r(i)")
    groups = sorted(row[3] for row in dealt(con, 2) if row[0] == 0)
    assert len(groups) == 400
    assert len({b - a for a, b in pairwise(groups)}) > 5


def test_empty_table(con):
    fill(con, [])
    assert dealt(con, 3) == []
    assert dealt(con, 3, ", partition := 'day'") == []


def test_a_partition_that_is_not_eligible_is_named(con):
    fill(con, [(1, 4, "a"), (2, 4, "b"), (3, 5, "a"), (4, 5, "a"), (5, 5, "b")])
    with pytest.raises(duckdb.Error) as error:
        dealt(con, 2, ", partition := ['day']")
    assert (
        "tanon.diverse_groups: every partition must be l-eligible for l = 2, got 1 that are not, "
        "the first with 2 equal values among 3 rows at 5: tanon.publish_stream makes every snapshot"
    ) in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("l := 0", "l must be a rational number greater than 1"),
        ("l := 1", "l must be a rational number greater than 1 such as 3, 2.5 or '5/2', got 1"),
        ("l := 2, secret := 'x'", "secret must be at least 32 .*, got a text of 1 characters"),
        (f"l := 2, secret := '{'ab' * 32}'", "secret must be .*, got one that can be guessed"),
        ("l := 2, partition := 'dy'", "partition must be columns of source"),
        ("l := 2, partition := []", "partition must be columns of source"),
    ],
)
def test_refused(con, arguments, message):
    fill(con, [(1, 4, "a"), (2, 4, "b")])
    with pytest.raises(duckdb.Error, match=f"tanon.diverse_groups: {message}"):
        con.execute(
            f"from tanon.diverse_groups('t', sensitive := 's', {arguments}{PERSONS})"
        ).fetchall()


def test_a_column_named_as_ours_is_refused(con):
    con.execute("create table t as select 1 as a_group, 'x' as s")
    with pytest.raises(duckdb.Error, match="source must be a relation without columns a_group"):
        con.execute(f"from tanon.diverse_groups('t', sensitive := 's', l := 2{PERSONS})").fetchall()


@pytest.mark.parametrize("l", ["2", "3", "5/2"])
def test_no_person_has_more_than_one_l_th_of_a_group(con, l):  # noqa: E741
    rng = random.Random(9)
    rows = [(rng.randrange(40), rng.randrange(2), rng.choice("abcdefg")) for _ in range(200)]
    fill(con, rows)
    groups = defaultdict(list)
    for person, day, value, group in dealt(con, l, ", partition := 'day'", ", respondent := 'id'"):
        groups[group].append((person, value))
        assert (person, day, value) in rows
    assert sum(map(len, groups.values())) == 200
    for met in groups.values():
        for column in zip(*met, strict=True):
            assert Fraction(l) * max(Counter(column).values()) <= len(met)
    by_rows = defaultdict(list)
    for person, *_, group in dealt(con, l, ", partition := 'day'"):
        by_rows[group].append(person)
    assert any(Fraction(l) * max(Counter(met).values()) > len(met) for met in by_rows.values())


def test_two_records_of_one_person_are_no_group(con):
    fill(con, [(1, 4, "a"), (1, 4, "b")])
    with pytest.raises(duckdb.Error, match="the first with 2 rows of one person among 2 rows"):
        dealt(con, 2, "", ", respondent := 'id'")
