"""Refuse unknown keys and wrong types in a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tanon_duck.errors import TanonError, nearest


class PolicyError(TanonError):
    """A policy that is wrong."""


def refuse_unknown(where: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise if a key is unknown; the message names the nearest known key."""
    known = list(known)
    for key in given:
        if key not in known:
            raise PolicyError(f"{where}: key {key} does not exist{nearest(key, known)}")


def refuse_types(where: str, given: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    """Raise if the value of a key has the wrong type."""
    for key, value in given.items():
        wanted = types.get(key, object)
        is_truth = isinstance(value, bool) and wanted is int
        if is_truth or not isinstance(value, wanted):
            each = wanted if isinstance(wanted, tuple) else (wanted,)
            words = " or ".join(_TYPES[kind] for kind in each)
            raise PolicyError(f"{where}: {key} must be {words}, got {value!r}")


_TYPES = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
