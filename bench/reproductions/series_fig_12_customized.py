"""Shou et al., Figures 12 and 13: customized publishing, its cost and what it still answers."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from bench._charts import Panel, chart
from bench._data import Floats, Integers, uniform_series
from bench.harness import Bench, Contender
from bench.reproductions import schemes
from bench.reproductions.series_data import POSITIONS, protocol, tables
from bench.reproductions.verdicts import holds
from bench.reproductions.workload import Published, Workload
from tanon_duck.algorithms.estimate import (
    WITHHELD,
    Release,
    estimate_letters,
    estimate_withheld_ranges,
)
from tanon_duck.algorithms.sax import reconstruct

Rows = list[dict[str, Any]]
OVERLAPS = (0.2, 0.4, 0.6, 0.8)
FULL = 1.0
K, P = 10, 3


def run(bench: Bench) -> None:
    """Cost against overlap and size, utility against overlap."""
    _figure_12a(bench)
    _figure_12b(bench)
    _figure_13(bench)


def overlapping(overlap: float, seed: int, points: int = POSITIONS) -> tuple[Integers, Integers]:
    """Positions whose values and positions whose letters are published; both cover all together."""
    order = np.random.default_rng(seed).permutation(points)
    shared = round(overlap * points)
    half = shared + (points - shared) // 2
    values, patterns = order[:half], np.concatenate([order[:shared], order[half:]])
    return np.sort(values), np.sort(patterns)


def customized(release: Release, values: Integers, patterns: Integers) -> Release:
    """Withhold ranges outside `values` and letters outside `patterns`."""
    points = np.arange(release.low.shape[1])
    hide_values, hide_letters = ~np.isin(points, values), ~np.isin(points, patterns)
    low, high = release.low.copy(), release.high.copy()
    low[:, hide_values] = high[:, hide_values] = np.nan
    letters = release.letters.copy()
    letters[:, hide_letters] = WITHHELD
    return Release(low, high, letters, release.levels)


def estimated(release: Release) -> Release:
    """Ranges and letters filled in where they were withheld."""
    low, high, _, _ = estimate_withheld_ranges(release)
    letters, _, _ = estimate_letters(release)
    return Release(low, high, letters, release.levels)


def _figure_12a(bench: Bench) -> None:
    title = "Fig. 12a: seconds of estimation against overlap (Walk)"

    def build() -> Rows:
        release = schemes.kapra_release(tables(bench)["Walk"], K, P).release
        rows = []
        for overlap in OVERLAPS:
            part = customized(release, *overlapping(overlap, 1))
            steps = {
                "ranges": estimate_withheld_ranges,
                "letters": estimate_letters,
                "both": estimated,
            }
            seconds = {name: _best_of(5, step, part) for name, step in steps.items()}
            rows.append({"overlap %": round(100 * overlap)} | seconds)
        return rows

    def verdict(rows: Rows) -> str:
        total = [row["both"] for row in rows]
        return holds(
            total[-1] > total[0],
            f"{total[0]:.3g} s at 20 %, {total[-1]:.3g} s at 80 %: with more overlap there are "
            "fewer cells to estimate, while the bounds cost the same",
        )

    def draw(rows: Rows) -> str:
        names = ("ranges", "letters", "both")
        lines = {name: [(row["overlap %"], row[name]) for row in rows] for name in names}
        return chart(title, [Panel("Walk", "overlap %", "seconds", lines)])

    bench.table(
        title,
        build,
        finding="The cost rises with the overlap.",
        protocol=protocol(bench),
        verdict=verdict,
        chart=draw,
    )


def _best_of(times: int, step: Any, release: Release) -> float:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        step(release)
        taken.append(time.perf_counter() - started)
    return min(taken)


def _figure_12b(bench: Bench) -> None:
    def setup(rows: int) -> tuple[Floats, Release]:
        series = uniform_series(rows)[:, :POSITIONS]
        release = schemes.kapra_release(series, K, P).release
        return series, customized(release, *overlapping(0.4, 1))

    bench.compare(
        "Fig. 12b: estimation against publishing (40 % overlap)",
        setup=setup,
        contenders=[
            Contender("estimate", lambda state: estimated(state[1]), memory=False),
            Contender(
                "KAPRA", lambda s: schemes.publish("KAPRA", s[0], K, P), "baseline", memory=False
            ),
        ],
        sizes=(10_000, 30_000, 100_000),
        quick_sizes=(200, 400, 800),
        unit="series",
    )


def _figure_13(bench: Bench) -> None:
    title = "Fig. 13: utility of customized publishing (k = 10, P = 3)"
    seeds = range(2 if bench.quick else 10)
    queries = 20 if bench.quick else 100

    def build() -> Rows:
        series = tables(bench)["Walk"]
        whole = schemes.kapra_release(series, K, P)
        rows = []
        for overlap in OVERLAPS:
            found = []
            for seed in seeds:
                values, patterns = overlapping(overlap, seed)
                missing = np.setdiff1d(np.arange(POSITIONS), values)
                workload = Workload.draw(series, queries, positions=missing)
                part = estimated(customized(whole.release, values, patterns))
                clipped = _clipped(part, whole.release)
                customized_answers = workload.ask(series, _as_published(whole.row, clipped))
                full = workload.ask(series, _as_published(whole.row, whole.release))
                found.append((customized_answers, full))
            row: dict[str, Any] = {"overlap %": round(100 * overlap)}
            for figure in ("similar_precision", "pattern_range_precision", "range_error"):
                for which, name in enumerate(("customized", "full")):
                    mean = np.mean([getattr(pair[which], figure) for pair in found])
                    row[f"{figure.replace('_', ' ')}, {name}"] = float(mean)
            rows.append(row)
        return rows

    bench.table(
        title,
        build,
        finding="Precision rises and errors fall as the overlap grows; 80 % is fairly good.",
        protocol=protocol(
            bench,
            "100 queries of each type (paper: 10,000)",
            "a similarity query asks for the nearest 1 %",
        ),
        verdict=_verdict_13,
        chart=lambda rows: _draw_13(title, rows),
    )


def _clipped(part: Release, whole: Release) -> Release:
    """Unbounded estimates cut to the published domain of their position."""
    low = np.maximum(part.low, np.nanmin(whole.low, axis=0))
    high = np.minimum(part.high, np.nanmax(whole.high, axis=0))
    return replace(part, low=np.minimum(low, high), high=high)


def _as_published(row: Integers, release: Release) -> Published:
    shape = reconstruct(release.letters, release.levels)
    return Published(row, release.low, release.high, shape)


def _verdict_13(rows: Rows) -> str:
    first, last = rows[0], rows[-1]
    said: list[str] = []
    good: list[bool] = []
    for figure, better in (
        ("similar_precision", 1),
        ("pattern_range_precision", 1),
        ("range_error", -1),
    ):
        spoken = figure.replace("_", " ")
        start, end = first[f"{spoken}, customized"], last[f"{spoken}, customized"]
        good.append(better * end > better * start)
        full = last[f"{spoken}, full"]
        said.append(f"{spoken} {start:.2f} -> {end:.2f} (full {full:.2f})")
    return holds(good, "; ".join(said))


def _draw_13(title: str, rows: Rows) -> str:
    panels = []
    for figure in ("similar_precision", "pattern_range_precision", "range_error"):
        spoken = figure.replace("_", " ")
        lines = {
            name: [(row["overlap %"], row[f"{spoken}, {name}"]) for row in rows]
            for name in ("customized", "full")
        }
        panels.append(Panel(spoken, "overlap %", spoken, lines))
    return chart(title, panels)
