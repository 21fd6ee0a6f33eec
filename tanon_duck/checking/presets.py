"""Read published rules by name from ``sql/presets.toml``.

A preset makes no claim of legal compliance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros import catalog


@dataclass(frozen=True)
class Preset:
    """A published rule, and the checks that test it."""

    name: str
    rule: str
    checks: tuple[tuple[str, Mapping[str, Any]], ...]


def named(name: str) -> Preset:
    """Return the preset of this name; raise if it does not exist."""
    known = every()
    if name not in known:
        raise TanonError(f"preset {name} does not exist{nearest(name, known)}")
    return known[name]


@cache
def every() -> Mapping[str, Preset]:
    """Return all presets by name."""
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
