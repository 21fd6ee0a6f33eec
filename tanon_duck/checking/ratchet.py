"""Compare checks with recorded results: a check with a ratchet may not get worse.

A JSON file in the folder of the policy contains counts and figures by the titles of checks. It
contains no value of the data.
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


def state_path(policy: Path) -> Path:
    """Return the path of a policy's state, for example 'policy.state.json'."""
    return policy.with_name(policy.stem + _ENDING)


def read(path: Path) -> Recorded:
    """Read the recorded checks by title; return {} if the file does not exist."""
    try:
        checks = json.loads(path.read_text(encoding="utf-8"))["checks"]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TanonError(
            f"{path} must be the state file of a policy: {error}; to record anew, delete it"
        ) from None
    if not isinstance(checks, dict) or not all(isinstance(v, dict) for v in checks.values()):
        raise TanonError(
            f"{path} must be the state file of a policy: checks must be tables by title"
        )
    return checks


def judged(
    results: Sequence[Result], promises: Sequence[Promise], recorded: Recorded
) -> list[Result]:
    """Return the results; a check with a ratchet holds if it is not worse than recorded."""
    return [
        _judged(result, promise, recorded.get(promise.title)) if promise.ratchet else result
        for result, promise in zip(results, promises, strict=True)
    ]


def _judged(result: Result, promise: Promise, before: Mapping[str, Any] | None) -> Result:
    """Compare one result with its record, None if there is no record."""
    if result.holds is None:
        return result
    if before is None or before.get("asked") != _fingerprint(promise):
        why = "no result is recorded" if before is None else "other arguments are recorded"
        return (
            result
            if result.holds
            else replace(result, message=f"{why}, so that the ratchet has nothing to compare")
        )
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
    """Return the checks to record after this run.

    A result is recorded if it holds or is new. Otherwise the older record stays.
    """
    checks_to_record: dict[str, Any] = {}
    for result, promise in zip(results, promises, strict=True):
        if not promise.ratchet:
            continue
        before = recorded.get(promise.title)
        is_new = before is None or before.get("asked") != _fingerprint(promise)
        if result.holds or (is_new and result.holds is not None):
            checks_to_record[promise.title] = {
                "asked": _fingerprint(promise),
                "failing": result.failing,
                "figures": {f.name: f.value for f in result.figures if f.value is not None},
            }
        elif before is not None:
            checks_to_record[promise.title] = dict(before)
    return checks_to_record


def text(checks: Mapping[str, Any]) -> str:
    """Return the records as the JSON text of the state file."""
    content = {"version": __version__, "checks": checks}
    return json.dumps(content, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _fingerprint(promise: Promise) -> str:
    """Return a digest of function and arguments.

    A record with another digest belongs to another question and is not compared.
    """
    question = json.dumps([promise.function, promise.arguments], sort_keys=True, default=str)
    return hashlib.sha256(question.encode()).hexdigest()[:16]
