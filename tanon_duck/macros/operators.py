"""Compute DuckDB's plan of its own operators, to detect replaced ones at run time."""

import re
from dataclasses import dataclass
from functools import cache

import duckdb

from tanon_duck.errors import TemplateError
from tanon_duck.macros import builtin_functions


@dataclass(frozen=True)
class Plan:
    """The version of DuckDB, and the digest of its plan of the operators."""

    version: str
    digest: str


@cache
def plan(script: str) -> Plan:
    """Compute the plan in an empty database, in which no operator can be replaced."""
    wanted = [_macro(script, name) for name in ("_serialized", "_operators")]
    with duckdb.connect() as scratch:
        scratch.execute("create schema tanon")
        for macro in wanted:
            scratch.execute(builtin_functions.with_catalog(macro))
        query = "select version(), sha256(tanon._serialized(tanon._operators()))"
        return Plan(*scratch.execute(query).fetchall()[0])


def _macro(script: str, name: str) -> str:
    found = re.search(rf"create or replace macro tanon\.{name}\(.*?;\n", script, re.DOTALL)
    if found is None:
        raise TemplateError(f"sql/private/operators.sql: there is no macro tanon.{name}")
    return found[0]
