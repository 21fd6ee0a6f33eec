"""Reposition and Anatomy: counts, rows, one more day, little memory."""

from __future__ import annotations

import tempfile
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import tanon_duck
from bench._data import Integers, daily_counts
from bench.baselines.figure_4_mended import mended
from bench.harness import Bench, Contender
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.stream import Repositioner
from tanon_duck.algorithms.reposition.window import Settings, loss
from tanon_duck.secret import new_secret

W, L, VALUES, SNAPSHOTS = 7, 5, 50, 3_650
FIRST = date(2010, 1, 1)
CALL = f"respondent := 'person', ts := 'day', sensitive := 'disease', l := {L}, w := {W}"
COPY = "create or replace table copied as select *, day as published_ts from source"
# The least work there is: each row finds where its group goes, and the rows leave in order.
# Copy, this and the function are run by turns, so that a busy machine is busy for all of them.
JOIN = """create or replace table moved as
    select published_ts, disease, person, age, zip
    from source join goes using (day, disease)
    order by published_ts, disease, person, age, zip"""
REPOSITION = f"""create or replace table moved as
    from tanon.publish_stream('source', {CALL}, keep := ['age', 'zip'])"""
SORT = """create or replace table sorted as
    select *, row_number() over (partition by day order by disease) as place from released"""
SAME_SORT = f"""create or replace table sorted as select *, row_number() over (
    partition by day order by disease, tanon._keyed(
        tanon._key('{new_secret()}', 'sort', ''), concat(day, ' ', age, ' ', zip, ' ', disease)
    )) as place from released"""
SAME_SORT_ALL = f"""create or replace table sorted as select *, row_number() over (
    order by disease, tanon._keyed(
        tanon._key('{new_secret()}', 'sort', ''), concat(day, ' ', age, ' ', zip, ' ', disease)
    )) as place from released"""
ANATOMIZE = f"""create or replace table dealt as
    from tanon.diverse_groups('released', sensitive := 'disease', l := {L}, partition := 'day',
        rows_are_persons := true)"""
ANATOMIZE_ALL = f"""create or replace table dealt as
    from tanon.diverse_groups('released', sensitive := 'disease', l := {L},
        rows_are_persons := true)"""
PUBLISH = f"""create or replace table dealt as
    from tanon.publish_table_pair('released', qi := ['age', 'zip'], sensitive := 'disease',
        l := {L}, partition := 'day', result := 'individuals', rows_are_persons := true)"""

Cells = tuple[Integers, Integers, Integers]


def cells(snapshots: int, mean_records: float, seed: int = 1) -> Cells:
    """Counts of a stream whose commonest value is often more than one fifth."""
    counts = daily_counts(snapshots, VALUES, mean_records, spikes=0.1, seed=seed)
    instants, values = np.nonzero(counts)
    return instants, values, counts[instants, values]


def settings(mu: str = "d") -> Settings:
    costs = cost_table(mu, W)
    return Settings(Fraction(L), W, costs, [costs[-1]] * VALUES)


def relay(given: Cells, method: str = "step", mu: str = "d") -> dict[str, float]:
    """Reposition counts; return what it cost."""
    chosen = settings(mu)
    stream = mended(chosen) if method == "mended" else Repositioner(chosen, method)
    flows = stream.advance(*given) + stream.finish()
    suppressed = sum(n for _, _, slot, n in flows if slot is None)
    return {"loss": loss(settings(mu), flows) / MICRO, "suppressed": suppressed}


def table(con: Any, name: str, given: Cells) -> None:
    """Rows of a stream, in order of time, as they would be collected."""
    instants, values, records = (pa.array(column) for column in given)
    con.register("cells", pa.table({"t": instants, "v": values, "n": records}))
    con.execute(
        f"create or replace table {name} as select "
        "(hash(t, v, i) % 1000000000)::int as person, date '2010-01-01' + t::int as day, "
        "20 + (hash(t, v, i) % 60)::int as age, 10000 + (hash(i, v) % 1000)::int as zip, "
        "'disease ' || v as disease from cells, unnest(range(n)) as r(i) order by t, hash(i, v)"
    )
    con.unregister("cells")


def rows(size: int) -> Any:
    con = tanon_duck.connect(config={"threads": 2})
    table(con, "source", cells(SNAPSHOTS, size / SNAPSHOTS))
    con.execute(
        "create table goes as select distinct day, disease, day as published_ts from source"
    )
    return con


def released(size: int) -> Any:
    con = rows(size)
    con.execute(REPOSITION)
    con.execute("create table released as select person, day, age, zip, disease from moved")
    return con


class OneGigabyte:
    """A database file that may use 1 GB of memory and spills beside itself."""

    def __init__(self, size: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "source.duckdb"
        with duckdb.connect(str(path)) as con:
            table(con, "source", cells(SNAPSHOTS, size / SNAPSHOTS))
        self.con = tanon_duck.connect(path, config={"threads": 2, "memory_limit": "1GB"})

    def close(self) -> None:
        self.con.close()
        self._folder.cleanup()


class Years:
    """A publication that has seen so many days; each advance takes in one more of 2,000 rows."""

    def __init__(self, days: int) -> None:
        self.con = tanon_duck.connect(config={"threads": 2})
        table(self.con, "source", cells(days + 60, 2_000))
        self.stream = tanon_duck.publication(
            self.con,
            "release",
            "source",
            "day",
            "disease",
            ["age", "zip"],
            L,
            W,
            respondent="person",
        )
        self.next = FIRST + timedelta(days)
        self.stream.advance(self.next)

    def advance(self) -> None:
        self.next += timedelta(1)
        self.stream.advance(self.next)

    def close(self) -> None:
        self.con.close()


def run(bench: Bench) -> None:
    _counts(bench)
    _methods(bench)
    _rows(bench)
    _anatomy(bench)
    _advance(bench)


def _counts(bench: Bench) -> None:
    bench.compare(
        "the relay on counts: 3,650 snapshots x 50 values, by records",
        setup=lambda size: cells(SNAPSHOTS, size / SNAPSHOTS),
        contenders=[Contender("relay", relay, quality=lambda cost: cost)],
        sizes=(730_000, 7_300_000, 73_000_000),
        quick_sizes=(3_650, 7_300, 14_600),
    )


def _methods(bench: Bench) -> None:
    needs = ("highspy",)
    bench.compare(
        "methods on counts: snapshots of about 200 records, mu = d^2",
        setup=lambda size: cells(size, 200),
        contenders=[
            Contender("step", lambda c: relay(c, "step", "d^2"), quality=lambda cost: cost),
            Contender("paper", lambda c: relay(c, "paper", "d^2"), quality=lambda cost: cost),
            Contender(
                "paper, one line mended",
                lambda c: relay(c, "mended", "d^2"),
                quality=lambda cost: cost,
            ),
            Contender(
                "window",
                lambda c: relay(c, "window", "d^2"),
                quality=lambda cost: cost,
                needs=needs,
                runs=1,
            ),
        ],
        sizes=(100,),
        quick_sizes=(6,),
    )


def _rows(bench: Bench) -> None:
    bench.compare(
        "reposition end to end, by rows",
        setup=rows,
        contenders=[
            Contender("tanon.publish_stream", lambda con: con.execute(REPOSITION)),
            Contender("join and order", lambda con: con.execute(JOIN), "limit"),
            Contender("create table as", lambda con: con.execute(COPY), "limit"),
        ],
        sizes=(1_000_000, 7_300_000, 30_000_000),
        quick_sizes=(4_000, 8_000, 16_000),
    )
    bench.compare(
        "reposition with memory_limit = '1GB'",
        setup=OneGigabyte,
        contenders=[
            Contender(
                "tanon.publish_stream", lambda it: it.con.execute(REPOSITION), runs=1, memory=False
            )
        ],
        sizes=(30_000_000,),
        quick_sizes=(10_000,),
    )


def _anatomy(bench: Bench) -> None:
    bench.compare(
        "anatomize, by rows",
        setup=released,
        contenders=[
            Contender("tanon.publish_table_pair", lambda con: con.execute(PUBLISH), runs=3),
            Contender("tanon.diverse_groups", lambda con: con.execute(ANATOMIZE), runs=3),
            Contender("no partition", lambda con: con.execute(ANATOMIZE_ALL), runs=3),
            Contender("window sort", lambda con: con.execute(SORT), "limit", runs=3),
            Contender("with the same order", lambda con: con.execute(SAME_SORT), "limit", runs=3),
            Contender(
                "the same order of all", lambda con: con.execute(SAME_SORT_ALL), "limit", runs=3
            ),
        ],
        sizes=(1_000_000, 7_300_000),
        quick_sizes=(4_000, 8_000),
    )


def _advance(bench: Bench) -> None:
    bench.compare(
        "one more day of 2,000 rows, by days behind",
        setup=Years,
        contenders=[Contender("advance", lambda years: years.advance(), memory=False)],
        sizes=(365, 3_650),
        quick_sizes=(10, 20),
    )
