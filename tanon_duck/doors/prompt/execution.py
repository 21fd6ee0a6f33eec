"""Run one statement on a connection and show what it returns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TextIO

import duckdb

from tanon_duck.doors.prompt.display import Look, show

_HELP = re.compile(r"\s*from\s+tanon\.help\s*\(", re.I)
_PAGE = 1000


def run_statement(
    connection: duckdb.DuckDBPyConnection, text: str, look: Look, output: TextIO
) -> None:
    """Run the text; rows are shown, statements that only report success stay silent."""
    for statement in connection.extract_statements(text):
        relation = connection.sql(statement)
        if relation is None or _only_reports_success(statement, relation):
            continue
        if statement.type == duckdb.StatementType.EXPLAIN and look.mode == "box":
            for _key, plan in relation.fetchall():
                output.write(f"{plan}\n")
            continue
        # A page of help is there to be read to its end.
        show(relation, replace(look, max_rows=_PAGE) if _HELP.match(text) else look, output)


def _only_reports_success(statement: duckdb.Statement, relation: duckdb.DuckDBPyRelation) -> bool:
    """Whether the rows are the engine's own report and not something the statement asked for."""
    if statement.type == duckdb.StatementType.SELECT:
        return False
    shape = list(zip(relation.columns, map(str, relation.types), strict=True))
    if shape == [("Success", "BOOLEAN")]:
        return True
    changes_rows = duckdb.ExpectedResultType.CHANGED_ROWS in statement.expected_result_type
    return shape == [("Count", "BIGINT")] and changes_rows and not _asks_for_rows(statement.query)


def _asks_for_rows(text: str) -> bool:
    encoded = text.encode()
    return any(
        kind == duckdb.token_type.keyword and encoded[start : start + 9].lower() == b"returning"
        for start, kind in duckdb.tokenize(text)
    )


@contextmanager
def names_come_from_sql_alone(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Without this a misspelt table would be looked up among the variables of this very program."""
    setting = "python_enable_replacements"
    before = connection.execute(f"select current_setting('{setting}')").fetchall()[0][0]
    connection.execute(f"set {setting} = false")
    try:
        yield
    finally:
        # A transaction the user left broken refuses even this, and is about to end anyway.
        try:
            connection.execute(f"set {setting} = {bool(before)}")
        except duckdb.Error:
            connection.execute("rollback")
            connection.execute(f"set {setting} = {bool(before)}")
