"""How respondents of a release are hidden in a population, counted by hand, and as published."""

import random
from collections import defaultdict

import duckdb
import pytest

CHECK = "qi := ['zip', 'age'], ts := 'day', k := 2"
ASKED = {"k_map": 3, "delta_low": 0.2, "delta_high": 0.6}


def told(con, arguments):
    rows = con.execute(f"from tanon.check_release('release', {CHECK}, {arguments})").fetchall()
    return {
        property.split()[0]: (promise, found, holds)
        for property, promise, found, holds in rows
        if property.endswith(" in the population")
    }


def create(con, draw, strangers):
    """Everybody, as the release tells of them, in some rows each, and those who are in it."""
    everybody = [
        (who, draw.choice(["80*", "81*", None]), draw.choice([1, 2, None]), draw.choice("ab"))
        for who in range(draw.choice([8, 40]))
        for _ in range(draw.randint(1, 2))
    ]
    here = {who for who, *_ in everybody if draw.random() < 0.6} | {0}
    con.execute("create or replace table everybody (who int, zip varchar, age varchar, day text)")
    con.executemany("insert into everybody values (?, ?, ?, ?)", everybody)
    con.execute("create or replace table owners (who int, zip varchar, age int, day varchar)")
    rows = [row for row in everybody if row[0] in here]
    con.executemany("insert into owners values (?, ?, ?, ?)", rows)
    con.execute("create or replace table release as select * exclude (who) from owners")
    if strangers:
        con.execute("insert into everybody select 1000 + i, '99*', null, 'a' from range(4) as _(i)")
        everybody += [(1000 + i, "99*", None, "a") for i in range(4)]
    return people(everybody), people(rows)


def people(rows):
    groups = defaultdict(set)
    for who, *known in rows:
        groups[tuple(known)].add(who)
    return {known: len(of) for known, of in groups.items()}


@pytest.mark.parametrize("seed", range(12))
def test_figures_are_those_of_the_definitions(con, seed):
    draw = random.Random(seed)
    wide, here = create(con, draw, strangers=seed % 3 == 0)
    wanted = {
        "k_map": min(wide[known] for known in here),
        "delta_low": min(here.get(known, 0) / n for known, n in wide.items()),
        "delta_high": max(n / wide[known] for known, n in here.items()),
    }
    asked = {name: ASKED[name] for name in draw.sample([*ASKED], draw.randint(1, 3))}
    found = told(
        con,
        f"owner := 'owners', respondent := 'who', population := 'everybody', presence := {asked}",
    )
    assert set(found) == set(asked)
    for name, (_, figure, holds) in found.items():
        assert float(figure) == pytest.approx(wanted[name], rel=1e-3)
        is_enough = wanted[name] <= asked[name] if name == "delta_high" else (
            wanted[name] >= asked[name]
        )  # fmt: skip
        assert holds == is_enough


PUBLISH = (
    "tanon.{}('here', respondent := 'patient', qi := ['sex', 'zip'], k := 3, hierarchies := "
    "'ladders', "
    "population := 'visits', presence := {{'k_map': 12, 'delta_high': 0.75}}, "
    "max_suppression := 0.3{})"
)


@pytest.mark.parametrize("remainder", [False, True])
def test_the_owner_finds_what_the_publisher_promised(demo_con, remainder):
    demo_con.execute(
        "create table ladders as from tanon.prefix_hierarchy('visits', 'zip', [3, 2, 1]); "
        "create table here as from visits where hash(patient) % 3 > 0"
    )
    more = f", keep := ['diagnosis'], remainder := {remainder}"
    for table, whose in (("release", ""), ("owners", ", for_owner := true")):
        sql = PUBLISH.format("publish_events", more + whose)
        demo_con.execute(f"create table {table} as from {sql}")
    ((levels, criteria),) = demo_con.execute(
        "select levels, criteria from " + PUBLISH.format("publish_events", ", result := 'summary'")
    ).fetchall()
    demo_con.execute(
        "create table everybody as select patient, sex, generalized as zip from visits "
        "join ladders on value = zip and level = $level",
        {"level": levels["zip"]},
    )
    records = ", records := 'stands_for'" if remainder else ""
    found = demo_con.execute(
        "select property, promise, found, holds from tanon.check_release('release', "
        "qi := ['sex', 'zip'], keep := 'diagnosis', sensitive := 'diagnosis', k := 3, "
        "owner := 'owners', respondent := 'patient', population := 'everybody', "
        f"presence := {{'k_map': 12, 'delta_high': 0.75}}{records})"
    ).fetchall()
    assert all(holds for *_, holds in found)
    assert {tuple(c.values()) for c in criteria} <= set(found)


def test_control_a_group_that_population_has_too_few_of_is_found(con):
    con.execute("create table owners as select i as who, 'a' as zip, 1 as age, 'x' as day "
                "from range(4) as _(i)")  # fmt: skip
    con.execute("create table release as select * exclude (who) from owners")
    given = "owner := 'owners', respondent := 'who', population := 'everybody', presence := {}"
    con.execute("create table everybody as from owners")
    assert told(con, given.format({"k_map": 5, "delta_high": 0.9})) == {
        "k_map": ("at least 5", "4", False),
        "delta_high": ("at most 0.9", "1", False),
    }
    con.execute("insert into everybody select 9, 'a', 1, 'x'")
    assert told(con, given.format({"k_map": 5, "delta_high": 0.9})) == {
        "k_map": ("at least 5", "5", True),
        "delta_high": ("at most 0.9", "0.8", True),
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population": None}, "presence must be given if population is given, and only then"),
        ({"presence": None}, "presence must be given if population is given, and only then"),
        (
            {"owner": None, "respondent": None},
            "presence must be omitted, or given with owner and respondent",
        ),
        ({"presence": "{'kmap': 5}"}, "presence must be what is asked of .*did you mean 'k_map'"),
        ({"population": "'(select 1 as who, 1 as zip, 1 as age)'"}, "ts must be a column of popul"),
        (
            {"population": "'(select * replace (9 as age) from owners)'"},
            "population must hold the respondents of owner, and be generalized as release is, got",
        ),
        (
            {"population": "'(select * replace (null as who) from owners)'"},
            "respondent must be free of N",
        ),
    ],
)
def test_bad_input(con, change, message):
    create(con, random.Random(1), strangers=False)
    given = {
        "owner": "'owners'",
        "respondent": "'who'",
        "population": "'everybody'",
        "presence": "{'k_map': 2}",
    } | change
    words = ", ".join(f"{name} := {text}" for name, text in given.items() if text)
    with pytest.raises(duckdb.Error, match=message):
        told(con, words)
