"""Shou et al., Figures 7 to 10: what pattern, range and complex queries get from a release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

from bench._charts import Panel, chart
from bench._data import Floats
from bench.harness import Bench
from bench.reproductions import schemes
from bench.reproductions.series_data import protocol, string_table, tables
from bench.reproductions.series_fig_04_losses import lines_of, series_of
from bench.reproductions.verdicts import holds, wide
from bench.reproductions.workload import Workload

Rows = list[dict[str, Any]]
NUMERIC = ("Naive", "KAPRA", "shared", "TGA")
RIVALS = (("Walk", "TGA"), ("String", "BFP2KA"))
LETTERS = ("Naive", "KAPRA", "shared", "BFP2KA")
FIGURES = {
    "similar_precision": "precision",
    "similar_recall": "recall",
    "pattern_range_precision": "precision",
    "pattern_range_recall": "recall",
    "range_error": "mean relative error",
    "complex_error": "mean relative error",
}


def run(bench: Bench) -> None:
    """One workload per table, asked of every scheme; the four figures are cut from its answers."""
    ps = (2, 5) if bench.quick else (2, 5, 10, 20, 50)
    queries = 20 if bench.quick else 300

    @cache
    def rows() -> Rows:
        walk = tables(bench)["Walk"]
        return [
            *answers("Walk", walk, NUMERIC, ps, queries),
            *answers("String", string_table(bench), LETTERS, ps, queries),
        ]

    _figure(
        bench,
        rows,
        "Fig. 7: pattern similarity queries",
        ("similar_precision", "similar_recall"),
        "KAPRA considerably outperforms TGA and BFP2KA on pattern queries.",
        lambda found: _kapra_wins(found, "similar_precision", "similar_recall"),
    )
    _figure(
        bench,
        rows,
        "Fig. 8: pattern range queries",
        ("pattern_range_precision", "pattern_range_recall"),
        "KAPRA considerably outperforms TGA and BFP2KA on pattern queries.",
        lambda found: _kapra_wins(found, "pattern_range_precision", "pattern_range_recall"),
    )
    _figure(
        bench,
        rows,
        "Fig. 9: range queries",
        ("range_error",),
        "Naive is slightly better than KAPRA, KAPRA about equals TGA; both beat BFP2KA.",
        _range_verdict,
    )
    _figure(
        bench,
        rows,
        "Fig. 10: complex queries",
        ("complex_error",),
        "KAPRA has lower errors than TGA and BFP2KA.",
        lambda found: _kapra_wins(found, "complex_error"),
    )


def answers(data: str, series: Floats, names: tuple[str, ...], ps: Any, queries: int) -> Rows:
    """The same queries put to every scheme at every P."""
    workload = Workload.draw(series, queries)
    rows = []
    for p in ps:
        for name in names:
            published = schemes.publish(name, series, p, p)
            found = asdict(workload.ask(series, published))
            rows.append({"data": data, "P": p, "scheme": name} | found)
    return rows


def _figure(
    bench: Bench,
    rows: Callable[[], Rows],
    title: str,
    figures: tuple[str, ...],
    finding: str,
    verdict: Any,
) -> None:
    def draw(found: Rows) -> str:
        panels = [
            Panel(
                f"{data}: {figure.replace('_', ' ')}",
                "k = P",
                FIGURES[figure],
                lines_of([r for r in found if r["data"] == data], "P", figure),
            )
            for data in dict.fromkeys(row["data"] for row in found)
            for figure in figures
        ]
        return chart(title, panels, columns=2)

    def build() -> Rows:
        keys = ("data", "P", "scheme", *figures)
        return [{key: row[key] for key in keys} for row in rows()]

    def show(found: Rows) -> Rows:
        labels = {figure: FIGURES[figure] if len(figures) > 1 else "" for figure in figures}
        return wide(found, ("data", "P"), "scheme", labels)

    bench.table(
        title,
        build,
        finding=finding,
        protocol=protocol(
            bench,
            "String has 2,500 series (paper: 20,352)",
            "300 queries (paper: 10,000)",
            "a similarity query asks for the nearest 1 % (paper: all series within a multiple of "
            "the average distance, the multiple drawn from 1 to 10)",
            "a range is 0.2 of the domain wide (paper: by a method of another paper)",
            "recall is added",
        ),
        verdict=verdict,
        chart=draw,
        show=show,
    )


def _kapra_wins(rows: Rows, *figures: str) -> str:
    """KAPRA against the rival of each table, at every P, on every figure."""
    said: list[str] = []
    good: list[bool] = []
    for data, rival in RIVALS:
        for figure in figures:
            sign = -1 if figure.endswith("error") else 1
            pairs = list(
                zip(
                    series_of(rows, "KAPRA", figure, data),
                    series_of(rows, rival, figure, data),
                    strict=True,
                )
            )
            wins = sum(sign * a > sign * b for a, b in pairs)
            good += [sign * a > sign * b for a, b in pairs]
            middle = pairs[len(pairs) // 2]
            said.append(
                f"{data} {figure.replace('_', ' ')}: better than {rival} at {wins} of "
                f"{len(pairs)} P (e.g. {middle[0]:.2f} against {middle[1]:.2f})"
            )
    return holds(good, "; ".join(said))


def _range_verdict(rows: Rows) -> str:
    said: list[str] = []
    good: list[bool] = []
    for data, rival in RIVALS:
        names = ("Naive", "KAPRA", rival)
        errors = {name: series_of(rows, name, "range_error", data) for name in names}
        for naive, kapra, other in zip(*errors.values(), strict=True):
            good.append(naive <= kapra)
            good.append(0.5 < kapra / other < 2 if rival == "TGA" else max(naive, kapra) < other)
        means = {name: series_of(rows, name, "range_error", data) for name in (*names, "shared")}
        listed = ", ".join(f"{name} {sum(f) / len(f):.2f}" for name, f in means.items())
        said.append(f"{data}: mean error {listed}")
    return holds(good, "; ".join(said))
