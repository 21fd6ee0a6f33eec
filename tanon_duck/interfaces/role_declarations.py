"""Roles of columns, declared from Python, from a TOML file and on the command line."""

import tomllib
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.errors import TanonError, must_be, nearest, no_such_file, one_line
from tanon_duck.quoting import literal

Names = str | Sequence[str] | Mapping[str, str]


def set_roles(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    roles: Mapping[str, str] | str | PathLike[str] | None = None,
    *,
    respondent: Names = (),
    quasi_identifiers: Names = (),
    time: Names = (),
    sensitive: Names = (),
    keep: Names = (),
    drop: Names = (),
) -> duckdb.DuckDBPyRelation:
    """Declare once what the columns of a table, a view or a file are; returns all its roles.

    ``roles`` is what each column is, {'zip': 'quasi-identifier; prefixes 3'}, or a TOML file of it.
    The others name columns; ``{'zip': 'prefixes 3'}`` says how they may be generalized as well. The
    statements are those of ``tanon.set_roles``, run in one transaction unless one is open.
    """
    given = {
        "respondent": respondent,
        "quasi-identifier": quasi_identifiers,
        "time": time,
        "sensitive": sensitive,
        "keep": keep,
        "drop": drop,
    }
    said = _roles_by_column(roles, relation)
    for role, names in given.items():
        for name, how in _with_generalization(names):
            if name in said:
                raise TanonError(must_be("set_roles", "columns", "named once", f"{name} twice"))
            said[name] = f"{role}; {how}" if how else role
    _run(connection, statements(connection, relation, said))
    return connection.sql(f"from tanon.roles({literal(relation)})")


def read_roles(path: str | PathLike[str], relation: str = "") -> dict[str, str]:
    """Read roles from a TOML file: ``{'patient': 'respondent'}``.

    A file with sections must have one for ``relation``, or exactly one section.
    """
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TanonError(no_such_file(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TanonError(f"{path} is not TOML: {one_line(error)}") from None
    sections = {name: rows for name, rows in found.items() if isinstance(rows, dict)}
    if not sections:
        return _checked_roles(path, found)
    by_name = {name.lower(): rows for name, rows in sections.items()}
    name = _bare_name(relation)
    if name in by_name:
        return _checked_roles(path, by_name[name])
    if len(sections) == 1 and len(found) == 1:
        return _checked_roles(path, next(iter(sections.values())))
    raise TanonError(
        f"{path} must have a section [{name}], got {', '.join(found)}{nearest(name, by_name)}"
    )


def _checked_roles(path: str | PathLike[str], rows: Mapping[str, Any]) -> dict[str, str]:
    for column, role in rows.items():
        if not isinstance(role, str):
            raise TanonError(f"{path}: {column} must be a role such as 'respondent', got {role!r}")
    return dict(rows)


def _bare_name(relation: str) -> str:
    """Return a table name without its schema, or a file name without folder and endings."""
    name = relation.strip().strip('"').lower()
    if "/" in name or Path(name).suffix in (".parquet", ".csv", ".json", ".arrow", ".gz", ".zst"):
        return Path(name).name.split(".")[0]
    return name.split(".")[-1].strip('"')


def _roles_by_column(
    roles: Mapping[str, str] | str | PathLike[str] | None, relation: str
) -> dict[str, str]:
    if roles is None:
        return {}
    return dict(roles) if isinstance(roles, Mapping) else read_roles(roles, relation)


def _with_generalization(names: Names) -> list[tuple[str, str]]:
    """Return pairs of column and generalization, for example ``('zip', 'prefixes 3')``."""
    if isinstance(names, str):
        return [(names, "")]
    if isinstance(names, Mapping):
        return [
            (name, how if isinstance(how, str) else ", ".join(how)) for name, how in names.items()
        ]
    return [(name, "") for name in names]


def statements(
    connection: duckdb.DuckDBPyConnection, relation: str, roles: Mapping[str, str]
) -> list[str]:
    """Return the SQL statements by which ``tanon.set_roles`` declares these roles."""
    if not roles:
        raise TanonError(must_be("set_roles", "roles", "those of some columns", "none"))
    said = ", ".join(f"{literal(name)}: {literal(role)}" for name, role in roles.items())
    try:
        rows = connection.execute(
            f"select statement from tanon.set_roles({literal(relation)}, map {{{said}}})"
        ).fetchall()
    except duckdb.Error as error:
        raise TanonError(one_line(error)) from None
    return [statement for (statement,) in rows]


def _run(connection: duckdb.DuckDBPyConnection, statements: list[str]) -> None:
    """Run the statements in one transaction; use the caller's transaction if one is open."""
    if _in_transaction(connection):
        for statement in statements:
            connection.execute(statement)
        return
    connection.execute("begin")
    try:
        for statement in statements:
            connection.execute(statement)
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a transaction is open: two queries then have the same transaction id."""
    first, second = (connection.execute("select txid_current()").fetchall() for _ in range(2))
    return first == second
