"""Releases in use: breach probabilities, estimates, queries, and what adversaries hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import tanon_duck
from bench._data import Floats, normal_walks
from bench.harness import Bench, Contender
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.release import kp_release

K, P, POSITIONS, TARGETS = 10, 5, 10, 10_000
SHOWN, LETTERED = list(range(1, 8)), list(range(4, 11))
BREACH = (
    "select id, round(by_values, 9) from tanon.series_breach('released', 'targets', series_id := "
    "'id', "
    "series := 'series', sensitive := 'secret')"
)


@dataclass
class Table:
    """The series, and a connection with the tables original, released and targets."""

    series: Floats
    con: duckdb.DuckDBPyConnection

    def close(self) -> None:
        self.con.close()


def lists(matrix: Floats) -> pa.Array:
    """Rows of a matrix as lists."""
    offsets = np.arange(matrix.shape[0] + 1, dtype=np.int32) * matrix.shape[1]
    return pa.ListArray.from_arrays(offsets, pa.array(np.ascontiguousarray(matrix).ravel()))


def released(series: Floats, secrets: Floats, p: int = P, algorithm: str = "kapra") -> pa.Table:
    """What tanon.publish_series publishes of these series, with the row number as id."""
    found = kp_release(series, K, p, algorithm, 10)
    kept = np.flatnonzero(found.k_group >= 0)
    group = found.k_group[kept]
    return pa.table(
        {
            "id": kept,
            "k_group": group,
            "p_group": found.p_group[kept],
            "low": lists(found.low[group]),
            "high": lists(found.high[group]),
            "word": sax.words(found.letters[kept]),
            "level": found.level[kept].astype(np.int32),
            "secret": secrets[kept],
        }
    )


def tables(rows: int, p: int = P, algorithm: str = "kapra") -> Table:
    walks = normal_walks(rows)
    series, secrets = walks[:, :POSITIONS], walks[:, POSITIONS]
    con = tanon_duck.connect(config={"threads": 2})
    original = pa.table({"id": np.arange(rows), "series": lists(series), "secret": secrets})
    con.register("given", original)
    con.execute("create table original as from given")
    con.register("given_release", released(series, secrets, p, algorithm))
    con.execute("create table released as from given_release order by hash(secret)")
    con.unregister("given")
    con.unregister("given_release")
    con.execute(f"create table targets as from original order by hash(id) limit {TARGETS}")
    return Table(series, con)


def breach(data: Table) -> Any:
    return data.con.sql(BREACH).fetchall()


def plain_join(data: Table) -> Any:
    """By values only, as one would write it: every target against every published row."""
    positions = range(1, POSITIONS + 1)
    values = ", ".join(f"series[{i}] as v{i}" for i in positions)
    ranges = ", ".join(f"low[{i}] as l{i}, high[{i}] as h{i}" for i in positions)
    inside = " and ".join(f"v{i} between l{i} and h{i}" for i in positions)
    return data.con.sql(
        f"with t as (select id, secret, {values} from targets), "
        f"p as (select secret, {ranges} from released), "
        "found as (select id, count(*) filter (p.secret = t.secret) / count(*) as b "
        f"from t join p on {inside} group by id) "
        "select id, round(coalesce(b, 0), 9) from targets left join found using (id)"
    ).fetchall()


def join_of_envelopes(data: Table) -> Any:
    """The pairs of targets and distinct envelopes alone: no rows, no patterns, no secrets."""
    positions = range(1, POSITIONS + 1)
    values = ", ".join(f"series[{i}] as v{i}" for i in positions)
    ranges = ", ".join(f"low[{i}] as l{i}, high[{i}] as h{i}" for i in positions)
    inside = " and ".join(f"v{i} between l{i} and h{i}" for i in positions)
    return data.con.sql(
        f"with t as (select id, {values} from targets), "
        "d as (select low, high, count(*) as n from released group by all), "
        f"e as (select n, {ranges} from d) "
        f"select id, sum(n) from t join e on {inside} group by id"
    ).fetchall()


def kapra(data: Table) -> Any:
    return released(data.series, np.zeros(data.series.shape[0]))


def customized(data: Table) -> str:
    return f"(from tanon.publish_series_parts(''released'', {SHOWN}, {LETTERED}))"


def estimate(data: Table) -> Any:
    """Ranges and letters of the same release, one after the other."""
    for function in ("estimate_withheld_ranges", "estimate_withheld_words"):
        data.con.execute(
            f"create or replace temp table estimated as from tanon.{function}('{customized(data)}')"
        )
    return data.con.sql("select count(*) from estimated").fetchall()


def count_ranges(data: Table) -> Any:
    return data.con.sql(
        "from tanon.count_series_in_ranges('released', "
        "[{'position': 3, 'low': -1, 'high': 1}, {'position': 9, 'low': 0, 'high': 4}])"
    ).fetchall()


def read_ranges(data: Table) -> Any:
    return data.con.sql("select sum(list_sum(low) + list_sum(high)) from released").fetchall()


ATTACKS = ("unified", "nearest_value", "nearest_any")


def attacks(bench: Bench) -> list[dict[str, Any]]:
    """How often simulated adversaries are right on walks whose sensitive value is the next one."""
    found = []
    for p in (2, 5, 10):
        data = tables(300 if bench.quick else 2_000, p)
        for attack in ATTACKS:
            row = data.con.sql(
                "select hit_rate, low, high, promised from tanon.series_attack('released', "
                f"'original', 'id', 'series', 'secret', attack := '{attack}')"
            ).fetchall()[0]
            rate, low, high, promised = (round(x, 3) for x in row)
            found.append(
                {
                    "P": p,
                    "attack": attack,
                    "hit rate": rate,
                    "from": low,
                    "to": high,
                    "promised at most": promised,
                }
            )
        data.close()
    return found


def above_promise(rows: list[dict[str, Any]]) -> str:
    blind = [row for row in rows if row["attack"] == "unified"]
    kept = all(row["from"] <= row["promised at most"] for row in blind)
    beaten = [
        row["P"]
        for row in rows
        if row["attack"] == "nearest_value" and row["from"] > row["promised at most"]
    ]
    return (
        f"the promise {'holds' if kept else 'fails'} against who has no idea of the value; who "
        f"guesses that the walk goes on, within the class, beats it at P = {beaten}"
    )


def run(bench: Bench) -> None:
    bench.compare(
        "breach of 10,000 targets",
        setup=tables,
        contenders=[
            Contender("tanon.series_breach (values, pattern, both)", breach, runs=3),
            Contender("plain inequality join (values only)", plain_join, "baseline", runs=1),
            Contender(
                "pairs with distinct envelopes (no breach)", join_of_envelopes, "baseline", runs=3
            ),
        ],
        sizes=(25_000, 50_000, 100_000),
        quick_sizes=(300, 600, 1_200),
        same=("tanon.series_breach (values, pattern, both)", "plain inequality join (values only)"),
        unit="published series",
    )
    bench.compare(
        "estimates of a customized release",
        setup=tables,
        contenders=[
            Contender("estimate_withheld_ranges and estimate_withheld_words", estimate, runs=3),
            Contender("KAPRA on the same series", kapra, "baseline", runs=2),
            Contender("count_series_in_ranges", count_ranges),
            Contender("reading all ranges", read_ranges, "limit"),
        ],
        sizes=(25_000, 50_000, 100_000),
        quick_sizes=(300, 600, 1_200),
        unit="series",
    )
    bench.table(
        "adversaries on 2,000 walks, k = 10",
        lambda: attacks(bench),
        finding="values that continue the series are guessed more often than 1/P",
        verdict=above_promise,
    )
