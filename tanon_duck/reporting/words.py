"""Numbers as they are read on a page."""

from __future__ import annotations

NARROW = "\u202f"  # a space at which no line breaks


def count(value: float | None) -> str:
    """A whole number in groups of three digits."""
    return "–" if value is None else f"{round(value):,}".replace(",", NARROW)


def percent(share: float | None) -> str:
    """A share with one digit, never rounded to nothing or to all."""
    if share is None:
        return "–"
    shown = f"{100 * share:.1f}"
    if share > 0 and shown == "0.0":
        return f"<{NARROW}0.1{NARROW}%"
    if share < 1 and shown == "100.0":
        return f">{NARROW}99.9{NARROW}%"
    return f"{shown}{NARROW}%"


def number(value: float | None) -> str:
    """A number of any size in four digits."""
    if value is None:
        return "–"
    return count(value) if value == round(value) and abs(value) < 1e15 else f"{value:.4g}"


def plural(value: float | None, one: str, many: str) -> str:
    """So many of something."""
    return f"{count(value)} {one if value == 1 else many}"


def spoken(name: str | None) -> str:
    """A granularity as it is said."""
    return (name or "none").replace("_", " ")
