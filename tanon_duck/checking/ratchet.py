"""No worse than the last release: what a check came out as, kept beside the policy.

The file holds counts and figures by the titles of checks, and no value of the data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tanon_duck._version import __version__
from tanon_duck.checking.policy import Promise
from tanon_duck.checking.results import Result
from tanon_duck.errors import TanonError

Recorded = Mapping[str, Mapping[str, Any]]
_ENDING = ".state.json"


def path_beside(policy: Path) -> Path:
    """Where the state of a policy is kept."""
    return policy.with_name(policy.stem + _ENDING)


def read(path: Path) -> Recorded:
    """What is recorded; nothing where there is no file yet."""
    try:
        checks = json.loads(path.read_text(encoding="utf-8"))["checks"]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TanonError(f"{path} is no state of a policy: {error}") from None
    if not isinstance(checks, dict) or not all(isinstance(v, dict) for v in checks.values()):
        raise TanonError(f"{path} is no state of a policy: checks must be tables by title")
    return checks


def judged(
    results: Sequence[Result], promises: Sequence[Promise], recorded: Recorded
) -> list[Result]:
    """The results; those of a ratchet hold where they are no worse than what is recorded."""
    return [
        _judged(result, promise, recorded.get(promise.title)) if promise.ratchet else result
        for result, promise in zip(results, promises, strict=True)
    ]


def _judged(result: Result, promise: Promise, before: Mapping[str, Any] | None) -> Result:
    if result.holds is None:
        return result
    if before is None or before.get("asked") != _asked(promise):
        why = "nothing is recorded" if before is None else "other arguments are recorded"
        return result if result.holds else replace(result, message=f"{why} to be no worse than")
    rows = before.get("failing", 0)
    worse = [f"{result.failing} rows, {rows} before"] if result.failing > rows else []
    figures = before.get("figures", {})
    for figure in result.figures:
        old = figures.get(figure.name)
        if old is None or figure.value is None:
            continue
        is_worse = figure.value < old if figure.sign == ">=" else figure.value > old
        if is_worse:
            worse.append(f"{figure.name} {figure.value}, {old} before")
    if worse:
        return replace(result, holds=False, message=f"worse than recorded: {', '.join(worse)}")
    if result.holds:
        return result
    return replace(result, holds=True, message="no worse than recorded")


def to_record(
    results: Sequence[Result], promises: Sequence[Promise], recorded: Recorded
) -> dict[str, Any]:
    """What is to be kept now: what came out where it holds or is new, else what was there."""
    kept: dict[str, Any] = {}
    for result, promise in zip(results, promises, strict=True):
        if not promise.ratchet:
            continue
        before = recorded.get(promise.title)
        is_new = before is None or before.get("asked") != _asked(promise)
        if result.holds or (is_new and result.holds is not None):
            kept[promise.title] = {
                "asked": _asked(promise),
                "failing": result.failing,
                "figures": {f.name: f.value for f in result.figures if f.value is not None},
            }
        elif before is not None:
            kept[promise.title] = dict(before)
    return kept


def text(checks: Mapping[str, Any]) -> str:
    """The file."""
    whole = {"version": __version__, "checks": checks}
    return json.dumps(whole, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _asked(promise: Promise) -> str:
    """What was asked, so that a check that asks something else is not measured by this."""
    said = json.dumps([promise.function, promise.arguments], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]
