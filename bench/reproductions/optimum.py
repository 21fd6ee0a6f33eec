"""Step by step against the optimum of somebody who knows the future."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from typing import Any

import numpy as np

from bench._charts import Panel, chart
from bench._data import daily_counts
from bench.harness import Bench
from bench.reproductions.clairvoyant import clairvoyant_loss
from bench.reproductions.repositioned import BETA, NAMES, measures, run_stream
from bench.reproductions.verdicts import holds

Rows = list[dict[str, Any]]
TITLE = "Reposition: loss against the clairvoyant optimum"


def compare_with_optimum(bench: Bench) -> None:
    """Loss of each method, divided by the least loss possible with any distance."""
    snapshots = 20 if bench.quick else 56
    seeds = (1,) if bench.quick else (1, 2, 3)
    ws = (1, 2, 4) if bench.quick else (1, 2, 4, 7, 14)
    l = Fraction(3)  # noqa: E741

    def build() -> Rows:
        if importlib.util.find_spec("highspy") is None:
            return [{"w": w, "clairvoyant": "absent: highspy is not installed"} for w in ws]
        streams = [daily_counts(snapshots, 8, 20, 0.75, 0.03, 0.1, seed) for seed in seeds]
        far = [float(d) for d in range(snapshots)]
        best = [clairvoyant_loss(counts, l, far, BETA)[0] for counts in streams]
        rows: Rows = []
        for w in ws:
            capped = [clairvoyant_loss(c, l, far[:w], BETA)[1] for c in streams]
            row: dict[str, Any] = {"w": w}
            for method in NAMES:
                losses = [
                    measures(counts, run_stream(counts, l, w, method))["loss per record"]
                    * counts.sum()
                    for counts in streams
                ]
                row[NAMES[method]] = float(np.mean(np.asarray(losses) / best))
            row["clairvoyant within w"] = float(np.mean(np.asarray(capped) / best))
            rows.append(row)
        return rows

    bench.table(
        TITLE,
        build,
        finding="The optimum for a window size is likely the optimum for an infinite window.",
        protocol="the evaluation is in a report that is not public; the streams are generated.",
        verdict=_verdict,
        chart=_draw,
    )


def _verdict(rows: Rows) -> str:
    last = rows[-1]
    if "clairvoyant within w" not in last:
        return "Not measured: highspy is not installed."
    knowing, stepping = last["clairvoyant within w"], last[NAMES["step"]]
    return holds(
        [knowing < 1.01, stepping < 1.01],
        f"at w = {last['w']} a clairvoyant loses {knowing:.3f} times the unbounded optimum, the "
        f"step-by-step solution {stepping:.2f} times{_replanned(last)}: freezing counts "
        "and not knowing the future costs, not the window",
    )


def _replanned(row: dict[str, Any]) -> str:
    again = row.get(NAMES["window"])
    return f", placing the whole window anew {again:.2f} times" if again else ""


def _draw(rows: Rows) -> str:
    names = [name for name in rows[0] if name != "w"]
    lines = {
        name: [(r["w"], r[name] if isinstance(r[name], float) else None) for r in rows]
        for name in names
    }
    panel = Panel("l = 3", "w", "loss / unbounded clairvoyant", lines)
    return chart(TITLE, [panel])
