"""Draw lines over time, and the ranges of groups of series."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from tanon_duck.reporting.pictures import Picture, cut

_WIDTH, _HEIGHT, _LEFT = 360, 96, 4


def _points(values: Sequence[float], most: float, top: float = 16, least: float = 0) -> str:
    """Return the points of an SVG line, for example '4.0,16.0 30.5,88.2'.

    `most` and `least` are the values at the upper and lower end; `top` is the upper coordinate.
    """
    wide = (_WIDTH - 2 * _LEFT) / max(len(values) - 1, 1)
    span = (most - least) or 1
    return " ".join(
        f"{_LEFT + wide * i:.1f},{top + _HEIGHT * (1 - (min(v, most) - least) / span):.1f}"
        for i, v in enumerate(values)
    )


def before_and_after(
    says: str, before: Sequence[float], after: Sequence[float], allowed: float, word: str
) -> Picture:
    """Draw two lines over time, and a dashed line at the allowed value.

    The line of `before` is dotted; the line of `after` is solid. `word` is the label of the dashed
    line.
    """
    most = max([*before, *after, allowed]) if before or after else allowed
    most = min(most, 4 * allowed)
    least = min([*before, *after, allowed])
    y = 16 + _HEIGHT * (1 - (allowed - least) / ((most - least) or 1))
    body = Markup(
        '<polyline class="line" style="stroke-dasharray:2 3;stroke-width:1.5" points="{}"/>'
        '<polyline class="line" style="stroke:var(--bar,#2f5f93);stroke-width:2.5" points="{}"/>'
        '<line class="mark" x1="4" x2="356" y1="{y:.1f}" y2="{y:.1f}"/>'
        '<text x="4" y="{z:.1f}" class="soft">{word}</text>'
    ).format(
        _points(before, most, 16, least),
        _points(after, most, 16, least),
        y=y,
        z=_HEIGHT + 34,
        word=word,
    )
    return Picture(says, _WIDTH, _HEIGHT + 42, body)


def envelopes(says: str, rows: Sequence[tuple[str, Sequence[float], Sequence[float]]]) -> Picture:
    """Draw the range of each group of series as an area.

    Each row is (label, lowest values, highest values), with one value for each position.
    """
    ends = [value for _, low, high in rows for value in (*low, *high)]
    least, most = min(ends, default=0), max(ends, default=1)
    parts, step = [], _HEIGHT + 34
    for place, (word, low, high) in enumerate(rows):
        top = 22 + step * place
        outline = (
            _points(high, most, top, least)
            + " "
            + " ".join(reversed(_points(low, most, top, least).split()))
        )
        parts.append(Markup(
            '<text x="4" y="{}">{}</text><polygon points="{}" '
            'style="fill:var(--bar,#2f5f93);fill-opacity:.35;stroke:var(--bar,#2f5f93)"/>'
        ).format(top - 8, cut(word, 44), outline))  # fmt: skip
    return Picture(says, _WIDTH, step * len(rows), Markup("").join(parts))
