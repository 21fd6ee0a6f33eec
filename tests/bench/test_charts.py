"""Charts are well-formed SVG whose marks lie where the figures say."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from bench._charts import PANEL_HEIGHT, PANEL_WIDTH, Panel, chart

SVG = "{http://www.w3.org/2000/svg}"


def polylines(svg: str) -> list[list[tuple[float, float]]]:
    found = []
    for line in ET.fromstring(svg).iter(f"{SVG}polyline"):
        pairs = (pair.split(",") for pair in line.attrib["points"].split())
        found.append([(float(x), float(y)) for x, y in pairs])
    return found


def test_a_line_runs_from_the_bottom_to_the_top_of_its_panel():
    svg = chart("t", [Panel("p", "x", "y", {"a": [(0, 0.0), (5, 0.5), (10, 1.0)]}, scaled=True)])
    assert polylines(svg) == [
        [(0, PANEL_HEIGHT), (PANEL_WIDTH / 2, PANEL_HEIGHT / 2), (PANEL_WIDTH, 0)]
    ]


def test_a_logarithmic_axis_spaces_decades_evenly():
    points = [(10, 0.01), (1_000, 0.1), (100_000, 1.0)]
    svg = chart("t", [Panel("p", "x", "y", {"a": points}, log_y=True, scaled=True, log_x=True)])
    heights = [y for _, y in polylines(svg)[0]]
    assert heights == [PANEL_HEIGHT, PANEL_HEIGHT / 2, 0]
    assert [x for x, _ in polylines(svg)[0]] == [0, PANEL_WIDTH / 2, PANEL_WIDTH]


def test_a_missing_value_cuts_the_line():
    svg = chart("t", [Panel("p", "x", "y", {"a": [(1, 1.0), (2, None), (3, 2.0), (4, 1.0)]})])
    assert [len(line) for line in polylines(svg)] == [1, 2]


def test_bars_stand_on_the_axis_also_when_all_are_zero():
    svg = chart("t", [Panel("p", "x", "y", {"a": [(1, 0), (2, 4)], "b": [(1, 2)]})], bars=True)
    bars = [r.attrib for r in ET.fromstring(svg).iter(f"{SVG}rect") if "fill" in r.attrib]
    inside = [b for b in bars if b["fill"] != "#ffffff" and "x" in b and float(b["y"]) >= 0]
    assert len(inside) == 3
    assert all(float(b["y"]) + float(b["height"]) == PANEL_HEIGHT for b in inside)
    chart("t", [Panel("p", "x", "y", {"a": [(1, 0), (2, 0)]})], bars=True)
    chart("t", [Panel("p", "x", "y", {"a": [(1, 0.0)]}, log_y=True)])


def test_titles_are_escaped_and_lines_limited():
    svg = chart("<k & P>", [Panel('a "b"', "x", "y", {"it's": [(1, 1.0)]})])
    assert ET.fromstring(svg).find(f"{SVG}title").text == "<k & P>"
    with pytest.raises(ValueError, match="at most 7 lines"):
        chart("t", [Panel("p", "x", "y", {str(i): [(1, 1.0)] for i in range(8)})])
