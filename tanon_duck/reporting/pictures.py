"""Draw bars, intervals and the graph of granularities as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from tanon_duck.errors import TanonError, file_exists

_WIDTH = 360
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:var(--ink,#1a1c1e)}.soft{fill:var(--soft,#50555b)}"
    ".bar{fill:var(--bar,#2f5f93)}.bad{fill:var(--bad-bar,#b5442f)}.mark{stroke:var(--ink,#1a1c1e);"
    "stroke-width:2;stroke-dasharray:4 2}.line{stroke:var(--soft,#50555b);fill:none}"
    ".node{fill:var(--paper,#fff);stroke:var(--soft,#50555b)}"
    ".taken{stroke:var(--ink,#1a1c1e);stroke-width:3}"
)


@dataclass(frozen=True)
class Picture:
    """An SVG drawing with a sentence that says what it shows.

    A notebook shows it. `save` writes it to a file.
    """

    says: str
    width: int
    height: int
    body: Markup

    @property
    def svg(self) -> Markup:
        """Return the drawing as SVG that needs no other file."""
        return Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{says}" '
            'viewBox="0 0 {w} {h}" width="{w}" height="{h}"><style>{style}</style>{body}</svg>'
        ).format(says=self.says, w=self.width, h=self.height, style=_STYLE, body=self.body)

    def _repr_svg_(self) -> str:
        return str(self.svg)

    def _repr_html_(self) -> str:
        return str(self.svg)

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write the drawing to a file; raise if it exists, unless `force` is true."""
        target = Path(path)
        if target.exists() and not force:
            raise TanonError(file_exists(target) + "; force=True replaces it")
        target.write_text(str(self.svg), encoding="utf-8")
        return target


@dataclass(frozen=True)
class Bar:
    """One bar: its name, its length, its figure in words, and whether it is red."""

    name: str
    length: float
    figure: str
    bad: bool = False


def _text(x: float, y: float, words: str, classes: str = "", anchor: str = "start") -> Markup:
    """Return an SVG text element."""
    return Markup('<text x="{}" y="{}" class="{}" text-anchor="{}">{}</text>').format(
        _round(x), _round(y), classes, anchor, words
    )


def _round(value: float) -> str:
    """Format a coordinate with one decimal at most."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def cut(words: str, letters: int) -> str:
    """Shorten a text to a number of letters; three dots show the cut."""
    return words if len(words) <= letters else words[: letters - 1] + "…"


def bars(says: str, rows: Sequence[Bar], allowed: float | None = None, word: str = "") -> Picture:
    """Draw one bar below the other; a dashed line marks the allowed length.

    `word` is the label of that line.
    """
    longest = max([bar.length for bar in rows] + [allowed or 0, 1e-12])
    room, left, parts = _WIDTH - 8, 4, []
    for place, bar in enumerate(rows):
        y = 44 * place
        parts.append(_text(left, y + 14, cut(bar.name, 34)))
        parts.append(_text(_WIDTH - 4, y + 14, bar.figure, anchor="end"))
        wide = max(room * bar.length / longest, 1 if bar.length else 0)
        parts.append(
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="14" rx="2"/>').format(
                "bad" if bar.bad else "bar", left, y + 20, _round(wide)
            )
        )
    height = 44 * len(rows) + 2
    if allowed is not None:
        x = _round(left + room * allowed / longest)
        parts.append(Markup('<line class="mark" x1="{0}" x2="{0}" y1="18" y2="{1}"/>').format(
            x, height
        ))  # fmt: skip
        at_end = allowed > longest / 2
        parts.append(
            _text(float(x) + (-4 if at_end else 4), height + 12, word, "soft",
                  "end" if at_end else "start")
        )  # fmt: skip
        height += 18
    return Picture(says, _WIDTH, height, Markup("").join(parts))


def intervals(says: str, rows: Sequence[Mapping[str, float | str | None]]) -> Picture:
    """Draw each rate from 0 to 1 as a dot with its interval.

    Each row has the keys name, figure, value, low, high, baseline and control. Ticks mark baseline
    and control.
    """
    room, left, parts = _WIDTH - 16, 8, []

    def at(share: float) -> str:
        return _round(left + room * share)

    for place, row in enumerate(rows):
        y = 52 * place
        parts.append(_text(4, y + 14, cut(str(row["name"]), 34)))
        parts.append(_text(_WIDTH - 4, y + 14, str(row["figure"]), anchor="end"))
        parts.append(Markup('<line class="line" x1="{}" x2="{}" y1="{y}" y2="{y}"/>').format(
            at(0), at(1), y=y + 30
        ))  # fmt: skip
        for name, half in (("baseline", 6), ("control", 9)):
            if (share := row[name]) is not None:
                parts.append(Markup('<line class="mark" style="stroke-dasharray:none" x1="{0}" '
                    'x2="{0}" y1="{1}" y2="{2}"/>').format(at(float(share)), y + 30 - half,
                    y + 30 + half))  # fmt: skip
        if row["low"] is not None and row["high"] is not None and row["value"] is not None:
            low, high = float(row["low"]), float(row["high"])
            parts.append(Markup('<rect class="bar" x="{}" y="{}" width="{}" height="6"/>').format(
                at(low), y + 27, _round(max(room * (high - low), 2))
            ))  # fmt: skip
            parts.append(Markup('<circle class="bar" cx="{}" cy="{}" r="5"/>').format(
                at(float(row["value"])), y + 30
            ))  # fmt: skip
    return Picture(says, _WIDTH, 52 * len(rows), Markup("").join(parts))


@dataclass(frozen=True)
class Node:
    """One granularity in the graph; `fine` means that it is allowed."""

    name: str
    figure: str
    fine: bool
    taken: bool


def lattice(says: str, nodes: Sequence[Node], pairs: Sequence[tuple[str, str]]) -> Picture:
    """Draw granularities as a graph with finer ones below coarser ones.

    Each pair is (finer, coarser) and becomes a line.
    """
    names = [node.name for node in nodes]
    level = dict.fromkeys(names, 0)
    for _ in names:  # as long as the longest chain
        for below, above in pairs:
            level[above] = max(level[above], level[below] + 1)
    rows: dict[int, list[Node]] = {}
    for node in nodes:
        rows.setdefault(level[node.name], []).append(node)
    wide = max(_WIDTH, 118 * max((len(row) for row in rows.values()), default=1))
    height, places = 84 * len(rows), {}
    for at, row in rows.items():
        for number, node in enumerate(row):
            places[node.name] = (wide * (2 * number + 1) / (2 * len(row)), height - 84 * at - 42)
    parts = [
        Markup('<line class="line" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
            _round(places[a][0]), _round(places[a][1]), _round(places[b][0]), _round(places[b][1])
        )
        for a, b in pairs
    ]
    for node in nodes:
        x, y = places[node.name]
        taken = "node taken" if node.taken else "node"
        parts.append(
            Markup('<rect class="{}" x="{}" y="{}" width="108" height="46" rx="6"/>').format(
                taken, _round(x - 54), _round(y - 23)
            )
        )
        mark = "✓ " if node.fine else "✗ "
        parts.append(_text(x, y - 4, mark + cut(node.name, 14), anchor="middle"))
        parts.append(_text(x, y + 13, node.figure, "soft", "middle"))
    return Picture(says, wide, height, Markup("").join(parts))
