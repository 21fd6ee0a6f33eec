"""The goals of bench/goals.toml: what each comparison should reach, and each change of a bound."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from bench.harness import Goal

FILE = Path(__file__).parent / "goals.toml"
NOT_OF_A_GOAL = ("comparison", "changes")


@cache
def entries(file: Path = FILE) -> list[dict[str, Any]]:
    """Return the goals of a file as they are written, one mapping for each."""
    found: list[dict[str, Any]] = tomllib.loads(file.read_text())["goals"]
    return found


def goals_of(comparison: str, file: Path = FILE) -> list[Goal]:
    """Return the goals of one comparison, by its name."""
    return [
        Goal(**{key: value for key, value in entry.items() if key not in NOT_OF_A_GOAL})
        for entry in entries(file)
        if entry["comparison"] == comparison
    ]


def changes(file: Path = FILE) -> list[dict[str, Any]]:
    """Return every change of a bound with its comparison and goal, in the order of the file."""
    return [
        {key: entry.get(key, "") for key in ("comparison", "of", "over", "minus")} | change
        for entry in entries(file)
        for change in entry.get("changes", ())
    ]
