"""What is said beside a result, on standard error: columns left out, and whom it is for."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from tanon_duck.doors.files.calls import call_of
from tanon_duck.doors.files.command import Request
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import identifier


def notes(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> Iterator[str]:
    """The lines to be said once the result is written."""
    header = function.header
    for_owner = header.audience == "the owner" or request.values.get("for_owner") == "true"
    if for_owner and request.output.path is not None:
        yield f"{request.output.path}: for the owner, not for release"
    if header.audience == "others" and header.argument("keep") and request.inputs:
        left = _columns(connection, identifier(next(iter(request.inputs))))
        leaving = {c.lower() for c in _columns(connection, f"({call_of(function, request)})")}
        if home := [c for c in left if c.lower() not in leaving]:
            yield f"columns left out: {', '.join(home)}"


def _columns(connection: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    return [name for name, *_ in connection.execute(f"describe from {relation}").fetchall()]
