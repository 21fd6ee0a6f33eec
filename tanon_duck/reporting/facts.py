"""The rows of a report function, found by section, fact and what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One row: what is told of what, what it is held to, and whether others may see it."""

    section: str
    fact: str
    about: str | None
    value: float | None
    bound: float | None
    holds: bool | None
    text: str | None
    public: bool


class Facts:
    """All facts of a report, or those that an edition may show."""

    def __init__(self, rows: Iterable[Fact]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def read(cls, rows: Iterable[tuple[Any, ...]], audience: str) -> Facts:
        """From the rows of SQL; the edition for others never gets to hold what is the owner's."""
        found = (Fact(*row) for row in rows)
        return cls(fact for fact in found if fact.public or audience == "owner")

    def of(self, section: str, fact: str | None = None) -> Iterator[Fact]:
        """Those of a section, in their order; of one kind, if one is named."""
        for row in self.rows:
            if row.section == section and fact in (None, row.fact):
                yield row

    def value(self, section: str, fact: str, about: str | None = None) -> float | None:
        """The number of one fact; None where it is not told."""
        found = (row.value for row in self.of(section, fact) if row.about == about)
        return next(found, None)

    def text(self, section: str, fact: str, about: str | None = None) -> str:
        """The words of one fact; empty where it is not told."""
        found = (row.text or "" for row in self.of(section, fact) if row.about == about)
        return next(found, "")

    def abouts(self, section: str) -> list[str]:
        """What a section tells of, each once, in its order."""
        return list(dict.fromkeys(row.about for row in self.of(section) if row.about is not None))

    @property
    def hold(self) -> bool:
        """Whether all that was promised holds."""
        return all(row.holds is not False for row in self.of("promise"))
