"""tanon.presence_metrics against sets of people."""

import random

import duckdb
import pytest

CALL = (
    "from tanon.presence_metrics('s', respondent := 'who', qi := ['q', 'r'], population := 'p'{})"
)


def create(con, population, drawn):
    for name, rows in (("p", population), ("s", drawn)):
        con.execute(f"create or replace table {name} (who integer, q varchar, r integer)")
        if rows:
            con.executemany(f"insert into {name} values (?, ?, ?)", rows)


def people(rows):
    found = {}
    for who, *value in rows:
        found.setdefault(tuple(value), set()).add(who)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_as_sets_of_people_say(con, seed):
    draw = random.Random(seed)
    population = [
        [draw.randrange(25), draw.choice([None, "a", "b"]), draw.randrange(2 + seed)]
        for _ in range(60)
    ]
    drawn = [row for row in population if row[0] % (seed + 1) == 0]
    create(con, population, drawn)
    wide, here = people(population), people(drawn)
    shares = [len(here.get(value, ())) / len(them) for value, them in wide.items()]
    k_map = min(len(wide[value]) for value in here)
    sure = sum(len(them) for value, them in here.items() if them == wide[value])
    wanted = (len(wide), k_map, min(shares), max(shares), sure)
    assert con.execute(CALL.format("")).fetchall() == [wanted]
    for option, holds in (
        (f", k := {k_map + 1}", False),
        (f", delta_low := {min(shares)}, delta_high := {max(shares)}", True),
        (f", delta_high := {max(shares) / 2}", False),
    ):
        assert con.execute(CALL.format(option)).fetchall() == [(*wanted, holds)]


def test_nobody(con):
    create(con, [[1, "a", 0]], [])
    assert con.execute(CALL.format(", k := 2")).fetchall() == [(1, None, 0.0, 0.0, 0, True)]


def test_a_population_without_some_of_them(con):
    create(con, [[1, "a", 0]], [[1, "a", 0], [2, "a", 0], [3, "b", 1]])
    message = "tanon.presence_metrics: population must hold the respondents of source, got 2 groups"
    with pytest.raises(duckdb.Error, match=message):
        con.execute(CALL.format("")).fetchall()
    with pytest.raises(duckdb.Error, match=r"delta_high must be a number in \[0, 1\]"):
        con.execute(CALL.format(", delta_high := 2")).fetchall()
    with pytest.raises(duckdb.Error, match=r"delta_high must be at least delta_low, got 0\.2"):
        con.execute(CALL.format(", delta_low := 0.5, delta_high := 0.2")).fetchall()


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("interval", "'30 days'", "'1 month'"),
        ("double", "'-0.0'", "'0.0'"),
        ("double[]", "'[-0.0]'", "'[0.0]'"),
        ("struct(d interval)", "{'d': interval '30 days'}", "{'d': interval '1 month'}"),
    ],
)
def test_equal_values_of_two_texts_are_two_groups_as_in_a_release(con, type, one, other):
    con.execute(
        f"create table p as select i as who, (case when i % 2 = 0 then {one} else {other} end)"
        f"::{type} as q from range(12) t(i)"
    )
    con.execute("create table s as from p where who < 6")
    found = con.execute(
        "select groups, k_map, delta_max from tanon.presence_metrics('s', respondent := 'who', "
        "qi := 'q', population := 'p')"
    ).fetchall()
    assert found == [(2, 6, 0.5)]
    checked = con.execute(
        "select found, holds from tanon.check_release('(select q from s)', owner := 's', "
        "respondent := 'who', qi := 'q', population := 'p', "
        "presence := {'k_map': 6, 'delta_high': 0.5}) "
        "where contains(property, 'population')"
    ).fetchall()
    assert sorted(checked) == [("0.5", True), ("6", True)]
    call = (
        "from tanon.publish_events('s', respondent := 'who', qi := 'q', k := 3, population := 'p', "
        "presence := {{'k_map': {}}})"
    )
    assert len(con.execute(call.format(6)).fetchall()) == 6
    with pytest.raises(duckdb.Error, match=r"tanon\.publish_events: "):
        con.execute(call.format(7)).fetchall()
