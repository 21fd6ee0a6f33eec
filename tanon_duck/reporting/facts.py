"""Read the rows of a report function, and find them by section and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One row of a report function: a figure, its bound and who may see it.

    For example section 'promise', fact 'smallest group', value 5, bound 5, holds true. `about` is
    the column, granularity or group that the figure describes.
    """

    section: str
    fact: str
    about: str | None
    value: float | None
    bound: float | None
    holds: bool | None
    text: str | None
    public: bool


class Facts:
    """The facts of a report, limited to those that the edition may show."""

    def __init__(self, rows: Iterable[Fact]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def read(cls, rows: Iterable[tuple[Any, ...]], audience: str) -> Facts:
        """Read rows of SQL; for 'public', skip every fact that is for the owner."""
        found = (Fact(*row) for row in rows)
        return cls(fact for fact in found if fact.public or audience == "owner")

    def of(self, section: str, fact: str | None = None) -> Iterator[Fact]:
        """Yield the facts of a section in their order; `fact` selects one name."""
        for row in self.rows:
            if row.section == section and fact in (None, row.fact):
                yield row

    def value(self, section: str, fact: str, about: str | None = None) -> float | None:
        """Return the number of one fact, None if the fact does not exist."""
        found = (row.value for row in self.of(section, fact) if row.about == about)
        return next(found, None)

    def text(self, section: str, fact: str, about: str | None = None) -> str:
        """Return the text of one fact, '' if the fact does not exist."""
        found = (row.text or "" for row in self.of(section, fact) if row.about == about)
        return next(found, "")

    def abouts(self, section: str) -> list[str]:
        """Return what the facts of a section describe, each once, in their order."""
        return list(dict.fromkeys(row.about for row in self.of(section) if row.about is not None))

    @property
    def hold(self) -> bool:
        """Return whether every promise holds."""
        return all(row.holds is not False for row in self.of("promise"))
