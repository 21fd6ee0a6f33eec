"""The JSON schema of policies, by which editors complete and check them as they are typed."""

from __future__ import annotations

from typing import Any

from tanon_duck.checking import presets
from tanon_duck.checking.policy import SEVERITIES
from tanon_duck.checking.running import checks
from tanon_duck.macros import catalog
from tanon_duck.macros.header import Argument

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}


def schema() -> dict[str, Any]:
    """The whole."""
    every = {a.name: _argument(a) for name in checks() for a in _arguments(name)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A policy of tanon-duck check",
        "type": "object",
        "additionalProperties": False,
        "required": ["check"],
        "properties": {
            "title": _TEXT | {"description": "what the policy is about"},
            "database": _TEXT | {"description": "a DuckDB file, opened for reading"},
            "defaults": _object("for every check that takes them", every | _promise()),
            "relation": {
                "type": "object",
                "description": "tables by the names that checks use",
                "additionalProperties": _object("a table", _relation() | every),
            },
            "check": {"type": "array", "minItems": 1, "items": _check(every)},
        },
    }


def _object(told: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": told,
        "additionalProperties": False,
        "properties": properties,
    }


def _relation() -> dict[str, Any]:
    return {
        "file": {"anyOf": [_TEXT, _TEXTS], "description": "files, or patterns that match them"},
        "table": _TEXT | {"description": "a table, of the database or of a database file"},
        "query": _TEXT | {"description": "a query"},
        "encoding": _TEXT | {"description": "of CSV and JSON files, such as latin-1"},
        "as_text": _TEXTS | {"description": "columns of CSV that are text"},
    }


def _promise() -> dict[str, Any]:
    return {
        "severity": {"enum": list(SEVERITIES), "description": "warn: told, and does not fail"},
        "allow": {"type": "integer", "minimum": 0, "description": "rows that may break it"},
        "ratchet": {"type": "boolean", "description": "no worse than what was recorded"},
        "min_rows": {"type": "integer", "minimum": 1, "description": "rows the table must have"},
        "allow_empty": {"type": "boolean", "description": "a table without rows may pass"},
    }


def _check(every: dict[str, Any]) -> dict[str, Any]:
    own = {
        "name": _TEXT | {"description": "what the report calls it"},
        "function": {"enum": checks(), "description": "the check"},
        "preset": {"enum": sorted(presets.every()), "description": "a rule of others by name"},
        "relation": _TEXT | {"description": "the table that it looks at"},
    } | _promise()
    return _object("a promise", own | every) | {
        "oneOf": [{"required": ["function"]}, {"required": ["preset"]}],
        "allOf": [
            {
                "if": {"properties": {"function": {"const": name}}, "required": ["function"]},
                "then": {"propertyNames": {"enum": [*own, *(a.name for a in _arguments(name))]}},
            }
            for name in checks()
        ],
    }


def _arguments(name: str) -> tuple[Argument, ...]:
    return catalog.function(name).header.arguments


def _argument(argument: Argument) -> dict[str, Any]:
    told = {"description": argument.meaning}
    if argument.kind.is_switch:
        return {"type": "boolean"} | told
    if argument.kind.choices:
        return {"enum": list(argument.kind.choices)} | told
    if argument.kind.name == "relation" or (
        argument.kind.is_column and not argument.kind.is_listed
    ):
        return _TEXT | told
    if argument.kind.is_mapping:
        return {"type": ["object", "string"]} | told
    if argument.kind.is_listed:
        return {"anyOf": [_TEXT, {"type": "array"}]} | told
    return {"type": ["string", "number"]} | told
