"""One-line verdicts, and long tables turned wide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def holds(condition: bool | list[bool], reason: str) -> str:
    """Return the verdict on a finding of a paper, with the reason.

    A finding has one or several cells. It holds if all cells agree with it. It holds in part if
    more than half of the cells agree. Otherwise it does not hold.
    """
    cells = condition if isinstance(condition, list) else [condition]
    right = sum(cells)
    if right == len(cells):
        verdict = "Holds"
    elif 2 * right > len(cells):
        verdict = f"Holds in part ({right} of {len(cells)} cells)"
    else:
        verdict = "Does not hold" + (f" ({right} of {len(cells)} cells)" if len(cells) > 1 else "")
    return f"{verdict}: {reason}."


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
