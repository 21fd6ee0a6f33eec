"""Roles of the columns of an INPUT: from a TOML file, or from the comments of a database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import duckdb

from tanon_duck.interfaces.files.file_formats import format_of
from tanon_duck.interfaces.files.inputs import database_table
from tanon_duck.interfaces.files.staged_inputs import Reading
from tanon_duck.interfaces.role_declarations import read_roles, set_roles
from tanon_duck.macros.header import Header
from tanon_duck.quoting import identifier, literal


def declared_input(header: Header, inputs: Mapping[str, list[Path]]) -> str | None:
    """Return the input from whose roles arguments can come, or None."""
    return next((a.relation for a in header.arguments if a.roles and a.relation in inputs), None)


def have_roles(inputs: list[Path], roles: Path | None) -> bool:
    """Return whether a TOML file or a database among the inputs can declare roles."""
    return roles is not None or any(is_database(path) for path in inputs)


def take_roles(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    paths: list[Path],
    table: str,
    roles: Path | None,
) -> None:
    """Declare the roles from databases and the TOML file for the loaded relation ``name``."""
    found: dict[str, str] = {}
    for path in filter(is_database, paths):
        found |= _of_comments(connection, path, table)
    if roles is not None:
        found |= read_roles(roles, table or str(paths[0]))
    if found:
        set_roles(connection, identifier(name), found)


def is_database(path: Path) -> bool:
    """Return whether the name of a file ends like a DuckDB database."""
    known = format_of(path)
    return known is not None and known.name == "duckdb"


def _of_comments(connection: duckdb.DuckDBPyConnection, path: Path, table: str) -> dict[str, str]:
    source = database_table(connection, path, Reading(table=table))
    rows = connection.execute(
        "select column_name, concat_ws('; ', role, how) "
        f"from tanon.roles({literal(source)}) where role is not null and column_type is not null"
    ).fetchall()
    return dict(rows)
