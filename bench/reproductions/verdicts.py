"""One-line verdicts."""

from __future__ import annotations


def holds(condition: bool, reason: str) -> str:
    """Say whether a finding of a paper holds here, and why."""
    return f"{'Holds' if condition else 'Does not hold'} here: {reason}."


def percent(share: float) -> str:
    """A share in per cent."""
    return f"{100 * share:.1f} %"


def joined(parts: dict[str, bool]) -> str:
    """The parts of a finding that fail, or that all of them hold."""
    failing = [f"not seen: {name}" for name, seen in parts.items() if not seen]
    return ", ".join(failing) or "all parts hold"
