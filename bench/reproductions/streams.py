"""Wang et al., "Anonymizing Temporal Data": what the paper says of its evaluation, tried here."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bench._charts import Panel, chart
from bench._data import Integers, daily_counts
from bench.harness import Bench
from bench.reproductions.optimum import compare_with_optimum
from bench.reproductions.repositioned import (
    NAMES,
    measures,
    published,
    run_stream,
    window_error,
)
from bench.reproductions.verdicts import holds, percent, wide

Rows = list[dict[str, Any]]
WINDOW_LENGTHS = (1, 7, 30)
UNSAID = "Expected:"
PROTOCOL = "the evaluation is in a report that is not public; the streams are generated."
SHOWN = {"loss per record": "loss,", "suppressed %": "suppressed %,", "moved %": "moved %,"}
STREAM = ("records", "skew", "spikes")


class Streams:
    """The streams and parameters, small ones in a quick run."""

    def __init__(self, quick: bool) -> None:
        """Choose sizes."""
        self.snapshots = 40 if quick else 120
        self.ws = (1, 2, 4) if quick else (1, 2, 4, 7, 14, 28)
        self.ls = (2, 3) if quick else (2, 3, 4, 5, 7)
        self.skews = (0.5, 1.0) if quick else (0.5, 0.75, 1.0, 1.25, 1.5)
        self.sizes = (20, 50) if quick else (20, 50, 100, 300, 1000)
        self.seeds = (1,) if quick else (1, 2)
        self.methods = tuple(NAMES)

    def counts(
        self, seed: int, records: float = 200, skew: float = 1.0, spikes: float = 0.1
    ) -> Integers:
        """A skewed stream with drift and, every tenth day or so, a surge of one value."""
        return daily_counts(self.snapshots, 20, records, skew, 0.03, spikes, seed)

    def sweep(self, parameter: str, settings: Sequence[dict[str, Any]]) -> Rows:
        """Mean measures of each method over the seeds, for each setting."""
        rows = []
        for setting in settings:
            for method in self.methods:
                found = []
                for seed in self.seeds:
                    data = {key: setting[key] for key in STREAM if key in setting}
                    counts = self.counts(seed, **data)
                    l, w = Fraction(setting.get("l", 3)), setting.get("w", 7)  # noqa: E741
                    found.append(measures(counts, run_stream(counts, l, w, method)))
                means = {name: float(np.mean([f[name] for f in found])) for name in found[0]}
                rows.append({parameter: setting[parameter], "method": NAMES[method]} | means)
        return rows


def _sweep_chart(title: str, parameter: str, rows: Rows) -> str:
    panels = []
    for figure in ("loss per record", "suppressed %", "moved %"):
        lines = {
            name: [(row[parameter], row[figure]) for row in rows if row["method"] == name]
            for name in dict.fromkeys(row["method"] for row in rows)
        }
        panels.append(Panel(figure, parameter, figure, lines))
    return chart(title, panels)


def _of(rows: Rows, method: str, figure: str) -> list[float]:
    return [row[figure] for row in rows if row["method"] == NAMES[method]]


def _falls(rows: Rows) -> str:
    lost, kept = _of(rows, "step", "loss per record"), _of(rows, "step", "suppressed %")
    return holds(
        lost[-1] < lost[0],
        f"loss per record {lost[0]:.3g} -> {lost[-1]:.3g}, suppressed {kept[0]:.2f} % -> "
        f"{kept[-1]:.2f} %{_printed(rows)}",
    )


def _printed(rows: Rows) -> str:
    """Say how many times our loss the published algorithm loses, as printed and mended."""
    ours = _of(rows, "step", "loss per record")
    said = []
    for method in ("paper", "mended"):
        pairs = zip(_of(rows, method, "loss per record"), ours, strict=True)
        worst = max((theirs / step for theirs, step in pairs if step > 0), default=1.0)
        said.append(f"{NAMES[method]} {worst:.4f}")
    return f"; the published algorithm loses at most so many times as much: {', '.join(said)}"


def _rises(rows: Rows) -> str:
    lost, kept = _of(rows, "step", "loss per record"), _of(rows, "step", "suppressed %")
    return holds(
        lost == sorted(lost),
        f"loss per record {lost[0]:.3g} -> {lost[-1]:.3g}, suppressed {kept[0]:.2f} % -> "
        f"{kept[-1]:.2f} %{_printed(rows)}",
    )


def run(bench: Bench) -> None:
    """All reproductions of this paper."""
    streams = Streams(bench.quick)
    sweeps = (
        ("w", [{"w": w} for w in streams.ws], f"{UNSAID} a larger window loses less.", _falls),
        ("l", [{"l": n} for n in streams.ls], f"{UNSAID} a larger l loses more.", _rises),
        (
            "skew",
            [{"skew": z, "spikes": 0.0} for z in streams.skews],
            f"{UNSAID} a more skewed stream loses more.",
            _rises,
        ),
        (
            "records",
            [{"records": n} for n in streams.sizes],
            f"{UNSAID} larger snapshots lose less per record.",
            _falls,
        ),
    )
    for parameter, settings, finding, verdict in sweeps:
        title = f"Reposition: loss and suppression against {parameter}"
        bench.table(
            title,
            lambda p=parameter, s=settings: streams.sweep(p, s),  # type: ignore[misc]
            finding=finding,
            protocol=PROTOCOL,
            verdict=verdict,
            chart=lambda rows, t=title, p=parameter: _sweep_chart(t, p, rows),  # type: ignore[misc]
            show=lambda rows, p=parameter: wide(rows, (p,), "method", SHOWN),  # type: ignore[misc]
        )
    _distances(bench, streams)
    _window_queries(bench, streams)
    compare_with_optimum(bench)


def _distances(bench: Bench, streams: Streams) -> None:
    def build() -> Rows:
        rows = []
        for l in (2, 3, 5):  # noqa: E741
            counts = streams.counts(1)
            flows = run_stream(counts, Fraction(l), 7, "step")
            total = counts.sum()
            moved = np.bincount(
                [slot - home for _, home, slot, _ in flows if slot is not None],
                [n for _, _, slot, n in flows if slot is not None],
                minlength=7,
            )
            for distance, records in enumerate(moved):
                rows.append({"l": l, "moved by": str(distance), "% of records": records})
            gone = sum(n for _, _, slot, n in flows if slot is None)
            rows.append({"l": l, "moved by": "gone", "% of records": gone})
            for row in rows[-len(moved) - 1 :]:
                row["% of records"] = 100 * float(row["% of records"]) / total
        return rows

    def verdict(rows: Rows) -> str:
        three = {row["moved by"]: row["% of records"] for row in rows if row["l"] == 3}
        near = three["0"] + three["1"] + three["2"]
        return holds(
            near > 90 and three["gone"] < 5,
            f"l = 3: {three['0']:.1f} % stay, {near:.1f} % move at most two snapshots, "
            f"{three['gone']:.2f} % are suppressed",
        )

    def draw(rows: Rows) -> str:
        lines = {
            f"l = {l}": [(r["moved by"], r["% of records"]) for r in rows if r["l"] == l]
            for l in (2, 3, 5)  # noqa: E741
        }
        panel = Panel(
            "w = 7", "snapshots moved (gone: suppressed)", "% of records (log)", lines, log_y=True
        )
        return chart("Reposition: how far records move", [panel], bars=True)

    bench.table(
        "Reposition: how far records move",
        build,
        finding="Often a small distance and a small amount of suppression is all that is required.",
        protocol=PROTOCOL,
        verdict=verdict,
        chart=draw,
    )


def _window_queries(bench: Bench, streams: Streams) -> None:
    def build() -> Rows:
        rows = []
        for w in streams.ws:
            counts = streams.counts(1)
            after = published(counts, run_stream(counts, Fraction(3), w, "step"))
            for length in (n for n in WINDOW_LENGTHS if n < len(counts)):
                error = window_error(counts, after, length)
                rows.append({"w": w, "query length": length, "mean relative error": error})
        return rows

    def verdict(rows: Rows) -> str:
        last = {row["query length"]: row["mean relative error"] for row in rows}
        longest = max(last)
        return holds(
            last[longest] < last[1] and last[longest] < 0.05,
            f"at the largest window one snapshot is answered with {percent(last[1])} error, "
            f"{longest} snapshots with {percent(last[longest])}",
        )

    def draw(rows: Rows) -> str:
        lines = {
            f"{n} snapshots": [
                (r["w"], r["mean relative error"]) for r in rows if r["query length"] == n
            ]
            for n in dict.fromkeys(row["query length"] for row in rows)
        }
        panel = Panel("l = 3", "w", "mean relative error", lines)
        return chart("Reposition: error of window queries", [panel])

    bench.table(
        "Reposition: error of window queries",
        build,
        finding="Repositioned data retains high utility for window queries.",
        protocol=PROTOCOL,
        verdict=verdict,
        chart=draw,
    )
