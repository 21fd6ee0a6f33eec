"""Write calls of DuckDB's functions as ``system.main.name(...)``, so that no macro replaces them.

DuckDB finds a macro of the user's database before a built-in function. A macro ``error`` in a data
file would silence all checks that call ``error(...)``. DuckDB finds ``system.main.error`` only in
its own catalogue. The SQL files write a call without a blank before its parenthesis and a keyword
with one. So this module recognizes calls, also in texts within texts.
"""

import re
from functools import cache

import duckdb

# They look like calls and are syntax, which no macro of that name replaces; so are types behind ::
_SYNTAX = frozenset({"coalesce", "columns", "grouping", "if", "struct", "try_cast"})
_CALL = re.compile(r"(?<![\w.\"$])(?<!::)([a-z]\w*)\(")


def with_catalog(sql: str) -> str:
    """Put ``system.main.`` before each call of a built-in function."""
    known = names()
    return _CALL.sub(lambda call: f"system.main.{call[0]}" if call[1] in known else call[0], sql)


@cache
def names() -> frozenset[str]:
    """Return the names of DuckDB's functions, without those that are syntax."""
    own = "database_name = 'system' and schema_name = 'main'"
    with duckdb.connect() as scratch:
        rows = scratch.execute(f"select function_name from duckdb_functions() where {own}")
        return frozenset(name for (name,) in rows.fetchall()) - _SYNTAX
