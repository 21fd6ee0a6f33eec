"""Shou et al., Figure 11: time against the number of series, and on to a million."""

from __future__ import annotations

from functools import partial
from typing import Any

from bench._charts import Panel, chart
from bench._data import Floats, uniform_series
from bench.harness import Bench, Contender, Row
from bench.reproductions import schemes
from bench.reproductions.series_data import POSITIONS
from bench.reproductions.verdicts import holds
from bench.reproductions.workload import Published

K = P = 10
TITLE = "Fig. 11: seconds against series (Uniform, k = P = 10)"
# Beyond these sizes the baselines take minutes; that is said in the table.
LARGEST = {
    "Naive (ours)": None,
    "KAPRA (ours)": None,
    "shared": None,
    "KAPRA": 100_000,
    "Naive": 100_000,
    "TGA": 10_000,
    "BFP2KA": 100_000,
}


def run(bench: Bench) -> None:
    """Time every scheme from ten thousand series on."""
    rows = bench.compare(
        TITLE,
        setup=_series,
        contenders=[
            Contender(
                name,
                partial(_publish, name),
                kind="ours" if LARGEST[name] is None else "baseline",
                prepare=schemes.as_letters if name == "BFP2KA" else None,
                largest=LARGEST[name],
                quality=_published_share,
                runs=2,
                memory=False,
            )
            for name in LARGEST
        ],
        sizes=(1_000, 3_000, 10_000, 100_000, 1_000_000),
        quick_sizes=(200, 400, 800),
        unit="series",
    )
    bench.table(
        "Fig. 11: which scheme is fastest",
        lambda: _seconds(rows),
        finding="KAPRA is fastest, Naive about equals TGA, BFP2KA is much slower.",
        protocol="Uniform only (paper: Motion as well); TGA stops at 10,000 series (paper: "
        "100,000); ours go on to a million.",
        verdict=_verdict,
        chart=_draw,
    )


def _series(rows: int) -> Floats:
    return uniform_series(rows)[:, :POSITIONS]


def _publish(name: str, series: Floats) -> object:
    return schemes.publish(name, series, K, P)


def _seconds(rows: list[Row]) -> list[dict[str, Any]]:
    sizes = dict.fromkeys(row.size for row in rows)
    return [
        {"series": size} | {row.contender: row.seconds for row in rows if row.size == size}
        for size in sizes
    ]


def _published_share(published: Published) -> dict[str, float]:
    """Nothing is quicker than publishing nothing, so it is said how much is published."""
    series = int(published.row.max(initial=0)) + 1
    return {"published %": 100 * published.row.size / series if published.row.size else 0.0}


def _verdict(found: list[dict[str, Any]]) -> str:
    last = [row for row in found if row["KAPRA"] and row["TGA"]][-1]
    kapra, naive, tga, paths = (last[name] for name in ("KAPRA", "Naive", "TGA", "BFP2KA"))
    return holds(
        [kapra < min(naive, tga), 0.5 < naive / tga < 2, paths > max(kapra, naive, tga)],
        f"at {last['series']:,} series Naive takes {naive / kapra:.3g} times KAPRA's time, TGA "
        f"{tga / kapra:.3g}, BFP2KA {paths / kapra:.3g} (it finds no shared prefix in this table "
        "and publishes next to nothing)",
    )


def _draw(found: list[dict[str, Any]]) -> str:
    names = [name for name in LARGEST if any(row.get(name) for row in found)]
    lines = {name: [(row["series"], row.get(name)) for row in found] for name in names}
    panel = Panel("Uniform", "series", "seconds", lines, log_y=True, scaled=True, log_x=True)
    return chart(TITLE, [panel])
