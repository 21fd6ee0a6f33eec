"""Describe the result of checks: verdict, figures and failing rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tanon_duck.checking.frames import framed, listed

HOLDS, FAILS, UNKNOWN = 0, 1, 2
_WORDS = {HOLDS: "holds", FAILS: "does not hold", UNKNOWN: "could not tell"}


@dataclass(frozen=True)
class Figure:
    """A measured number and its bound, for example smallest group 4 (>= 5).

    The value is None if no row contains the number.
    """

    name: str
    value: float | None
    sign: str = ""  # >= or <=
    bound: float | None = None

    def __str__(self) -> str:
        measured = "" if self.value is None else f" {_number(self.value)}"
        if self.bound is None:
            return f"{self.name}{measured}"
        promised = f"{self.sign} {_number(self.bound)}"
        return f"{self.name}{measured} ({promised})" if measured else f"{self.name} {promised}"


@dataclass(frozen=True)
class Result:
    """The result of one check.

    ``holds`` is None if the check could not run; ``message`` then contains the reason. ``rows``
    contains the first failing rows. It is empty if values must not be shown.
    """

    function: str
    arguments: Mapping[str, Any]
    holds: bool | None
    failing: int = 0
    figures: tuple[Figure, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    message: str = ""
    name: str = ""
    severity: str = "fail"
    allowed: int = 0  # rows that may break the promise

    @property
    def status(self) -> int:
        """Return the exit status: 0 holds, 1 does not hold, 2 could not run."""
        if self.holds is None:
            return UNKNOWN
        return HOLDS if self.holds else FAILS

    @property
    def is_warning(self) -> bool:
        """Return whether the check fails and only warns."""
        return self.status == FAILS and self.severity == "warn"

    @property
    def verdict(self) -> str:
        """Return 'holds', 'does not hold', 'could not tell' or 'warning'."""
        return "warning" if self.is_warning else _WORDS[self.status]

    @property
    def title(self) -> str:
        """Return the name that the policy gives, else the name of the function."""
        return self.name or self.function

    def explained(self) -> str:
        """Return figures and bounds in one line, or why the check could not run."""
        if self.status == UNKNOWN:
            return self.message
        parts = [str(figure) for figure in self.figures]
        allowed = f" (at most {self.allowed})" if self.allowed else ""
        if self.failing or allowed or not parts:
            parts.append(f"{self.failing} row{'' if self.failing == 1 else 's'}{allowed}")
        return ", ".join(parts + ([self.message] if self.message else []))

    def sentence(self) -> str:
        """Return title, verdict and figures in one line."""
        return f"{self.title}: {self.verdict}: {self.explained()}"

    def _repr_html_(self) -> str:
        return framed(listed([(self.verdict, self.title, self.explained())]), 120)


@dataclass(frozen=True)
class Report:
    """The results of several checks."""

    results: Sequence[Result]
    notes: Sequence[str] = field(default_factory=tuple)

    @property
    def status(self) -> int:
        """Return 2 if a check could not run, 1 if a check fails, else 0.

        A check that only warns counts as 0.
        """
        found = [0 if result.is_warning else result.status for result in self.results]
        return max(found, default=HOLDS)

    @property
    def holds(self) -> bool:
        """Return whether all checks hold."""
        return self.status == HOLDS

    def counts(self) -> dict[str, int]:
        """Return the number of checks by verdict, for example {'holds': 3}."""
        counted: dict[str, int] = {}
        for result in self.results:
            counted[result.verdict] = counted.get(result.verdict, 0) + 1
        return counted

    def summary(self) -> str:
        """Return the counts in one line, for example '4 checks: 3 holds, 1 warning'."""
        parts = [f"{count} {verdict}" for verdict, count in sorted(self.counts().items())]
        plural = "" if len(self.results) == 1 else "s"
        return f"{len(self.results)} check{plural}: {', '.join(parts)}" if parts else "no checks"

    def _repr_html_(self) -> str:
        rows = [(r.verdict, r.title, r.explained()) for r in self.results]
        return framed(listed(rows, [*self.notes, self.summary()]), min(120 + 32 * len(rows), 640))

    def __str__(self) -> str:
        return "\n".join([*(r.sentence() for r in self.results), *self.notes, self.summary()])


def _number(value: float) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
