"""tanon.minimal_generalizations and what is published with a population, against every node."""

import random
from datetime import date, timedelta
from itertools import product

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import LEVELS, ZIPS, age_level, zip_level

AGES = (None, 3, 17, 41, 44)
ASKED = {
    "{'k_map': 6}": (6, 0, 1),
    "{'k_map': 3, 'delta_high': 0.6}": (3, 0, 0.6),
    "{'delta_low': 0.1}": (0, 0.1, 1),
    "{'delta_low': 0.05, 'delta_high': 0.7}": (0, 0.05, 0.7),
}
CALENDAR = [(1, "early", date(2024, 1, 1), date(2024, 2, 10)),
            (2, "late", date(2024, 2, 10), date(2024, 4, 1))]  # fmt: skip
GRANULES = {
    "month": lambda day: day.strftime("%Y-%m"),
    "term": lambda day: next(c[1] for c in CALENDAR if c[2] <= day < c[3]),
    "year": lambda day: "2024",
}
FINER = {("month", "year"), ("term", "year")}  # the calendar ends before the year does


def people(seed, several):
    """The population, and those of it who are in the table: some zips are of the others alone."""
    draw = random.Random(seed)
    rows = [
        {
            "who": draw.randrange(40) if several else number,
            "zip": draw.choices(ZIPS, [9, 9, 9, 9, 1, 9])[0],
            "age": draw.choice(AGES),
            "day": date(2024, 1, 1) + timedelta(draw.randrange(90)),
        }
        for number in range(70)
    ]
    here = set(draw.sample(sorted({row["who"] for row in rows}), 24))
    return rows, [row for row in rows if row["who"] in here]


def create(con, everybody, rows):
    con.execute("create table r (who integer, zip varchar, age integer, day date)")
    con.execute("create table p as from r")
    con.executemany("insert into r values (?, ?, ?, ?)", [list(r.values()) for r in rows])
    con.executemany("insert into p values (?, ?, ?, ?)", [list(r.values()) for r in everybody])
    con.execute(
        "create table h (attribute varchar, level integer, value varchar, generalized text)"
    )
    given = [["zip", n, z, zip_level(n)(z)] for n in range(1, 5) for z in ZIPS if z]
    given += [
        ["age", n, None if a is None else str(a), str(age_level(n)(a))]
        for n in (1, 2)
        for a in AGES
    ]
    con.executemany("insert into h values (?, ?, ?, ?)", given)
    con.execute(
        "create table c as select 'term' as granularity, * from (values "
        + ", ".join(f"({n}, '{x}', date '{a}', date '{b}')" for n, x, a, b in CALENDAR)
        + ") as t(granule, label, starts, ends)"
    )


def seen(row, node):
    levels = [LEVELS[q][h](row[q]) for q, h in zip(("zip", "age"), node, strict=False)]
    return (*levels, *(GRANULES[g](row["day"]) for g in node[2:]))


def counted(rows, node):
    found = {}
    for row in rows:
        found.setdefault(seen(row, node), []).append(row["who"])
    return found


def left_out(everybody, rows, node, k, asked):
    """Rows in groups that are left out; None where nobody may be seen to be absent but is."""
    k_map, low, high = asked
    here, wide = counted(rows, node), counted(everybody, node)
    out, absent = 0, False
    for group, members in wide.items():
        f, w = len(set(here.get(group, ()))), len(set(members))
        fine = f >= k and w >= k_map and low <= f / w <= high
        out += len(here.get(group, ())) * (not fine)
        absent |= low > 0 and not fine
    return None if absent else out


def is_below(a, b):
    return a[0] <= b[0] and a[1] <= b[1] and all(
        x == y or (x, y) in FINER for x, y in zip(a[2:], b[2:], strict=True)
    )  # fmt: skip


CASES = [(asked, False, False) for asked in ASKED]
CASES += [(asked, True, False) for asked in list(ASKED)[1:3]]
CASES += [(asked, False, True) for asked in list(ASKED)[1::2]]


@pytest.mark.parametrize(("asked", "several", "timed"), CASES)
def test_as_an_exhaustive_search_finds(con, asked, several, timed):
    everybody, rows = people(42 if "low" in asked else len(asked) + several, several)
    create(con, everybody, rows)
    nodes = list(product(range(5), range(3), *[GRANULES] * timed))
    time = f", ts := 'day', granularities := {list(GRANULES)}, calendar := 'c'" * timed
    found_any = 0
    for share in (0,) if "low" in asked else (0, 0.4):
        out = {n: left_out(everybody, rows, n, 2, ASKED[asked]) for n in nodes}
        fine = [n for n in nodes if out[n] is not None and out[n] <= share * len(rows)]
        wanted = {
            (*n, out[n] / len(rows)) for n in fine
            if not any(o != n and is_below(o, n) for o in fine)
        }  # fmt: skip
        found = con.execute(
            f"select zip, age {', day' * timed}, suppressed_share "
            "from tanon.minimal_generalizations('r', 'who', ['zip', 'age'], 2, 'h', "
            f"max_suppression := {share}, population := 'p', presence := {asked}{time})"
        ).fetchall()
        assert set(found) == wanted and len(found) == len(wanted)
        found_any += len(found)
    assert found_any or several


PUBLISHED = (
    "('r', 'who', ['zip', 'age'], k := 2, hierarchies := 'h', max_suppression := {}, "
    "ts := 'day', granularities := ['month', 'term', 'year'], calendar := 'c', population := 'p', "
    "presence := {}{})"
)


@pytest.mark.parametrize("asked", ["{'k_map': 6, 'delta_high': 0.6}", "{'delta_low': 0.1}"])
def test_what_is_published_is_hidden_in_the_population(con, asked):
    everybody, rows = people(42 if "low" in asked else 5, False)
    create(con, everybody, rows)
    share = 0 if "low" in asked else 0.5
    call = PUBLISHED.format(share, asked, "")
    released = con.execute(f"from tanon.publish_events{call}").fetchall()
    listed = PUBLISHED.format(share, asked, ", result := 'suppressed'")
    out = con.execute(f"from tanon.publish_events{listed}").fetchall()
    summary = PUBLISHED.format(share, asked, ", result := 'summary'")
    granularity, levels, records = con.execute(
        f"select granularity, levels, records from tanon.publish_events{summary}"
    ).fetchone()
    node = (levels["zip"], levels["age"], granularity)
    assert left_out(everybody, rows, node, 2, {"{'delta_low': 0.1}": (0, 0.1, 1)}.get(
        asked, (6, 0, 0.6)
    )) == len(rows) - records == sum(row[4] for row in out)  # fmt: skip
    assert len(released) == records > 0
    assert {row[5] for row in out} <= {"too seldom in population", "fewer than 2 respondents"}
    assert ("too seldom in population" in str(out)) == (share > 0)
    (tuned,) = con.execute(
        "select levels, groups from tanon.tune_events"
        + PUBLISHED.replace("k := 2", "k := [2]").format(f"[{share}]", asked, "")
    ).fetchall()
    assert tuned == (levels, len({row[:3] for row in released}))


@pytest.mark.parametrize("asked", ["{'k_map': 6}", "{'delta_high': 0.6}", "{'delta_low': 0.3}"])
def test_respondents_spelt_in_two_ways_are_one(con, asked):
    """Of a collation, in the table and in the population, each with two rows of one group."""
    con.execute("create table spelt (who varchar collate nocase, zip varchar, age integer)")
    con.execute("create table plain (who varchar, zip varchar, age integer)")
    for table in ("spelt", "plain"):
        again = "upper('p' || i)" if table == "spelt" else "'p' || i"
        con.execute(
            f"insert into {table} select unnest(['p' || i, {again}]), '8033' || i % 2, 30 "
            "from range(24) as t(i)"
        )
        con.execute(
            f"create table {table}_here as from {table} where substr(who, 2)::int % 24 < 12"
        )
    answers = []
    for table in ("spelt", "plain"):
        call = (
            f"from tanon.publish_events('{table}_here', respondent := 'who', qi := ['zip', 'age'], "
            f"k := 3, population := '{table}', presence := {asked})"
        )
        answers.append(con.execute(call).fetchall())
    assert answers[0] == answers[1]
    assert len(answers[0]) == 24


def test_presence_is_looked_at_again_in_the_release(con):
    import tanon_duck

    create(con, *people(5, False))
    text = tanon_duck.sql(
        "publish_events", source="r", respondent="who", qi=["zip", "age"], k=2, hierarchies="h",
        population="p", presence={"k_map": 6}, max_suppression=0.5,
    )  # fmt: skip
    lying = text.replace("or not (true and coalesce(tanon_wide >= 6.0::double, false))", "")
    assert lying != text
    with pytest.raises(duckdb.Error, match="presence must hold in the release, got"):
        con.execute(lying).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("population := 'p'", "presence must be given if population is given, and only then"),
        ("presence := {'k_map': 5}", "presence must be given if population is given, and only th"),
        ("population := 'p', presence := {'k_map': 1}", "presence must be what is asked of"),
        (
            "population := 'p', presence := {'delta_low': 0.1}, max_suppression := 0.1",
            "max_suppression must be 0 if presence has delta_low, because",
        ),
        (
            "population := '(from r limit 9)', presence := {'k_map': 3}",
            "population must hold the respondents of source, got",
        ),
        (
            "population := '(from p union all select 1000, ''9'', 3, day from p limit 71)', "
            "presence := {'k_map': 3}",
            "hierarchies must generalize every value of population on every level once, got 4",
        ),
        (
            "population := '(select who, zip from p)', presence := {'k_map': 3}",
            "qi must be columns of population, none twice, got 'age'",
        ),
    ],
)
def test_bad_input(con, change, message):
    create(con, *people(1, False))
    function = ("minimal_generalizations", "publish_events")[len(change) % 2]
    with pytest.raises(duckdb.Error, match=f"tanon.{function}: {message}"):
        con.execute(
            f"from tanon.{function}('r', respondent := 'who', qi := ['zip', 'age'], k := 2, "
            f"hierarchies := 'h', {change})"
        ).fetchall()


def test_single_cells_are_not_hidden_in_a_population(con):
    create(con, *people(1, False))
    with pytest.raises(duckdb.Error, match="suppression must be 'rows' if population is given"):
        con.execute(
            "from tanon.publish_events('r', respondent := 'who', qi := ['zip'], k := 2, "
            "suppression := 'cells', population := 'p', presence := {'k_map': 3})"
        ).fetchall()
