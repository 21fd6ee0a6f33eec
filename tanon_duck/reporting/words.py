"""Format numbers for a page."""

from __future__ import annotations

NARROW = "\u202f"  # a space at which no line breaks


def count(value: float | None) -> str:
    """Format a whole number with thin spaces, for example '12 345'."""
    return "–" if value is None else f"{round(value):,}".replace(",", NARROW)


def percent(share: float | None) -> str:
    """Format a share with one decimal; never round it to 0 % or 100 %."""
    if share is None:
        return "–"
    shown = f"{100 * share:.1f}"
    if share > 0 and shown == "0.0":
        return f"<{NARROW}0.1{NARROW}%"
    if share < 1 and shown == "100.0":
        return f">{NARROW}99.9{NARROW}%"
    return f"{shown}{NARROW}%"


def number(value: float | None) -> str:
    """Format a number with four digits, for example '0.01235'."""
    if value is None:
        return "–"
    return count(value) if value == round(value) and abs(value) < 1e15 else f"{value:.4g}"


def plural(value: float | None, one: str, many: str) -> str:
    """Format a count with its noun, for example '1 row' or '3 rows'."""
    return f"{count(value)} {one if value == 1 else many}"


def spoken(name: str | None) -> str:
    """Return the name of a granularity with blanks instead of underscores."""
    return (name or "none").replace("_", " ")
