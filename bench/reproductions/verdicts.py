"""One-line verdicts, and long tables turned wide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def holds(condition: bool | list[bool], reason: str) -> str:
    """Say whether a finding of a paper holds here, or some of its parts do, and why."""
    parts = condition if isinstance(condition, list) else [condition]
    said = "Holds" if all(parts) else "Holds in part" if any(parts) else "Does not hold"
    return f"{said} here: {reason}."


def percent(share: float) -> str:
    """A share in per cent."""
    return f"{100 * share:.1f} %"


def joined(parts: dict[str, bool]) -> str:
    """The parts of a finding that fail, or that all of them hold."""
    failing = [f"not seen: {name}" for name, seen in parts.items() if not seen]
    return ", ".join(failing) or "all parts hold"


def wide(
    rows: list[dict[str, Any]], index: tuple[str, ...], by: str, figures: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One row per index, one column per figure (under its label) and scheme."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for figure, label in figures.items():
        for row in rows:
            key = tuple(row[name] for name in index)
            line = found.setdefault(key, dict(zip(index, key, strict=True)))
            line[f"{label} {row[by]}".strip()] = row[figure]
    return list(found.values())
