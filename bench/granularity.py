"""Temporal generalization: the whole lattice against one count(distinct) for each granularity."""

from typing import Any

import duckdb

import tanon_duck
from bench.harness import Bench, Contender

# Respondents with fifty visits each over three years; attributes belong to the respondent.
VISITS = """
create table visits as
select
    (hash(i * 7 + 1) % {people})::integer as patient,
    (pow((hash(hash(i * 7 + 1) % {people} + 11) % 1000000) / 1e6, 2) * 100)::integer as zip,
    (hash(hash(i * 7 + 1) % {people} + 22) % 10)::integer as age_band,
    if(hash(hash(i * 7 + 1) % {people} + 33) % 2 = 0, 'f', 'm') as sex,
    timestamp '2021-01-01' + to_seconds((hash(i * 7 + 4) % 94694400)::bigint) as visited
from range({rows}) as visits(i)
"""
# Business days; a weekend belongs to the Friday before.
CALENDAR = """
create table calendar as
select
    'business' as granularity, row_number() over (order by d) as granule, d::date::varchar as label,
    d as starts, lead(d, 1, timestamp '2024-06-03') over (order by d) as ends
from range(timestamp '2020-06-01', timestamp '2024-06-01', interval 1 day) as days(d)
where isodow(d) < 6
"""
GRANULES = {
    "hour": "date_trunc('hour', visited)",
    "six_hours": "time_bucket(interval '6 hours', visited)",
    "day": "visited::date",
    "week": "date_trunc('week', visited)",
    "business": "granule",
    "month": "date_trunc('month', visited)",
    "quarter": "date_trunc('quarter', visited)",
    "year": "date_trunc('year', visited)",
}
BY_DAY = """visits join (
    select granule, unnest(range(starts, ends, interval 1 day))::date as day from calendar
) on visited::date = day"""
CALL = (
    "'visits', respondent := 'patient', qi := ['zip', 'age_band', 'sex'], ts := 'visited', "
    f"granularities := {list(GRANULES)}, calendar := 'calendar'"
)


def visits(rows: int) -> duckdb.DuckDBPyConnection:
    con = tanon_duck.connect(config={"threads": 2})
    con.execute(VISITS.format(rows=rows, people=max(rows // 50, 1)))
    con.execute(CALENDAR)
    return con


def little_memory(rows: int) -> duckdb.DuckDBPyConnection:
    con = visits(rows)
    con.execute("set memory_limit = '1GB'")
    return con


def plain(granularity: str, counted: str = "count(distinct patient) as f") -> str:
    source = BY_DAY if granularity == "business" else "visits"
    return (
        f"select min(f), sum(f), count(*) from (select {counted} from {source} "
        f"group by zip, age_band, sex, {GRANULES[granularity]})"
    )


def eight_plain(con: duckdb.DuckDBPyConnection) -> list[Any]:
    return [con.execute(plain(name)).fetchall()[0] for name in GRANULES]


def eight_with_rows(con: duckdb.DuckDBPyConnection) -> list[Any]:
    """The same with the rows of each group, which the share of suppressed rows needs."""
    counted = "count(distinct patient) as f, count(*) as n"
    return [
        con.execute(plain(name, counted).replace("count(*) from", "sum(n) from")).fetchall()[0]
        for name in GRANULES
    ]


def metrics(con: duckdb.DuckDBPyConnection) -> list[Any]:
    call = f"tanon.granularity_metrics({CALL}, k := 5)"
    return con.execute(f"select gen_m, gen_s, groups from {call}").fetchall()


def facts(con: duckdb.DuckDBPyConnection) -> list[Any]:
    call = f"tanon.report_events({CALL}, k := 5)"
    return con.execute(f"from {call}").fetchall()


def least(con: duckdb.DuckDBPyConnection) -> list[Any]:
    call = f"tanon.least_generalization({CALL}, k := 5, max_suppression := 0.001)"
    return con.execute(f"select granularity from {call}").fetchall()


def looked_at(con: duckdb.DuckDBPyConnection) -> list[Any]:
    """All but quarter and year, which lie above month; week, the least, is not finer than month."""
    return [con.execute(plain(n)).fetchall() for n in GRANULES if n not in ("quarter", "year")]


def one(con: duckdb.DuckDBPyConnection, granularity: str = "week") -> list[Any]:
    call = (
        "tanon.k_anonymity('visits', respondent := 'patient', qi := ['zip', 'age_band', 'sex'], "
        f"ts := 'visited', granularity := '{granularity}')"
    )
    return con.execute(f"select gen_m, gen_s, groups from {call}").fetchall()


def one_plain(con: duckdb.DuckDBPyConnection, granularity: str = "week") -> list[Any]:
    return con.execute(plain(granularity)).fetchall()


def with_pycanon(frame: Any) -> int:
    from pycanon import anonymity

    return int(anonymity.k_anonymity(frame, ["zip", "age_band", "sex", "visited"]))


def one_granularity(bench: Bench, name: str, granularity: str, shape: str) -> None:
    bench.compare(
        name,
        setup=visits,
        contenders=[
            Contender("k_anonymity", lambda con: one(con, granularity)),
            Contender("plain SQL", lambda con: one_plain(con, granularity), "baseline"),
            Contender(
                "pycanon", with_pycanon, "peer", needs=("pycanon",), largest=1_000_000,
                prepare=lambda con: con.execute(
                    f"select zip, age_band, sex, strftime(visited, '{shape}') as visited "
                    "from visits"
                ).df(),
            ),
        ],
        sizes=(1_000_000, 10_000_000),
        quick_sizes=(1_000, 2_000),
        same=("k_anonymity", "plain SQL"),
    )  # fmt: skip


PEOPLE = """
create table people as
select
    i as person, (10000 + pow((hash(i) % 1000003) / 1000003, 2) * 1000)::integer as zip,
    (18 + hash(i + 7) % 80)::integer as age,
    date '2021-01-01' + (hash(i + 13) % 1095)::integer as day
from range({rows}) as people(i)
"""
HIERARCHIES = """
create table hierarchies as
select 'zip' as attribute, level, zip::varchar as value, (zip // (10 ** level)::integer)::varchar
    as generalized
from (select distinct zip from people), range(1, 6) as levels(level)
union all
select 'age', level, age::varchar, (age // ([5, 10, 20, 200])[level])::varchar
from (select distinct age from people), range(1, 5) as levels(level)
"""
ZIP = ["zip", *(f"zip // {10**n}" for n in range(1, 6))]
AGE = ["age", "age // 5", "age // 10", "age // 20", "age // 200"]
TIMES = {
    "day": "day",
    "week": "date_trunc('week', day)",
    "month": "date_trunc('month', day)",
    "quarter": "date_trunc('quarter', day)",
    "year": "date_trunc('year', day)",
    "100 years": "year(day) // 100",
}


def people(rows: int) -> duckdb.DuckDBPyConnection:
    con = tanon_duck.connect(config={"threads": 2})
    con.execute(PEOPLE.format(rows=rows))
    con.execute(HIERARCHIES)
    return con


def lattice(con: duckdb.DuckDBPyConnection, share: float = 0) -> list[Any]:
    return con.execute(
        "from tanon.minimal_generalizations('people', respondent := 'person', qi := ['zip', "
        "'age'], "
        f"k := 5, hierarchies := 'hierarchies', ts := 'day', granularities := {list(TIMES)}, "
        f"max_suppression := {share})"
    ).fetchall()


def with_hierarchies(con: duckdb.DuckDBPyConnection) -> tuple[Any, dict[str, dict[int, Any]]]:
    """The table as anjana wants it, with what each of its rows becomes on each level."""
    offered = {"zip": ZIP, "age": AGE, "day": list(TIMES.values())}
    levels = {
        name: {
            level: con.execute(f"select ({value})::varchar as v from people").fetchnumpy()["v"]
            for level, value in enumerate(values)
        }
        for name, values in offered.items()
    }
    columns = ", ".join(f"{name}::varchar as {name}" for name in offered)
    return con.execute(f"select person, {columns} from people").df(), levels


def with_anjana(table: tuple[Any, dict[str, dict[int, Any]]]) -> list[tuple[int]]:
    """Its walk ends at one generalization, seldom a least one."""
    from anjana import anonymity

    frame, levels = table
    released = anonymity.k_anonymity(frame, ["person"], list(levels), 5, 0, levels)
    return [(len(released),)]


def every_node(con: duckdb.DuckDBPyConnection) -> list[Any]:
    """180 queries that count rows: right only because nobody has two."""
    return [
        con.execute(
            f"select min(n) from (select count(*) as n from people group by {z}, {a}, {t})"
        ).fetchall()
        for z in ZIP
        for a in AGE
        for t in TIMES.values()
    ]


def run(bench: Bench) -> None:
    bench.compare(
        "metrics of eight granularities",
        setup=visits,
        contenders=[
            Contender("granularity_metrics", metrics),
            Contender("least_generalization", least),
            Contender("eight count(distinct)", eight_plain, "baseline"),
            Contender("eight with rows", eight_with_rows, "baseline", memory=False),
            Contender("those looked at", looked_at, "baseline", memory=False),
        ],
        sizes=(1_000_000, 3_000_000, 10_000_000),
        quick_sizes=(1_000, 2_000, 4_000),
        same=("granularity_metrics", "eight count(distinct)"),
    )  # fmt: skip
    bench.compare(
        "all facts of a report",
        setup=visits,
        contenders=[
            Contender("report_events", facts),
            Contender("granularity_metrics", metrics, "baseline"),
        ],
        sizes=(1_000_000,),
        quick_sizes=(1_000, 2_000),
    )
    one_granularity(bench, "k-anonymity in weeks", "week", "%G-W%V")
    one_granularity(bench, "k-anonymity of raw rows, nearly all unique", "hour", "%Y-%m-%d %H:00")
    bench.compare(
        "eight granularities in 1 GB",
        setup=little_memory,
        contenders=[Contender("granularity_metrics", metrics, runs=1, memory=False)],
        sizes=(30_000_000,),
        quick_sizes=(4_000,),
    )
    bench.compare(
        "a lattice of 180 nodes",
        setup=people,
        contenders=[
            Contender("minimal_generalizations", lattice),
            Contender(
                "2 % left out", lambda con: lattice(con, 0.02), largest=1_000_000, memory=False
            ),
            Contender("180 queries", every_node, "baseline", largest=1_000_000),
            Contender(
                "anjana", with_anjana, "peer", needs=("anjana",), prepare=with_hierarchies,
                largest=10_000, runs=1,
            ),
        ],
        sizes=(10_000, 100_000, 1_000_000, 10_000_000),
        quick_sizes=(1_000, 2_000, 4_000),
    )  # fmt: skip
