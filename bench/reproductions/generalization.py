"""Mascetti et al., k-anonymity with timestamps: the lattice, its pruning, total orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import duckdb

import tanon_duck
from bench._charts import Panel, chart
from bench.harness import Bench
from bench.reproductions.verdicts import holds, joined

Rows = list[dict[str, Any]]
OFFERED = ("hour", "six_hours", "day", "week", "dekad", "half_month", "month", "quarter", "year")
# What is left of them when every two must be comparable, as Incognito's hierarchies demand.
CHAIN = ("hour", "six_hours", "day", "half_month", "month", "quarter", "year")
VISITS = """
create table visits as
select
    hash(i, 1) % {people} as patient,
    (20 * pow((hash(hash(i, 1) % {people}, 2) % 10007) / 10007.0, 2))::int as zip,
    hash(hash(i, 1) % {people}, 3) % 2 as sex,
    timestamp '2024-01-01' + to_minutes((hash(i, 4) % 1572480)::int) as ts
from range({rows}) t(i)
"""


@dataclass
class Walk:
    """What a search looked at and what it would publish."""

    visited: list[str] = field(default_factory=list)
    best: str | None = None


def run(bench: Bench) -> None:
    """The lattice of one table, and the searches over it for several k."""
    size = (2_000, 200) if bench.quick else (300_000, 20_000)
    ks = (2, 5) if bench.quick else (2, 5, 10, 20, 50, 100, 200)
    _lattice(bench, size)
    _searches(bench, size, ks)


def visits(rows: int, people: int) -> duckdb.DuckDBPyConnection:
    """A table of timed visits with a skewed zip code."""
    con = tanon_duck.connect()
    con.execute(VISITS.format(rows=rows, people=people))
    return con


def metrics(con: duckdb.DuckDBPyConnection, k: int) -> Rows:
    """gen_m and gen_s at every offered granularity."""
    query = (
        "select granularity, gen_m, gen_s, groups, acceptable, least "
        "from tanon.granularity_metrics('visits', respondent := 'patient', qi := ['zip', 'sex'], "
        f"ts := 'ts', granularities := {list(OFFERED)}, k := {k})"
    )
    return named(con, query)


def named(con: duckdb.DuckDBPyConnection, query: str) -> Rows:
    """Rows of a query as dictionaries."""
    relation = con.sql(query)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def edges(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The directly coarser granularities of each."""
    found = named(con, f"select finer, coarser from tanon.granularity_graph({list(OFFERED)})")
    coarser: dict[str, list[str]] = {name: [] for name in OFFERED}
    for edge in found:
        coarser[edge["finer"]].append(edge["coarser"])
    return coarser


def better(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether gen_c is smaller: a smaller gen_m, then a larger gen_s."""
    return (one["gen_m"], -one["gen_s"]) < (other["gen_m"], -other["gen_s"])


def search(found: Rows, coarser: dict[str, list[str]], prune: bool) -> Walk:
    """Algorithm 1: from the finest upwards, not above what is k-anonymous when pruning."""
    at = {row["granularity"]: row for row in found}
    walk = Walk()
    above = {name for names in coarser.values() for name in names}
    waiting = [name for name in coarser if name not in above]
    while waiting:
        name = waiting.pop(0)
        if name in walk.visited:
            continue
        walk.visited.append(name)
        fits = at[name]["acceptable"]
        if fits and (walk.best is None or better(at[name], at[walk.best])):
            walk.best = name
        if not (fits and prune):
            waiting += coarser[name]
    return walk


def search_chain(found: Rows) -> Walk:
    """Binary search along a total order, as full-domain algorithms do on one attribute."""
    at = {row["granularity"]: row for row in found}
    walk, low, high = Walk(), 0, len(CHAIN) - 1
    while low <= high:
        middle = (low + high) // 2
        walk.visited.append(CHAIN[middle])
        if at[CHAIN[middle]]["acceptable"]:
            walk.best, high = CHAIN[middle], middle - 1
        else:
            low = middle + 1
    return walk


def _lattice(bench: Bench, size: tuple[int, int]) -> None:
    title = "Generalization: gen_m and gen_s over the lattice"
    graph: dict[str, list[str]] = {}

    def build() -> Rows:
        with visits(*size) as con:
            graph.update(edges(con))
            found = {row["granularity"]: row for row in metrics(con, 10)}
        return [
            {
                "granularity": name,
                "directly coarser": ", ".join(sorted(graph[name])),
                **{key: found[name][key] for key in ("groups", "gen_m", "gen_s", "acceptable")},
            }
            for name in OFFERED
        ]

    def verdict(rows: Rows) -> str:
        at = {row["granularity"]: row for row in rows}
        pairs = [(at[finer], at[name]) for finer, names in graph.items() for name in names]
        parts = {
            "gen_m never falls towards coarser": all(a["gen_m"] <= b["gen_m"] for a, b in pairs),
            "gen_s never rises towards coarser": all(a["gen_s"] >= b["gen_s"] for a, b in pairs),
            "k-anonymity is kept by coarser ones": all(
                b["acceptable"] or not a["acceptable"] for a, b in pairs
            ),
            "week and month are not comparable": "month" not in graph["week"],
        }
        return holds(list(parts.values()), f"{len(pairs)} edges of the graph: {joined(parts)}")

    def draw(rows: Rows) -> str:
        panels = [
            Panel(
                figure,
                "granularity",
                f"{figure} (log)",
                {figure: [(row["granularity"].replace("_", " "), row[figure]) for row in rows]},
                log_y=True,
            )
            for figure in ("gen_m", "gen_s")
        ]
        return chart(title, panels, bars=True)

    bench.table(
        title,
        build,
        protocol="the paper has no experiment; the table of visits is generated.",
        finding="Along finer-than gen_m grows and gen_s shrinks; the order is only partial.",
        verdict=verdict,
        chart=draw,
    )


def _searches(bench: Bench, size: tuple[int, int], ks: tuple[int, ...]) -> None:
    title = "Generalization: granularities visited"

    def build() -> Rows:
        rows = []
        with visits(*size) as con:
            graph = edges(con)
            for k in ks:
                found = metrics(con, k)
                at = {row["granularity"]: row for row in found}
                pruned, whole = (search(found, graph, prune) for prune in (True, False))
                chain = search_chain(found)
                by_sql = sorted(row["granularity"] for row in found if row["least"])
                rows.append(
                    {
                        "k": k,
                        "least": pruned.best or "none",
                        "least by SQL": ", ".join(by_sql) or "none",
                        "least without pruning": whole.best or "none",
                        "visited": len(pruned.visited),
                        "visited without pruning": len(whole.visited),
                        "on a total order": chain.best or "none",
                        "visited on a total order": len(chain.visited),
                        "gen_s": at[pruned.best]["gen_s"] if pruned.best else None,
                        "gen_s on a total order": at[chain.best]["gen_s"] if chain.best else None,
                    }
                )
        return rows

    def verdict(rows: Rows) -> str:
        agree = all(row["least"] == row["least without pruning"] for row in rows)
        agree &= all(row["least"] in row["least by SQL"] for row in rows)
        missed = [row["k"] for row in rows if row["least"] != row["on a total order"]]
        looked = sum(row["visited"] for row in rows)
        whole = sum(row["visited without pruning"] for row in rows)
        return holds(
            [agree, looked < whole, bool(missed)],
            f"pruning visits {looked} of {whole} granularities and "
            f"{'never' if agree else 'sometimes'} changes the answer; a total order misses the "
            f"least one for k in {missed}",
        )

    def draw(rows: Rows) -> str:
        names = ("visited", "visited without pruning", "visited on a total order")
        lines = {name: [(row["k"], row[name]) for row in rows] for name in names}
        return chart(title, [Panel("offered: 9", "k", "granularities", lines)], bars=True)

    bench.table(
        title,
        build,
        protocol="the paper has no experiment; the table of visits is generated.",
        finding="Pruning keeps the answer and saves visits; a total order is not enough.",
        verdict=verdict,
        chart=draw,
    )
