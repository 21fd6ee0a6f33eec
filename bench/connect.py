"""Start-up and the cost of one call: what the functions add to a plain DuckDB connection."""

import duckdb

import tanon_duck
from bench.harness import Bench, Contender


def run(bench: Bench) -> None:
    bench.compare(
        "opening a connection",
        setup=lambda size: None,
        contenders=[
            Contender("tanon_duck.connect", lambda _: tanon_duck.connect().close(), "ours"),
            Contender("duckdb.connect", lambda _: duckdb.connect().close(), "limit"),
        ],
        sizes=[1],
        quick_sizes=[1],
    )
    bench.compare(
        "one call on a table of twenty rows",
        setup=_tiny,
        contenders=[
            Contender("tanon.k_anonymity", lambda con: con.execute(_CALL).fetchall(), "ours"),
            Contender("plain SQL", lambda con: con.execute(_SQL).fetchall(), "baseline"),
        ],
        sizes=[20],
        quick_sizes=[20],
        same=("tanon.k_anonymity", "plain SQL"),
    )


_CALL = "from tanon.k_anonymity('visits', respondent := 'patient', qi := ['zip'])"
_SQL = """
with frequencies as (
    select zip, count(distinct patient) as f, count(*) as n from visits group by zip
)
select min(f), sum(f)::bigint, count(*), sum(n)::bigint,
    (select count(distinct patient) from visits)
from frequencies
"""


def _tiny(size: int) -> duckdb.DuckDBPyConnection:
    con = tanon_duck.connect()
    con.execute(
        "create table visits as select i % 7 as patient, i % 3 as zip from range($size) as r(i)",
        {"size": size},
    )
    return con
