"""DuckDB's own functions, called with their catalogue in front so that nothing can replace them.

DuckDB looks for a function in the user's database before its own: a macro ``error`` in a data file
would silence every check that raises by ``error(...)``, ours included. ``system.main.error(...)``
is found in one place only. In our files a call is written without a blank before its parenthesis,
a keyword with one; that is how the two are told apart here, in texts within texts as well.
"""

import re
from functools import cache

import duckdb

# They look like calls and are syntax, which no macro of that name replaces; so are types behind ::
_SYNTAX = frozenset({"coalesce", "columns", "grouping", "if", "struct", "try_cast"})
_CALL = re.compile(r"(?<![\w.\"$])(?<!::)([a-z]\w*)\(")


def with_catalog(sql: str) -> str:
    """The SQL with ``system.main.`` before each call of a built-in function."""
    known = names()
    return _CALL.sub(lambda call: f"system.main.{call[0]}" if call[1] in known else call[0], sql)


@cache
def names() -> frozenset[str]:
    """The names of DuckDB's own functions."""
    own = "database_name = 'system' and schema_name = 'main'"
    with duckdb.connect() as scratch:
        rows = scratch.execute(f"select function_name from duckdb_functions() where {own}")
        return frozenset(name for (name,) in rows.fetchall()) - _SYNTAX
