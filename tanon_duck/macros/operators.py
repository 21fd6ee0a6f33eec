"""The plan of operators where they are DuckDB's own, for ``sql/private/operators.sql``."""

import re
from dataclasses import dataclass
from functools import cache

import duckdb

from tanon_duck.errors import TemplateError
from tanon_duck.macros import builtin_functions


@dataclass(frozen=True)
class Plan:
    """What stands in the macro: which DuckDB was asked, and the digest of its plan."""

    version: str
    digest: str


@cache
def plan(script: str) -> Plan:
    """Of the operators that the script names, asked where nobody can have put another there."""
    wanted = [_macro(script, name) for name in ("_serialized", "_operators")]
    with duckdb.connect() as scratch:
        scratch.execute("create schema tanon")
        for macro in wanted:
            scratch.execute(builtin_functions.with_catalog(macro))
        asked = "select version(), sha256(tanon._serialized(tanon._operators()))"
        return Plan(*scratch.execute(asked).fetchall()[0])


def _macro(script: str, name: str) -> str:
    found = re.search(rf"create or replace macro tanon\.{name}\(.*?;\n", script, re.DOTALL)
    if found is None:
        raise TemplateError(f"sql/private/operators.sql: there is no macro tanon.{name}")
    return found[0]
