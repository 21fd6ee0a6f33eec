"""Whole releases: searching, applying and checking against the plain queries that they need.

The queries of 480 nodes take longer than all else: 60 of them stand for all, an eighth.
"""

from itertools import cycle, product
from typing import Any

import duckdb

import tanon_duck
from bench import _adults
from bench.harness import Bench, Contender

# Nobody has two rows; three attributes with hierarchies of 5, 4 and 3 levels.
PEOPLE = """
create table people as
select
    i as person, (10000 + pow((hash(i) % 1000003) / 1000003, 2) * 1000)::integer as zip,
    (18 + hash(i + 7) % 80)::integer as age, ('o' || hash(i + 11) % 12) as work,
    date '2021-01-01' + (hash(i + 13) % 1095)::integer as day,
    ('d' || hash(i + 17) % 9) as disease
from range({rows}) as people(i)
"""
HIERARCHIES = """
create table hierarchies as
select 'zip' as attribute, level, zip::varchar as value,
    (zip // ([10, 100, 1000, 100000])[level])::varchar as generalized
from (select distinct zip from people), range(1, 5) as levels(level)
union all
select 'age', level, age::varchar, (age // ([5, 20, 200])[level])::varchar
from (select distinct age from people), range(1, 4) as levels(level)
union all
select 'work', level, work, case level when 1 then (work[2:]::integer // 4)::varchar else '*' end
from (select distinct work from people), range(1, 3) as levels(level)
"""
ZIP = ["zip", "zip // 10", "zip // 100", "zip // 1000", "zip // 100000"]
AGE = ["age", "age // 5", "age // 20", "age // 200"]
WORK = ["work", "work[2:]::integer // 4", "work[:0]"]
TIMES = {
    "day": "day",
    "3 days": "(day - date '2021-01-01') // 3",
    "week": "date_trunc('week', day)",
    "2 weeks": "(day - date '2021-01-04') // 14",
    "month": "date_trunc('month', day)",
    "quarter": "date_trunc('quarter', day)",
    "half_year": "year(day) * 2 + month(day) // 7",
    "year": "date_trunc('year', day)",
}
CALL = (
    "'people', respondent := 'person', qi := ['zip', 'age', 'work'], ts := 'day', k := 5, "
    f"granularities := {list(TIMES)}, hierarchies := 'hierarchies'"
)
FIXED = (
    "'people', respondent := 'person', qi := ['zip', 'age', 'work'], ts := 'day', k := 5, "
    "granularities := ['month'], hierarchies := 'hierarchies', "
    "levels := {'zip': 1, 'age': 1, 'work': 1}, max_suppression := 0.999"
)


def people(rows: int) -> duckdb.DuckDBPyConnection:
    con = tanon_duck.connect(config={"threads": 2})
    con.execute(PEOPLE.format(rows=rows))
    con.execute(HIERARCHIES)
    return con


def little_memory(rows: int) -> duckdb.DuckDBPyConnection:
    con = people(rows)
    con.execute("set memory_limit = '1GB'")
    return con


def published(con: duckdb.DuckDBPyConnection, share: str, call: str = CALL) -> list[Any]:
    """The whole release, as a table."""
    return con.execute(
        "create or replace table released as "
        f"from tanon.publish_events({call}, keep := ['disease'] {share})"
    ).fetchall()


def searched(con: duckdb.DuckDBPyConnection, share: str) -> list[Any]:
    return con.execute(f"from tanon.minimal_generalizations({CALL} {share})").fetchall()


def some_nodes(con: duckdb.DuckDBPyConnection) -> None:
    """60 of its 480 queries: each choice of levels once, with the granularities in turn.

    Counting rows is right here alone, as nobody has two.
    """
    times = cycle(TIMES.values())
    for levels in product(ZIP, AGE, WORK):
        con.execute(
            "select min(n) from (select count(*) as n from people "
            f"group by {', '.join(levels)}, {next(times)})"
        ).fetchall()


def copied(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table copied as from people")


def some_nodes_and_a_copy(con: duckdb.DuckDBPyConnection) -> None:
    """A quarter of what a release may take, which is half its queries, and four copies."""
    some_nodes(con)
    copied(con)


def one_node(con: duckdb.DuckDBPyConnection) -> list[Any]:
    return con.execute(
        "select min(f) from (select count(distinct person) as f from people "
        f"group by {ZIP[1]}, {AGE[1]}, {WORK[1]}, {TIMES['month']})"
    ).fetchall()


def hidden_cells(con: duckdb.DuckDBPyConnection) -> list[Any]:
    """Which attributes of which groups are suppressed."""
    return con.execute(
        "select count(*), sum(tuples) from tanon.publish_events("
        f"{FIXED}, suppression := 'cells', result := 'suppressed')"
    ).fetchall()


SOME = ", max_suppression := 0.02"


def run(bench: Bench) -> None:
    bench.compare(
        "a release after a search over 480 nodes",
        setup=people,
        contenders=[
            Contender("publish_events", lambda con: published(con, ""), runs=3),
            Contender(
                "2 % left out", lambda con: published(con, SOME), runs=3, largest=1_000_000,
                memory=False,
            ),
            Contender(
                "search, 2 % left out", lambda con: searched(con, SOME), runs=3,
                largest=1_000_000, memory=False,
            ),
            Contender(
                "60 queries of 480, and a copy", some_nodes_and_a_copy, "baseline", runs=3,
                largest=1_000_000, memory=False,
            ),
            Contender(
                "60 queries of 480", some_nodes, "baseline", runs=3, largest=1_000_000,
                memory=False,
            ),
        ],
        sizes=(1_000_000, 3_000_000, 10_000_000),
        quick_sizes=(1_000, 2_000),
    )  # fmt: skip
    bench.compare(
        "suppression of single cells",
        setup=people,
        contenders=[
            Contender("hidden cells", hidden_cells, runs=3),
            Contender(
                "a release with cells",
                lambda con: published(con, ", suppression := 'cells'", FIXED), runs=3,
                memory=False,
            ),
            Contender(
                "a release with rows", lambda con: published(con, "", FIXED), runs=3,
                largest=1_000_000, memory=False,
            ),
            Contender("a plain group by", one_node, "baseline", memory=False),
        ],
        sizes=(1_000_000, 3_000_000, 10_000_000),
        quick_sizes=(20_000, 40_000),
    )  # fmt: skip
    bench.compare(
        "a release in 1 GB",
        setup=little_memory,
        contenders=[Contender("publish_events", lambda con: published(con, SOME), runs=1,
                              memory=False)],
        sizes=(10_000_000,),
        quick_sizes=(2_000,),
    )  # fmt: skip
    _adults.compare(bench)
