"""Whether functions that are found in a database are the package's own.

A data file may come from anybody, and may hold a schema ``tanon`` of its own. It counts as ours
only if every definition in it is the package's, and so is every default.
"""

import hashlib
import re

import duckdb

from tanon_duck.quoting import identifier

_DEFINITIONS = (
    "select function_name, function_type, parameters::varchar, parameter_types::varchar, "
    "macro_definition from system.main.duckdb_functions() "
    "where database_name = $database and schema_name = $schema order by all asc nulls last"
)


Listed = list[tuple[str, str, str, str, str]]


def listed(connection: duckdb.DuckDBPyConnection, database: str, schema: str) -> Listed:
    """All functions of a schema with what DuckDB tells of them, steps and private ones as well."""
    values = {"database": database, "schema": schema}
    return connection.execute(_DEFINITIONS, values).fetchall()


def definitions_digest(found: Listed) -> str:
    """The digest of what is listed; nothing is run for it."""
    return hashlib.sha256(repr(found).encode()).hexdigest()


def defaults_digest(connection: duckdb.DuckDBPyConnection, found: Listed) -> str:
    """The digest of the defaults.

    DuckDB is asked for them by calls, which a macro that is not ours could answer by anything. So
    the definitions must have been found to be ours before.
    """
    public = sorted({(name, kind) for name, kind, *_ in found if not name.startswith("_")})
    defaults = [_signatures(connection, name, kind) for name, kind in public]
    return hashlib.sha256(repr(defaults).encode()).hexdigest()


def _signatures(connection: duckdb.DuckDBPyConnection, name: str, kind: str) -> str:
    """The arguments with their defaults, which DuckDB tells only where a call does not fit."""
    verb = "from" if kind == "table_macro" else "select"
    try:
        connection.execute(f"{verb} tanon.{identifier(name)}(tanon_unknown := null)").fetchall()
    except duckdb.Error as error:
        return str(error)
    return ""


def stated_version(found: Listed) -> str | None:
    """The version that the functions of a schema state, None where it holds none of ours.

    It is read, not called: a macro that is not ours may do anything.
    """
    stated = [definition for name, _, _, _, definition in found if name == "_version"]
    version = re.fullmatch(r"\(?'([0-9][0-9a-z.+]*)'\)?", stated[0]) if len(stated) == 1 else None
    return version[1] if version else None
