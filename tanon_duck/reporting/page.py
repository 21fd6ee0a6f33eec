"""Describe a page by its sections, tables and figures, and write it as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import jinja2

from tanon_duck.reporting.pictures import Picture

_MOST_ROWS = 60


@dataclass(frozen=True)
class Table:
    """Headings and rows of a table; rows beyond the first 60 are only counted."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: int = 0  # rows that are not shown

    @classmethod
    def of(cls, headings: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> Table:
        """Return a table with the first 60 rows and the number of further rows."""
        shown = tuple(tuple(row) for row in rows[:_MOST_ROWS])
        return cls(tuple(headings), shown, caption, len(rows) - len(shown))


@dataclass(frozen=True)
class Tile:
    """One of the large figures at the top of the page."""

    figure: str
    says: str


@dataclass(frozen=True)
class Promise:
    """A promise, the figure that was found, and whether the promise holds."""

    promised: str
    found: str
    holds: bool


@dataclass(frozen=True)
class Section:
    """A heading with its paragraphs, pictures, tables, notes and code."""

    title: str
    paragraphs: tuple[str, ...] = ()
    picture: Picture | None = None
    tables: tuple[Table, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()  # a heading and a sentence
    code: str = ""
    second: Picture | None = None


@dataclass(frozen=True)
class Page:
    """All parts of a report in the order of the page."""

    title: str
    edition: str
    verdict: str
    holds: bool
    alarms: tuple[str, ...]
    tiles: tuple[Tile, ...]
    promises: tuple[Promise, ...]
    sections: tuple[Section, ...] = field(default_factory=tuple)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("tanon_duck.reporting"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def written(page: Page) -> str:
    """Return the page as one HTML file."""
    return _environment().get_template("report.html").render(page=page)
