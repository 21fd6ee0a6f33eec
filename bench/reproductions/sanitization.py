"""Additive sanitization: rows added, distortion, the printed algorithm against the repair."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from bench._charts import Panel, chart
from bench._data import unit_walks
from bench.harness import Bench
from bench.reproductions.verdicts import holds
from tanon_duck.algorithms.itemsets.sanitize import METHODS, sanitize_unchecked, violations
from tanon_duck.algorithms.itemsets.summary import summarize
from tanon_duck.algorithms.itemsets.transactions import Transactions
from tanon_duck.algorithms.sax import letters

Rows = list[dict[str, Any]]
POSITIONS, LEVEL = 8, 4
NAMES = {
    "additive": "additive",
    "paper": "as printed",
    "real_rows": "real rows",
    "suppressive": "suppressive",
}
FIGURES = ("rows changed %", "mean change %", "itemsets lost")


def run(bench: Bench) -> None:
    """Sweeps over k and support, and how often the printed algorithm fails."""
    series = 200 if bench.quick else 2_000
    ks = (2, 5) if bench.quick else (2, 3, 5, 8, 10)
    shares = (0.1, 0.2) if bench.quick else (0.02, 0.025, 0.03, 0.04, 0.05, 0.1)
    _sweep(
        bench,
        "Additive sanitization: cost against k (support 3 %)",
        "k",
        lambda: [measured(series, 0.03, k, "k", k) for k in ks],
        "A larger k costs more rows and more distortion.",
        rises=True,
    )
    _sweep(
        bench,
        "Additive sanitization: cost against support (k = 5)",
        "support %",
        lambda: [
            measured(series, share, 5, "support %", round(100 * share, 1)) for share in shares
        ],
        "A lower support costs more rows and more distortion.",
        rises=False,
    )
    _printed_against_repaired(bench)


@cache
def pattern_rows(series: int) -> Transactions:
    """One row of (position, letter) items per random walk."""
    found = letters(unit_walks(series)[:, :POSITIONS], LEVEL).astype(np.int64)
    return Transactions.from_lists((found + LEVEL * np.arange(POSITIONS)).tolist())


def _percent(share: float | None) -> float:
    """NaN where nothing is published."""
    return float("nan") if share is None else 100 * share


def measured(series: int, share: float, k: int, axis: str, value: float) -> Rows:
    """What each method changes, and what a reader of its outcome still finds."""
    transactions = pattern_rows(series)
    least = max(k, round(share * series))
    rows = []
    for method in METHODS:
        result = sanitize_unchecked(transactions, least, k, method)
        cost = summarize(transactions, result, least)
        left = violations(result.published, k, closed=method == "paper")
        rows.append(
            {
                axis: value,
                "method": NAMES[method],
                "rows changed %": 100 * (cost.rows_added + cost.rows_removed) / series,
                "mean change %": _percent(cost.mean_change),
                "worst change %": _percent(cost.worst_change),
                "itemsets lost": cost.itemsets_lost,
                "itemsets spurious": cost.itemsets_spurious,
                "channels left": len(left),
            }
        )
    return rows


def _sweep(bench: Bench, title: str, axis: str, build: Any, finding: str, rises: bool) -> None:
    def verdict(rows: Rows) -> str:
        of = [row for row in rows if row["method"] == NAMES["additive"]]
        parts, said = [], []
        for figure in ("rows changed %", "mean change %"):
            values = [row[figure] for row in of]
            ordered = values if rises else values[::-1]
            parts.append(ordered == sorted(ordered))
            said.append(f"{figure} {values[0]:.3g} -> {values[-1]:.3g}")
        failing = [
            row[axis] for row in rows if row["method"] != "as printed" and row["channels left"]
        ]
        printed = [
            row[axis] for row in rows if row["method"] == "as printed" and row["channels left"]
        ]
        parts.append(not failing)
        where = f"at {axis} in {printed}" if printed else "nowhere"
        spurious = max(row["itemsets spurious"] for row in rows if row["method"] == "as printed")
        return holds(
            parts,
            f"{', '.join(said)}; as printed it leaves channels {where} and makes up to {spurious} "
            "itemsets frequent that were not",
        )

    def draw(rows: Rows) -> str:
        panels = []
        for figure in FIGURES:
            lines = {
                name: [(row[axis], row[figure]) for row in rows if row["method"] == name]
                for name in NAMES.values()
            }
            panels.append(Panel(figure, axis, figure, lines))
        return chart(title, panels)

    bench.table(
        title,
        lambda: [row for rows in build() for row in rows],
        finding=finding,
        protocol="the paper has no experiment; the rows are SAX words of generated walks.",
        verdict=verdict,
        chart=draw,
    )


def _printed_against_repaired(bench: Bench) -> None:
    tables = 50 if bench.quick else 1_000

    def build() -> Rows:
        counts: dict[str, dict[str, float]] = {
            name: {"tables with channels": 0, "left unsafe": 0, "impossible supports": 0, "rows": 0}
            for name in NAMES.values()
        }
        rng = np.random.default_rng(2024)
        for _ in range(tables):
            transactions = _random_rows(rng)
            k = int(rng.integers(2, 4))
            least = int(rng.integers(k, k + 3))
            for method, name in NAMES.items():
                result = sanitize_unchecked(transactions, least, k, method)
                if not len(violations(result.original, k)):
                    continue
                left = violations(result.published, k, closed=method == "paper")
                counts[name]["tables with channels"] += 1
                counts[name]["left unsafe"] += bool(len(left))
                counts[name]["impossible supports"] += bool((left.frequency < 0).any())
                counts[name]["rows"] += result.rows_added + result.rows_removed
        return [
            {
                "method": name,
                "tables with channels": int(count["tables with channels"]),
                "left unsafe": int(count["left unsafe"]),
                "impossible supports": int(count["impossible supports"]),
                "rows changed per table": count["rows"] / max(1, count["tables with channels"]),
            }
            for name, count in counts.items()
        ]

    def verdict(rows: Rows) -> str:
        by = {row["method"]: row for row in rows}
        printed, repaired = by["as printed"], by["additive"]
        return holds(
            printed["left unsafe"] == 0,
            f"as printed {printed['left unsafe']} of {printed['tables with channels']} random "
            f"tables keep a channel, repaired {repaired['left unsafe']}, for "
            f"{repaired['rows changed per table']:.2f} rows instead of "
            f"{printed['rows changed per table']:.2f}",
        )

    bench.table(
        "Additive sanitization: printed against repaired",
        build,
        finding="The sanitized collection has no inference channel.",
        protocol="the paper has no experiment; the tables are random.",
        verdict=verdict,
    )


def _random_rows(rng: np.random.Generator) -> Transactions:
    """A few items in a few rows, each item with its own frequency."""
    items, rows = int(rng.integers(3, 7)), int(rng.integers(8, 41))
    flags = rng.random((rows, items)) < rng.uniform(0.2, 0.9, items)
    row, item = np.nonzero(flags)
    return Transactions.from_pairs(row, item, rows, items)
