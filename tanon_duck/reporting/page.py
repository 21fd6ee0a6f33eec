"""What a page is made of: sections of paragraphs, tables and pictures, and how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import jinja2

from tanon_duck.reporting.pictures import Picture

_MOST_ROWS = 60


@dataclass(frozen=True)
class Table:
    """Rows of words below their headings; what is too long to be read is counted."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: int = 0  # rows that are not shown

    @classmethod
    def of(cls, headings: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> Table:
        """All rows, or the first of very many."""
        shown = tuple(tuple(row) for row in rows[:_MOST_ROWS])
        return cls(tuple(headings), shown, caption, len(rows) - len(shown))


@dataclass(frozen=True)
class Tile:
    """One figure that is read first."""

    figure: str
    says: str


@dataclass(frozen=True)
class Promise:
    """What was promised, what was found, and whether it holds."""

    promised: str
    found: str
    holds: bool


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    paragraphs: tuple[str, ...] = ()
    picture: Picture | None = None
    tables: tuple[Table, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()  # a heading and a sentence
    code: str = ""
    second: Picture | None = None


@dataclass(frozen=True)
class Page:
    """A whole report."""

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
    """The page as one file of HTML."""
    return _environment().get_template("report.html").render(page=page)
