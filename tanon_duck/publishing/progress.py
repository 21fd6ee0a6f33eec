"""Count what one step of a publication did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """Counts of one step, and the last snapshots that were read and released."""

    seen_upto: Any
    released_upto: Any
    records: int
    published: int
    suppressed: int


def progress_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> Progress:
    """Return the counts of a step as the difference of two manifests."""
    added = {name: after[name] - before[name] for name in ("records", "published", "suppressed")}
    return Progress(after["seen_upto"], after["released_upto"], **added)
