"""Outcomes as aligned text, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bench.harness import Judgement, Outcome, Row

Cells = list[list[str]]


def number(value: Any) -> str:
    """Three significant digits, thousands grouped, never an exponent for everyday sizes."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or (abs(value) >= 1000 and abs(value) < 1e15):
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 0.001 and value else f"{value:#.3g}".rstrip(".")


def measured(outcome: Outcome) -> tuple[list[str], Cells]:
    """Header and cells of the rows of one comparison."""
    qualities = list(dict.fromkeys(name for row in outcome.rows for name in row.quality))
    peaks = any(row.peak_mb is not None for row in outcome.rows)
    notes = any(row.note for row in outcome.rows)
    header = [outcome.unit, "contender", "seconds", "spread", "x fastest", f"{outcome.unit}/s"]
    header += ["peak MB"] * peaks + ["growth"] * bool(outcome.growth) + qualities
    header += ["note"] * notes
    last_sizes = {row.contender: row.size for row in outcome.rows if row.status == "ok"}
    cells = []
    for row in outcome.rows:
        line = [f"{row.size:,}", row.contender, *_times(row, outcome.rows)]
        line += [number(row.peak_mb)] * peaks
        is_last = last_sizes.get(row.contender) == row.size
        slope = outcome.growth.get(row.contender) if is_last else None
        line += ["" if slope is None else f"n^{slope:.2f}"] * bool(outcome.growth)
        line += [number(row.quality.get(name)) for name in qualities]
        cells.append(line + [row.note] * notes)
    return header, cells


def _times(row: Row, rows: Sequence[Row]) -> list[str]:
    """Seconds, spread, ratio to the fastest at this size, throughput; or why there are none."""
    if row.status != "ok" or row.seconds is None or row.spread is None:
        return [row.status, "", "", ""]
    fastest = min(
        (r.seconds for r in rows if r.size == row.size and r.status == "ok" and r.seconds),
        default=row.seconds,
    )
    spread = f"+{row.spread:.0%} of {row.runs}" if row.runs > 1 else "1 run"
    return [
        number(row.seconds),
        spread,
        number(row.seconds / fastest),
        number(row.size / row.seconds),
    ]


def judged(judgements: Sequence[Judgement]) -> tuple[list[str], Cells]:
    """Header and cells of the goals."""
    cells = [[j.goal, number(j.value), j.bound, number(j.hope), verdict_of(j)] for j in judgements]
    return ["goal", "measured", "bound", "hoped for", ""], cells


def verdict_of(judgement: Judgement) -> str:
    """One word or two on a goal."""
    if judgement.value is None:
        return "not measured"
    return {None: "not judged (quick)", True: "met", False: "SHORT OF IT"}[judgement.met]


def tabled(rows: Sequence[dict[str, Any]]) -> tuple[list[str], Cells]:
    """Header and cells of a free table."""
    header = list(dict.fromkeys(name for row in rows for name in row))
    return header, [[number(row.get(name)) for name in header] for row in rows]


def parts(outcome: Outcome) -> list[tuple[list[str], Cells]]:
    """All tables of an outcome, in the order in which they are read."""
    found = []
    if outcome.rows:
        found.append(measured(outcome))
    if outcome.judgements:
        found.append(judged(outcome.judgements))
    if outcome.table:
        found.append(tabled(outcome.table))
    return found


def text(outcome: Outcome) -> str:
    """An outcome for a terminal."""
    blocks = [f"== {outcome.name}"]
    if outcome.finding:
        blocks.append(f"   {outcome.finding}")
    for header, cells in parts(outcome):
        widths = [max(len(line[i]) for line in [header, *cells]) for i in range(len(header))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in [header, ["-" * width for width in widths], *cells]
        ]
        blocks.append("\n".join(lines))
    if outcome.verdict:
        blocks.append(f"-> {outcome.verdict}")
    if outcome.protocol:
        blocks.append(f"   Not as in the paper: {outcome.protocol}")
    return "\n".join(blocks) + "\n"


def markdown_table(header: Sequence[str], cells: Cells) -> str:
    """A Markdown table; pipes inside cells are escaped."""
    lines = [list(header), ["---"] * len(header), *cells]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def as_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data, without its picture."""
    data = asdict(outcome)
    data.pop("chart")
    return data
