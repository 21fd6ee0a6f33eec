"""tanon.minimal_generalizations against trying every node of the lattice."""

import random
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache

import duckdb
import pytest

from oracles.dated_rows import create_calendar, up
from oracles.finer import finer
from oracles.generalization import minimal_nodes

GRANULARITIES = ["day", "week", "month", "fiscal year"]
ZIPS = ["1000", "1001", "1010", "1100", "2000", None]
is_finer = cache(finer)


def zip_level(level):
    def shown(value):
        return value if value is None else value[: 4 - level] + "*" * level

    return shown


def age_level(level):
    width = (1, 10, 40)[level]

    def shown(value):
        return "unknown" if value is None and level else value and value // width * width

    return shown


LEVELS = {"zip": [zip_level(n) for n in range(5)], "age": [age_level(n) for n in range(3)]}


def people(seed):
    draw = random.Random(seed)
    several = seed % 2
    return [
        {
            "who": draw.randrange(8) if several else number,
            "zip": draw.choice(ZIPS),
            "age": draw.choice([None, 3, 17, 23, 41, 44]),
            "seen": datetime(2023, 11, 1) + timedelta(days=draw.randrange((5, 60, 300)[seed % 3])),
        }
        for number in range(draw.choice([1, 15, 40]))
    ]


def create(con, rows):
    create_calendar(con)
    con.execute("create table r (who integer, zip varchar, age integer, seen timestamp)")
    con.executemany("insert into r values (?, ?, ?, ?)", [list(row.values()) for row in rows])
    con.execute(
        "create table h (attribute varchar, level integer, value varchar, generalized text)"
    )
    given = [
        ["zip", level, value, zip_level(level)(value)]
        for level in range(1, 5)
        for value in ZIPS
        if value
    ]
    given += [
        ["age", level, None if value is None else str(value), str(age_level(level)(value))]
        for level in (1, 2)
        for value in (None, 3, 17, 23, 41, 44)
    ]
    con.executemany("insert into h values (?, ?, ?, ?)", given)


CALL = "from tanon.minimal_generalizations('r', uid := 'who', qi := ['zip', 'age'], k := {}, {})"
TIME = f"ts := 'seen', granularities := {GRANULARITIES}, calendar := 'calendar'"


@pytest.mark.parametrize("seed", range(12))
def test_as_an_exhaustive_search_finds(con, seed):
    rows, k, suppression = people(seed), 2 + seed % 3, [0, "0.2"][seed % 2]
    create(con, rows)
    share = Fraction(suppression)
    options = f"hierarchies := 'h', max_suppression := {suppression}"
    ups = {name: up(name) for name in GRANULARITIES}
    wanted = minimal_nodes(rows, "who", ["zip", "age"], "seen", ups, is_finer, LEVELS, k, share)
    found = con.execute(CALL.format(k, f"{options}, {TIME}")).fetchall()
    assert {((a, b), g): (m, s, sh, d) for a, b, g, m, s, _, sh, d in found} == wanted
    assert len(found) == len(wanted)
    timeless = minimal_nodes(
        rows, "who", ["zip", "age"], "seen", {"": lambda _: 0}, is_finer, LEVELS, k, share
    )
    found = con.execute(CALL.format(k, options)).fetchall()
    assert {((a, b), ""): (m, s, sh, d) for a, b, m, s, _, sh, d in found} == timeless


def test_an_attribute_without_a_hierarchy_stays_as_it_is(con):
    create(con, people(5))
    con.execute("delete from h where attribute = 'zip'")
    found = con.execute(CALL.format(2, "hierarchies := 'h', max_suppression := 0.9")).fetchall()
    assert found
    assert {row[0] for row in found} == {0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("delete from h where level = 2 and attribute = 'zip'", r"levels 1, 2, 3 .*zip \[0, 1, 3"),
        ("delete from h where value = '17' and level = 1", "every value on every level once"),
        ("insert into h values ('age', 1, '17', 'odd')", "every value on every level once.*17"),
        ("update h set generalized = 'odd' where value = '44' and level = 2", "must be nested"),
    ],
)
def test_hierarchies_are_checked(con, change, message):
    rows = [
        {"who": 1, "zip": "1000", "age": age, "seen": datetime(2024, 1, 1)} for age in (17, 41, 44)
    ]
    create(con, rows)
    con.execute(change)
    with pytest.raises(
        duckdb.Error, match=f"tanon.minimal_generalizations: hierarchies .*{message}"
    ):
        con.execute(CALL.format(2, "hierarchies := 'h'")).fetchall()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("hierarchies := 'r'", "hierarchies must be .* got one without"),
        ("hierarchies := 'h', ts := 'seen'", "granularities must be given where ts is"),
        ("hierarchies := 'h', granularities := ['day']", "granularities must be given where ts is"),
        ("hierarchies := 'h', max_suppression := 2", "max_suppression must be a number in"),
    ],
)
def test_bad_input(con, options, message):
    create(con, people(3))
    with pytest.raises(duckdb.Error, match=f"tanon.minimal_generalizations: {message}"):
        con.execute(CALL.format(2, options)).fetchall()
