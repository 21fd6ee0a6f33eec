"""Quality of releases: what is lost, beside anjana's choice from the same hierarchies.

A table like the census extract Adult, whose attributes hang together, and with --data the cases of
a hospital. anjana counts rows, so that nobody has two here; it ends at one generalization, and says
of none that it is the least. What ARX promises is an optimum over all choices: it is found by
trying each of them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import duckdb

import tanon_duck
from bench import _optimum
from bench.harness import Bench, Contender

K = 10
BEST = "the best of all choices"
# A mark is a number in [0, 1) that a row draws; attributes follow age and schooling.
ADULTS = """
create table people as
with drawn as (
    select
        i as person, (hash(i, 1) % 100003) / 100003 as a, (hash(i, 2) % 100003) / 100003 as b,
        (hash(i, 3) % 100003) / 100003 as c, (hash(i, 4) % 100003) / 100003 as d
    from range({rows}) t(i)
)
select
    person, (17 + pow(a, 1.6) * 74)::integer as age,
    least(16, greatest(1, round(9 + 6 * (b - 0.4) + 2 * (1 - a))))::integer as education,
    case when a < 0.2 + 0.2 * c then 'never' when c < 0.65 then 'married' when c < 0.85
        then 'divorced' when a > 0.8 then 'widowed' else 'separated' end as marital,
    case when d < 0.7 + 0.1 * b then 'private' when d < 0.85 then 'self' when d < 0.93 then 'local'
        when d < 0.96 then 'state' when d < 0.99 then 'federal' else 'none' end as work,
    case when c * d < 0.55 then 'us' else 'c' || (hash(person, 5) % 40) end as country,
    case when hash(person, 6) % 3 = 0 then 'f' else 'm' end as sex
from drawn
"""
ADULT_LEVELS = """
create table hierarchies as
select 'age' as attribute, level, age::varchar as value,
    (age // ([5, 10, 20, 100])[level])::varchar as generalized
from (select distinct age from people), range(1, 5) as levels(level)
union all
select 'education', level, education::varchar, (education // ([4, 8, 17])[level])::varchar
from (select distinct education from people), range(1, 4) as levels(level)
union all
select 'marital', level, marital, case when level = 2 then '*'
    when marital = 'married' then 'spouse' else 'alone' end
from (select distinct marital from people), range(1, 3) as levels(level)
union all
select 'work', level, work, case when level = 2 then '*'
    when work in ('local', 'state', 'federal') then 'public' else 'other' end
from (select distinct work from people), range(1, 3) as levels(level)
union all
select 'country', level, country, case when level = 2 then '*'
    when country = 'us' then 'us' else 'elsewhere' end
from (select distinct country from people), range(1, 3) as levels(level)
union all
select 'sex', 1, sex, '*' from (select distinct sex from people)
"""
HOSPITAL = """
create table people as
select
    row_number() over (order by case_id) as person, coalesce(speciality, '-') as speciality,
    coalesce(diagnosis, '-') as diagnosis, month, coalesce(kind, '-') as kind
from (
    select
        {case} as case_id, min({speciality})::varchar as speciality,
        min({diagnosis})::varchar as diagnosis, min({kind})::varchar as kind,
        strftime(min({time})::timestamp, '%Y-%m') as month
    from read_parquet('{file}') group by case_id
)
"""
HOSPITAL_LEVELS = """
create table hierarchies as
select 'speciality' as attribute, 1 as level, speciality as value, '*' as generalized
from (select distinct speciality from people)
union all
select 'kind', 1, kind, '*' from (select distinct kind from people)
union all
select 'diagnosis', level, diagnosis, diagnosis[:2 - level]
from (select distinct diagnosis from people), range(1, 3) as levels(level)
union all
select 'month', level, month, case level when 1 then month[:4] else '*' end
from (select distinct month from people), range(1, 3) as levels(level)
"""
COLUMNS = {
    "case": "case_id",
    "speciality": "speciality",
    "diagnosis": "diagnosis",
    "kind": "casetype",
    "time": "timestamp",
}


def adults(rows: int) -> duckdb.DuckDBPyConnection:
    con = tanon_duck.connect(config={"threads": 2})
    con.execute(ADULTS.format(rows=rows))
    con.execute(ADULT_LEVELS)
    return marked(con)


def marked(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same hierarchies where a generalized value tells its level, by which it is read back."""
    con.execute("update hierarchies set generalized = level || ': ' || generalized")
    return con


def attributes(con: duckdb.DuckDBPyConnection) -> list[str]:
    found = con.execute("select distinct attribute from hierarchies order by all").fetchall()
    return [name for (name,) in found]


def ours(con: duckdb.DuckDBPyConnection, share: float, choose_by: str) -> tuple[Any, Any]:
    """The release that is preferred, read again as a recipient would."""
    qi = attributes(con)
    frame = con.sql(
        f"from tanon.publish_events('people', respondent := 'person', qi := {qi}, k := {K}, "
        f"hierarchies := 'hierarchies', max_suppression := {share}, choose_by := '{choose_by}')"
    ).to_arrow_table()
    return con, frame


def with_levels(con: duckdb.DuckDBPyConnection) -> tuple[Any, Any, dict[str, dict[int, Any]]]:
    """The table as anjana wants it, with what each of its rows becomes on each level."""
    levels: dict[str, dict[int, Any]] = {}
    for name in attributes(con):
        levels[name] = {
            0: con.execute(f"select {name}::varchar as v from people order by person").fetchnumpy()[
                "v"
            ]
        }
        wanted = "select distinct level from hierarchies where attribute = ? order by level"
        for (level,) in con.execute(wanted, [name]).fetchall():
            levels[name][level] = con.execute(
                f"select generalized as v from people join hierarchies on attribute = '{name}' "
                f"and level = {level} and value = {name}::varchar order by person"
            ).fetchnumpy()["v"]
    columns = ", ".join(f"{name}::varchar as {name}" for name in levels)
    return con, con.execute(f"select person, {columns} from people order by person").df(), levels


def anjanas(given: tuple[Any, Any, dict[str, dict[int, Any]]], share: float) -> tuple[Any, Any]:
    from anjana import anonymity

    con, frame, levels = given
    released = anonymity.k_anonymity(frame.copy(), ["person"], list(levels), K, 100 * share, levels)
    return con, released[list(levels)]


def row(con: duckdb.DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    """The only row of a query."""
    (found,) = con.execute(query).fetchall()
    return tuple(found)


def level_of(con: duckdb.DuckDBPyConnection, name: str) -> int:
    """The least level of an attribute that all released values can be of."""
    values = (
        f"select level, generalized as v from hierarchies where attribute = '{name}' "
        f"union select 0, {name}::varchar from people"
    )
    (level,) = row(
        con,
        "select min(level) from (select level, list(distinct v) as known from "
        f"({values}) group by level), (select list(distinct {name}) as met from released) "
        "where list_has_all(known, met)",
    )
    return int(level)


def lost(result: tuple[Any, Any]) -> Mapping[str, float]:
    """Bits and discernibility, by their definitions, of a release as it was received."""
    con, released = result
    con.register("released", released)
    (rows,), (kept,) = (
        row(con, "select count(*) from people"),
        row(con, "select count(*) from released"),
    )
    names, bits = attributes(con), 0.0
    for name in names:
        together, apart = (
            row(
                con,
                "select sum(n * log2(n)), any_value(apart) from (select sum(n) as n, "
                "sum(sum(n * log2(n))) over () as apart from (select generalized, count(*) as n "
                f"from (select {name}::varchar as v from people) left join (from hierarchies where "
                f"attribute = '{name}' and level = {level_of(con, name)}) on value = v "
                "group by v, generalized) group by coalesce(generalized, '')) ",
            )
            if level_of(con, name)
            else (0.0, 0.0)
        )
        (whole,) = row(
            con,
            f"select sum(n * (log2({rows}) - log2(n))) from "
            f"(select count(*) as n from people group by {name})",
        )
        bits += kept / rows * (together - apart) / rows + (1 - kept / rows) * whole / rows
    (squares,) = row(
        con,
        "select coalesce(sum(n * n), 0) from (select count(*) as n from released "
        f"group by {', '.join(names)})",
    )
    con.unregister("released")
    return {"entropy": bits, "discernibility": float(squares) + (rows - kept) * rows}


def tried(con: duckdb.DuckDBPyConnection, share: float) -> Mapping[str, float]:
    """What the best of all choices loses, whichever it is."""
    return _optimum.least_lost(_optimum.on_each_level(con, attributes(con)), K, share)


def hospital(path: Any) -> Callable[[int], duckdb.DuckDBPyConnection]:
    def setup(_: int) -> duckdb.DuckDBPyConnection:
        con = tanon_duck.connect(config={"threads": 2})
        con.execute(HOSPITAL.format(file=path, **COLUMNS))
        con.execute(HOSPITAL_LEVELS)
        return marked(con)

    return setup


def compare(bench: Bench) -> None:
    """What is lost at 0, 2 and 5 % left out, by both measures, by anjana and by any choice."""
    tables: list[tuple[str, Callable[[int], duckdb.DuckDBPyConnection], tuple[int, ...]]]
    tables = [("adults", adults, (5_000, 30_000))]
    if path := bench.data("hospital_billing_events.parquet"):
        tables.append(("cases of a hospital", hospital(path), (10_000,)))
    for name, setup, sizes in tables:
        for share in (0.0, 0.02, 0.05):
            bench.compare(
                f"what a release of {name} loses, {share:.0%} left out",
                setup=setup,
                contenders=[
                    *(
                        Contender(
                            f"by {measure}", partial(ours, share=share, choose_by=measure),
                            quality=lost, runs=1, memory=False,
                        )
                        for measure in ("entropy", "discernibility")
                    ),
                    Contender(
                        "anjana", partial(anjanas, share=share), "peer", needs=("anjana",),
                        prepare=with_levels, quality=lost, largest=10_000, runs=1, memory=False,
                    ),
                    Contender(
                        BEST, partial(tried, share=share), "limit",
                        quality=dict, runs=1, memory=False,
                    ),
                ],
                sizes=sizes,
                quick_sizes=(300,),
            )  # fmt: skip
