"""Shou et al., Table 4 and Figures 4 to 6: suppression, value loss and pattern loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench._charts import Panel, chart
from bench._data import Floats
from bench.harness import Bench
from bench.reproductions import schemes
from bench.reproductions.series_data import absence, protocol, tables
from bench.reproductions.verdicts import holds, joined, wide
from tanon_duck.algorithms.kp.create_tree import create_tree
from tanon_duck.algorithms.kp.recycle import recycle
from tanon_duck.algorithms.sax import z_normalize

Rows = list[dict[str, Any]]
MAX_LEVEL = 10
LABELS = {"value loss": "VL", "pattern loss": "PL"}


def run(bench: Bench) -> None:
    """The experiments on information loss."""
    _table_4(bench)
    _tuning(bench, "P", "Fig. 4: losses against P (k = 10)", _finding_4)
    _tuning(bench, "k", "Fig. 5: losses against k (P = 5)", _finding_5)
    _figure_6(bench)


def suppressed_rows(series: Floats, p: int) -> tuple[int, int]:
    """Rows in no P-subgroup after recycling, and before it."""
    normalized = z_normalize(series)
    root = np.zeros(series.shape[0], dtype=np.int64)
    leaves = create_tree(normalized, p, MAX_LEVEL, root)
    before = int((~leaves.good[leaves.leaf]).sum())
    return int((recycle(normalized, p, leaves, root).leaf < 0).sum()), before


def _table_4(bench: Bench) -> None:
    ps = (2, 5, 10) if bench.quick else (2, 5, 10, 20, 30, 40, 50, 100)

    def build() -> Rows:
        rows = []
        for name, series in tables(bench).items():
            counts = [suppressed_rows(series, p) for p in ps]
            with_it = {f"P={p}": count[0] for p, count in zip(ps, counts, strict=True)}
            without = {f"P={p}": count[1] for p, count in zip(ps, counts, strict=True)}
            rows.append({"data": name, "recycling": "yes", "series": len(series)} | with_it)
            rows.append({"data": name, "recycling": "no", "series": len(series)} | without)
        return rows

    def verdict(rows: Rows) -> str:
        few = all(row[f"P={p}"] < p for row in rows if row["recycling"] == "yes" for p in ps)
        worst = max(row[f"P={p}"] / row["series"] for row in rows for p in ps)
        return holds(
            few,
            f"always fewer than P with recycling; without it up to {100 * worst:.1f} % of a table",
        )

    bench.table(
        "Table 4: suppressed series",
        build,
        finding="Recycling leaves fewer than P series suppressed, mostly none." + absence(bench),
        protocol=protocol(bench, "Uniform is added"),
        verdict=verdict,
    )


def losses(bench: Bench, names: Sequence[str], settings: Sequence[tuple[int, int]]) -> Rows:
    """Mean value loss and pattern loss per published series."""
    rows = []
    for data, series in tables(bench).items():
        for k, p in settings:
            for name in names:
                published = schemes.publish(name, series, k, p)
                value, pattern = schemes.mean_losses(series, published)
                row = {"data": data, "k": k, "P": p, "scheme": name}
                rows.append(row | {"value loss": value, "pattern loss": pattern})
    return rows


def _tuning(bench: Bench, axis: str, title: str, finding_of: Any) -> None:
    if axis == "P":
        settings = [(10, p) for p in ((2, 5) if bench.quick else (2, 3, 4, 5, 6, 7, 8, 9, 10))]
    else:
        settings = [(k, 5) for k in ((5, 10) if bench.quick else (5, 10, 15, 20, 30, 40, 50))]
    finding, verdict = finding_of

    def draw(rows: Rows) -> str:
        panels = []
        for data in dict.fromkeys(row["data"] for row in rows):
            for figure in ("value loss", "pattern loss"):
                lines = lines_of([r for r in rows if r["data"] == data], axis, figure)
                panels.append(Panel(f"{data}: {figure}", axis, f"{figure} per series", lines))
        return chart(title, panels, columns=2)

    names = ("Naive", "KAPRA", "KAPRA refined", "shared")
    bench.table(
        title,
        lambda: losses(bench, names, settings),
        finding=finding + absence(bench),
        protocol=protocol(bench, "Uniform is added"),
        verdict=verdict,
        chart=draw,
        show=lambda rows: wide(rows, ("data", "k", "P"), "scheme", LABELS),
    )


def lines_of(rows: Rows, axis: str, figure: str) -> dict[str, list[tuple[Any, float | None]]]:
    """One line per scheme."""
    return {
        name: [(row[axis], row[figure]) for row in rows if row["scheme"] == name]
        for name in dict.fromkeys(row["scheme"] for row in rows)
    }


def series_of(rows: Rows, scheme: str, figure: str, data: str) -> list[float]:
    """The figures of one scheme on one table, in the order of the sweep."""
    return [row[figure] for row in rows if row["scheme"] == scheme and row["data"] == data]


def _verdict_4(rows: Rows) -> str:
    said: list[str] = []
    good: list[bool] = []
    for data in dict.fromkeys(row["data"] for row in rows):
        naive, kapra = (series_of(rows, s, "pattern loss", data) for s in ("Naive", "KAPRA"))
        naive_value, kapra_value = (
            series_of(rows, s, "value loss", data) for s in ("Naive", "KAPRA")
        )
        parts = {
            "pattern loss rises with P": rising(naive) and rising(kapra),
            "Naive's value loss ignores P": max(naive_value) - min(naive_value) < 1e-9,
            # At P = k every P-subgroup is a k-group already, and nothing has to be joined.
            "KAPRA's value loss rises with P < k": rising(kapra_value[:-1]),
            "KAPRA's pattern loss is the lower": all(
                a < b for a, b in zip(kapra, naive, strict=True)
            ),
            "KAPRA's value loss is the higher": all(
                a > b for a, b in zip(kapra_value, naive_value, strict=True)
            ),
        }
        good += parts.values()
        said.append(f"{data}: {joined(parts)}")
    return holds(good, "; ".join(said))


def _verdict_5(rows: Rows) -> str:
    said: list[str] = []
    good: list[bool] = []
    for data in dict.fromkeys(row["data"] for row in rows):
        kapra = series_of(rows, "KAPRA", "pattern loss", data)
        naive = series_of(rows, "Naive", "pattern loss", data)
        parts = {
            "value loss rises with k": all(
                rising(series_of(rows, s, "value loss", data)) for s in ("Naive", "KAPRA")
            ),
            "KAPRA's pattern loss ignores k": max(kapra) - min(kapra) < 0.01 * max(kapra),
            "Naive's pattern loss falls with k": rising(naive[::-1]),
            "KAPRA's pattern loss is the lower": all(
                a < b for a, b in zip(kapra, naive, strict=True)
            ),
        }
        good += parts.values()
        said.append(f"{data}: " + joined(parts))
    return holds(good, "; ".join(said))


def rising(values: Sequence[float]) -> bool:
    """Whether values rise along a sweep, steps back of less than 5 % aside."""
    highest = np.maximum.accumulate(values)
    return values[-1] > values[0] and bool((np.asarray(values) >= 0.95 * highest).all())


_finding_4 = (
    "Pattern loss rises with P; P does not touch Naive's value loss; KAPRA has much less pattern "
    "loss and somewhat more value loss.",
    _verdict_4,
)
_finding_5 = (
    "Value loss rises with k; KAPRA's pattern loss does not depend on k; Naive's falls with k.",
    _verdict_5,
)


def _figure_6(bench: Bench) -> None:
    title = "Fig. 6: pattern loss, k = P"
    ps = (2, 5) if bench.quick else (2, 5, 10, 20, 50)
    names = ("Naive", "KAPRA", "shared", "TGA")

    def draw(rows: Rows) -> str:
        panels = [
            Panel(
                data,
                "k = P",
                "pattern loss per series",
                lines_of([r for r in rows if r["data"] == data], "P", "pattern loss"),
            )
            for data in dict.fromkeys(row["data"] for row in rows)
        ]
        return chart(title, panels)

    def verdict(rows: Rows) -> str:
        said: list[str] = []
        good: list[bool] = []
        for data in dict.fromkeys(row["data"] for row in rows):
            kapra = series_of(rows, "KAPRA", "pattern loss", data)
            tga = series_of(rows, "TGA", "pattern loss", data)
            lower = [p for p, a, b in zip(ps, kapra, tga, strict=True) if a < b]
            good += [a < b for a, b in zip(kapra, tga, strict=True)]
            where = "everywhere" if len(lower) == len(ps) else f"at P in {lower} of {list(ps)}"
            said.append(f"{data}: KAPRA below TGA {where}")
        return holds(good, "; ".join(said))

    bench.table(
        title,
        lambda: losses(bench, names, [(p, p) for p in ps]),
        finding="TGA suffers more severe pattern loss than KAPRA." + absence(bench),
        protocol=protocol(
            bench,
            "Uniform is added",
            "TGA is our own implementation, which publishes a random point of each box",
        ),
        verdict=verdict,
        chart=draw,
        show=lambda rows: wide(rows, ("data", "P"), "scheme", {"pattern loss": ""}),
    )
