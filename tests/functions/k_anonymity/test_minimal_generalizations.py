"""tanon.minimal_generalizations against trying every node of the lattice."""

import random
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache

import duckdb
import pytest

from oracles.dated_rows import create_calendar, up
from oracles.finer import finer
from oracles.generalization import bits_lost, minimal_nodes

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


CALL = (
    "from tanon.minimal_generalizations('r', respondent := 'who', qi := ['zip', 'age'], k := "
    "{}, {})"
)
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
    assert {((a, b), g): (m, s, sh, d) for a, b, g, m, s, _, sh, d, *_ in found} == wanted
    assert len(found) == len(wanted)
    timeless = minimal_nodes(
        rows, "who", ["zip", "age"], "seen", {"": lambda _: 0}, is_finer, LEVELS, k, share
    )
    found = con.execute(CALL.format(k, options)).fetchall()
    assert {((a, b), ""): (m, s, sh, d) for a, b, m, s, _, sh, d, *_ in found} == timeless


@pytest.mark.parametrize("suppression", ["0", "0.004", "0.03", "0.3"])
@pytest.mark.parametrize("seed", range(6))
def test_rare_values_and_respondents_with_several_rows_mislead_nobody(con, seed, suppression):
    draw = random.Random(seed)
    people = draw.choice([60, 200, 600])
    rows = [
        {
            "who": draw.randrange(people) if seed % 2 else number,
            "zip": draw.choices(ZIPS, [(400, 200, 100, 50, 3, 5), (9, 9, 9, 9, 9, 2)][seed % 2])[0],
            "age": draw.choices([None, 3, 17, 23, 41, 44], [1, 60, 60, 60, 60, 4])[0],
            "seen": datetime(2023, 11, 1) + timedelta(days=draw.randrange((20, 90, 300)[seed % 3])),
        }
        for number in range(600)
    ]
    create(con, rows)
    k = 2 + seed
    ups = {name: up(name) for name in GRANULARITIES}
    wanted = minimal_nodes(
        rows, "who", ["zip", "age"], "seen", ups, is_finer, LEVELS, k, Fraction(suppression)
    )
    options = f"hierarchies := 'h', max_suppression := {suppression}, {TIME}"
    found = con.execute(CALL.format(k, options)).fetchall()
    assert {((a, b), g): (m, s, sh, d) for a, b, g, m, s, _, sh, d, *_ in found} == wanted


PLAIN = """
select
    {z} as z, {a} as a, {w} as w, min(f) filter (f >= 5),
    coalesce(sum(f) filter (f >= 5), 0)::bigint, count(*),
    coalesce(sum(n) filter (f < 5), 0) / sum(n),
    sum(case when f < 5 then n * 90000 else n * n end)::bigint
from (
    select count(distinct who) as f, count(*) as n
    from r
    group by zip // {z_width}, age // {a_width}, date_trunc('{time}', seen)
)
having coalesce(sum(n) filter (f < 5), 0) <= {suppression} * sum(n)
"""


@pytest.mark.parametrize("who", ["i", "hash(i) % 60000", "hash(i) % 2000"])
@pytest.mark.parametrize("suppression", ["0", "0.01", "0.2"])
def test_many_rows_as_plain_queries_of_every_node_find(con, who, suppression):
    con.execute(f"""create table r as select ({who})::integer as who,
        (pow(hash(i + 3) % 1000 / 1000, 2) * 1000)::integer as zip,
        (hash(i + 5) % 90)::integer as age,
        timestamp '2024-01-01' + to_minutes((hash(i + 7) % 525600)::integer) as seen
        from range(90000) as t(i)""")
    con.execute("""create table h as
        select 'zip' as attribute, level, zip as value, zip // ([50, 2000])[level] as generalized
        from (select distinct zip from r), range(1, 3) as levels(level)
        union all
        select 'age', level, age, age // ([15, 90])[level]
        from (select distinct age from r), range(1, 3) as levels(level)""")
    times = ["hour", "week", "month", "year"]
    nodes = [
        con.execute(
            PLAIN.format(
                z=z, a=a, w=w, z_width=(1, 50, 2000)[z], a_width=(1, 15, 90)[a], time=time,
                suppression=suppression,
            )
        ).fetchall()
        for z in range(3) for a in range(3) for w, time in enumerate(times)
    ]  # fmt: skip
    accepted = [found[0] for found in nodes if found]

    def below(n, m):
        time = n[2] == m[2] or (n[2] < m[2] and (n[2], m[2]) not in [(1, 2), (1, 3)])
        return n != m and n[0] <= m[0] and n[1] <= m[1] and time

    minimal = {n for n in accepted if not any(below(o, n) for o in accepted)}
    found = con.execute(CALL.format(
        5, f"hierarchies := 'h', max_suppression := {suppression}, ts := 'seen', "
        f"granularities := {times}"
    )).fetchall()  # fmt: skip
    assert {(*row[:2], times.index(row[2]), *row[3:8]) for row in found} == minimal


def bits(rows, node, share, weights=None):
    (zip_height, age_height), granularity = node
    columns = {
        "zip": (lambda r: r["zip"], lambda r: LEVELS["zip"][zip_height](r["zip"])),
        "age": (lambda r: r["age"], lambda r: LEVELS["age"][age_height](r["age"])),
        "seen": (lambda r: r["seen"], lambda r: up(granularity)(r["seen"])),
    }
    return bits_lost(rows, columns, weights or {}, share)


@pytest.mark.parametrize("seed", [5, 6, 7, 9, 10, 11])
def test_bits_lost_and_what_is_preferred(con, seed):
    rows = people(seed)
    create(con, rows)
    asked = {
        "'least'": lambda node: (node[3] or 0, -node[4]),
        "'gen_s'": lambda node: -node[4],
        "'discernibility'": lambda node: node[7],
        "'entropy'": lambda node: node[8],
        "{'ZIP': 3, 'seen': 0}": lambda node: node[8],
        "null": lambda node: node[8],
    }
    for prefer, cost in asked.items():
        options = f"hierarchies := 'h', max_suppression := 0.2, {TIME}, choose_by := {prefer}"
        found = con.execute(CALL.format(2, options)).fetchall()
        weights = {"zip": 3, "seen": 0} if "ZIP" in prefer else {}
        for row in found:
            wanted = bits(rows, (row[:2], row[2]), row[6], weights)
            assert row[8] == pytest.approx(wanted, abs=1e-6)
        (preferred,) = (row for row in found if row[9])
        assert cost(preferred) == pytest.approx(min(map(cost, found)), abs=1e-6)


def test_a_level_that_is_fixed(con):
    create(con, people(5))
    options = f"hierarchies := 'h', max_suppression := 0.9, {TIME}"
    ask = CALL.format(2, options + ", levels := {'Zip': 2}")
    found = con.execute(ask).fetchall()
    assert {row[0] for row in found} == {2}
    rows = people(5)
    ups = {name: up(name) for name in GRANULARITIES}
    fixed = {"zip": [LEVELS["zip"][2]], "age": LEVELS["age"]}
    share = Fraction("0.9")
    wanted = minimal_nodes(rows, "who", ["zip", "age"], "seen", ups, is_finer, fixed, 2, share)
    assert {((0, b), g): (m, s, sh, d) for a, b, g, m, s, _, sh, d, *_ in found} == wanted


def test_an_attribute_without_a_hierarchy_stays_as_it_is(con):
    create(con, people(5))
    con.execute("delete from h where attribute = 'zip'")
    found = con.execute(CALL.format(2, "hierarchies := 'h', max_suppression := 0.9")).fetchall()
    assert found
    assert {row[0] for row in found} == {0}


def test_names_of_columns_in_other_letters(con):
    create(con, people(5))
    plain = con.execute(CALL.format(2, "hierarchies := 'h', max_suppression := 0.2")).fetchall()
    assert max(row[0] for row in plain) > 0
    con.execute("update h set attribute = upper(attribute)")
    again = con.execute(CALL.format(2, "hierarchies := 'h', max_suppression := 0.2")).fetchall()
    assert sorted(again) == sorted(plain)
    for qi in ("['zip', 'ZIP']", "['Who']", "['Seen']"):
        with pytest.raises(duckdb.Error, match=r"(qi|respondent|ts) must be"):
            con.execute(
                f"from tanon.minimal_generalizations('r', 'who', {qi}, 2, 'h', {TIME})"
            ).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("delete from h where level = 2 and attribute = 'zip'", r"levels 1, 2, 3 .*zip \[0, 1, 3"),
        ("delete from h where value = '17' and level = 1", "every value on every level once"),
        ("insert into h values ('age', 1, '17', 'odd')", "every value on every level once.*17"),
        ("update h set generalized = 'odd' where value = '44' and level = 2", "must be nested"),
        ("insert into h values ('age', 1, null, 'odd')", "every value on every level once.*NULL"),
        ("update h set generalized = '40' where value is null and level = 1", "must be nested"),
    ],
)
def test_hierarchies_are_checked(con, change, message):
    rows = [
        {"who": 1, "zip": "1000", "age": age, "seen": datetime(2024, 1, 1)}
        for age in (17, 41, 44, None)
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
        ("hierarchies := 'h', ts := 'seen'", "granularities must be given if ts is given"),
        (
            "hierarchies := 'h', granularities := ['day']",
            "granularities must be given if ts is given",
        ),
        ("hierarchies := 'h', max_suppression := 2", "max_suppression must be a number in"),
        (
            "hierarchies := 'h', levels := {'zip': 5}",
            "levels must be .* zip, .* levels 0 to 4",
        ),
        ("hierarchies := 'h', levels := {'zpi': 1}", "levels must be levels of columns of qi"),
        ("hierarchies := 'h', levels := {'zip': 0.5}", "levels must be levels by attribute such"),
        (
            "hierarchies := 'h', choose_by := 'best'",
            "choose_by must be one of 'least', .* got 'best'",
        ),
        (
            "hierarchies := 'h', choose_by := {'seen': 1}",
            "choose_by must be .* weights of columns",
        ),
    ],
)
def test_bad_input(con, options, message):
    create(con, people(3))
    with pytest.raises(duckdb.Error, match=f"tanon.minimal_generalizations: {message}"):
        con.execute(CALL.format(2, options)).fetchall()
