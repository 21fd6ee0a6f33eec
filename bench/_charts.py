"""Line and bar charts as SVG text, small multiples side by side under one legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

Points = Sequence[tuple[Any, float | None]]

# Colours that stay apart for colour-blind readers; markers and dashes carry the same difference.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#5d5d5d", "#e69f00", "#56b4e9")
DASHES = ("none", "7 3", "2 3", "9 3 2 3", "none", "7 3", "2 3")
MARKERS = (
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M-5 -4H5L0 5Z",
    "M-5 -1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z",
    "M-3 -5H3V5H-3Z",
)
PANEL_WIDTH, PANEL_HEIGHT, LEFT, GAP, LEGEND_STEP = 300, 210, 70, 78, 7.2
TITLE_STEP = 9.3
MOST_COLUMNS = 3

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
)


@dataclass(frozen=True)
class Panel:
    """One plot: the points of each named line, x positions evenly spaced unless `scaled`."""

    title: str
    x_label: str
    y_label: str
    lines: Mapping[str, Points]
    log_y: bool = False
    scaled: bool = False
    log_x: bool = False


@dataclass
class _Axis:
    """Where a value lies on an axis, and the ticks along it."""

    low: float
    high: float
    length: float
    log: bool
    ticks: list[float] = field(default_factory=list)

    def at(self, value: float) -> float:
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = math.log10(low), math.log10(high), math.log10(max(value, self.low))
        return round((here - low) / (high - low) * self.length, 1)


def chart(
    title: str, panels: Sequence[Panel], bars: bool = False, columns: int = MOST_COLUMNS
) -> str:
    """Draw the panels; a line keeps its colour in all of them."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines))
    if len(names) > len(COLOURS):
        raise ValueError(f"a chart shows at most {len(COLOURS)} lines, got {len(names)}")
    looks = {
        name: {"colour": COLOURS[i], "dash": DASHES[i], "marker": MARKERS[i]}
        for i, name in enumerate(names)
    }
    columns = min(columns, len(panels))
    width = LEFT + columns * PANEL_WIDTH + (columns - 1) * GAP + 24
    width = max(width, 40 + math.ceil(TITLE_STEP * len(title)))
    legend, legend_rows = _legend(looks, width)
    top = 62 + 18 * legend_rows
    drawn = [_drawn(panel, looks, bars) for panel in panels]
    step = PANEL_HEIGHT + (110 if any(plot["slanted"] for plot in drawn) else 78)
    for i, plot in enumerate(drawn):
        plot["x"] = LEFT + (i % columns) * (PANEL_WIDTH + GAP)
        plot["y"] = top + (i // columns) * step
    height = top + math.ceil(len(panels) / columns) * step - 28
    return _environment.get_template("chart.svg.j2").render(
        title=title, width=width, height=height, legend=legend, panels=drawn, bars=bars
    )


def _legend(looks: Mapping[str, dict[str, str]], width: int) -> tuple[list[dict[str, Any]], int]:
    entries: list[dict[str, Any]] = []
    x, row = 16.0, 0
    for name, look in looks.items():
        needed = 28 + LEGEND_STEP * len(name) + 16
        if x + needed > width and x > 16:
            x, row = 16.0, row + 1
        entries.append({"x": round(x), "y": 46 + 18 * row, "name": name} | look)
        x += needed
    return entries, row + 1


def _drawn(panel: Panel, looks: Mapping[str, dict[str, str]], bars: bool) -> dict[str, Any]:
    xs = list(dict.fromkeys(x for points in panel.lines.values() for x, _ in points))
    ys = [y for points in panel.lines.values() for _, y in points if y is not None]
    y_axis = _y_axis(ys, panel.log_y, bars)
    place, x_ticks = _x_places(panel, xs)

    def height_of(y: float) -> float:
        return round(PANEL_HEIGHT - y_axis.at(y), 1)

    plot: dict[str, Any] = {
        "title": panel.title,
        "x_label": panel.x_label,
        "y_label": panel.y_label,
        "width": PANEL_WIDTH,
        "height": PANEL_HEIGHT,
        "x_ticks": x_ticks,
        "slanted": sum(len(tick["label"]) + 1 for tick in x_ticks) * LEGEND_STEP > PANEL_WIDTH,
        "y_ticks": [{"at": height_of(t), "label": _label(t)} for t in y_axis.ticks],
        "lines": [],
        "bars": [],
    }
    wide = PANEL_WIDTH / max(1, len(xs)) * 0.8 / max(1, len(panel.lines))
    for number, (name, points) in enumerate(panel.lines.items()):
        if bars:
            offset = (number - len(panel.lines) / 2) * wide
            for x, y in points:
                if y is not None:
                    top = height_of(y)
                    box = {"x": round(place[x] + offset, 1), "y": top, "width": round(wide - 1, 1)}
                    plot["bars"].append(
                        box | {"height": round(PANEL_HEIGHT - top, 1)} | looks[name]
                    )
        else:
            plot["lines"].append({"stretches": _stretches(points, place, height_of)} | looks[name])
    return plot


def _stretches(points: Points, place: Mapping[Any, float], height_of: Any) -> list[Any]:
    """The points of a line, cut where a value is missing."""
    stretches: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if y is None:
            stretches.append([])
        else:
            stretches[-1].append((place[x], height_of(y)))
    return [stretch for stretch in stretches if stretch]


def _x_places(panel: Panel, xs: list[Any]) -> tuple[dict[Any, float], list[dict[str, Any]]]:
    if panel.scaled and len(xs) > 1:
        numbers = [float(x) for x in xs]
        axis = _Axis(min(numbers), max(numbers), PANEL_WIDTH, panel.log_x)
        place = {x: axis.at(float(x)) for x in xs}
    else:
        step = PANEL_WIDTH / max(1, len(xs))
        place = {x: round((i + 0.5) * step, 1) for i, x in enumerate(xs)}
    every = math.ceil(len(xs) / 11)
    ticks = [{"at": place[x], "label": _label(x)} for i, x in enumerate(xs) if i % every == 0]
    return place, ticks


def _y_axis(ys: list[float], log: bool, bars: bool) -> _Axis:
    top = max(ys, default=1.0)
    if log:
        positive = [y for y in ys if y > 0] or [1.0]
        low = 10.0 ** math.floor(math.log10(min(positive)) + 1e-9)
        high = max(low * 10, 10.0 ** math.ceil(math.log10(max(positive)) - 1e-9))
        decades = round(math.log10(high / low))
        ticks = [low * 10.0**i for i in range(decades + 1)]
        # A bar of the lowest value must still be seen.
        return _Axis(low / 2 if bars else low, high, PANEL_HEIGHT, True, ticks)
    bottom = min(0.0, min(ys, default=0.0))
    step = _nice((top - bottom) / 5 or 0.2)
    first, last = math.floor(bottom / step), math.ceil(top / step - 1e-9) or 1
    ticks = [round(i * step, 10) for i in range(first, last + 1)]
    return _Axis(ticks[0], ticks[-1], PANEL_HEIGHT, False, ticks)


def _nice(raw: float) -> float:
    """The smallest of 1, 2, 2.5, 5, 10 times a power of ten that is not below `raw`."""
    power = 10.0 ** math.floor(math.log10(raw))
    return next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= raw * (1 - 1e-9))


def _label(value: Any) -> str:
    if isinstance(value, str):
        return value
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
