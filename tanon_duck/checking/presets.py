"""Rules of others under a name: data in ``sql/presets.toml``, and no claim of compliance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros import catalog


@dataclass(frozen=True)
class Preset:
    """A rule, the checks that stand for it, and what they do not look at."""

    name: str
    rule: str
    checks: tuple[tuple[str, Mapping[str, Any]], ...]


def named(name: str) -> Preset:
    """The preset of this name."""
    known = every()
    if name not in known:
        raise TanonError(f"there is no preset {name}{nearest(name, known)}")
    return known[name]


@cache
def every() -> Mapping[str, Preset]:
    """All presets by name."""
    return {
        each["name"]: Preset(
            each["name"],
            each["rule"],
            tuple(
                (check["function"], {k: v for k, v in check.items() if k != "function"})
                for check in each["check"]
            ),
        )
        for each in catalog.presets()
    }
