"""Build the JSON schema of policies; editors use it to complete and check them."""

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
    """Return the JSON schema of a policy file."""
    every = {a.name: _argument(a) for name in checks() for a in _arguments(name)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A policy of tanon-duck check",
        "type": "object",
        "additionalProperties": False,
        "required": ["check"],
        "properties": {
            "title": _TEXT | {"description": "the subject of the policy"},
            "database": _TEXT | {"description": "a DuckDB file, opened for reading"},
            "defaults": _object("arguments for every check that has them", every | _promise()),
            "relation": {
                "type": "object",
                "description": "tables, by the names that checks use",
                "additionalProperties": _object("a table", _relation() | every),
            },
            "check": {"type": "array", "minItems": 1, "items": _check(every)},
        },
    }


def _object(description: str, properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "description": description,
        "additionalProperties": False,
        "properties": properties,
    }


def _relation() -> dict[str, Any]:
    """Return the keys of a table of the policy that name its rows."""
    return {
        "file": {"anyOf": [_TEXT, _TEXTS], "description": "files, or patterns that match them"},
        "table": _TEXT | {"description": "a table, of the database or of a database file"},
        "query": _TEXT | {"description": "a query"},
        "encoding": _TEXT | {"description": "of CSV and JSON files, such as latin-1"},
        "as_text": _TEXTS | {"description": "columns of CSV that are text"},
    }


def _promise() -> dict[str, Any]:
    """Return the keys that say how strict a check is."""
    warn = "warn: a failure is reported, and the exit status stays 0"
    allow = "number of rows that may break the promise"
    ratchet = "the result may not be worse than the recorded one"
    return {
        "severity": {"enum": list(SEVERITIES), "description": warn},
        "allow": {"type": "integer", "minimum": 0, "description": allow},
        "ratchet": {"type": "boolean", "description": ratchet},
        "min_rows": {"type": "integer", "minimum": 1, "description": "rows the table must have"},
        "allow_empty": {"type": "boolean", "description": "a table without rows may pass"},
    }


def _check(every: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one [[check]] table."""
    check_keys = {
        "name": _TEXT | {"description": "the title of the check in reports"},
        "function": {"enum": checks(), "description": "the check"},
        "preset": {"enum": sorted(presets.every()), "description": "a published rule by name"},
        "relation": _TEXT | {"description": "the table that the check reads"},
    } | _promise()
    return _object("a promise", check_keys | every) | {
        "oneOf": [{"required": ["function"]}, {"required": ["preset"]}],
        "allOf": [
            {
                "if": {"properties": {"function": {"const": name}}, "required": ["function"]},
                "then": {
                    "propertyNames": {"enum": [*check_keys, *(a.name for a in _arguments(name))]}
                },
            }
            for name in checks()
        ],
    }


def _arguments(name: str) -> tuple[Argument, ...]:
    """Return the arguments of a check."""
    return catalog.function(name).header.arguments


def _argument(argument: Argument) -> dict[str, Any]:
    """Return the schema of one argument, by its kind."""
    description = {"description": argument.meaning}
    if argument.kind.is_switch:
        return {"type": "boolean"} | description
    if argument.kind.choices:
        return {"enum": list(argument.kind.choices)} | description
    if argument.kind.name == "relation" or (
        argument.kind.is_column and not argument.kind.is_listed
    ):
        return _TEXT | description
    if argument.kind.is_mapping:
        return {"type": ["object", "string"]} | description
    if argument.kind.is_listed:
        return {"anyOf": [_TEXT, {"type": "array"}]} | description
    return {"type": ["string", "number"]} | description
