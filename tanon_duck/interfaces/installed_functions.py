"""Check whether the functions in a database are the ones of this package.

A data file of someone else may contain a schema ``tanon``. The package uses it only if all
definitions and all defaults are equal to its own.
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
    """List all macros of a schema: name, type, parameters, their types, and definition."""
    values = {"database": database, "schema": schema}
    return connection.execute(_DEFINITIONS, values).fetchall()


def definitions_digest(found: Listed) -> str:
    """Return the SHA-256 digest of listed functions; run none of them."""
    return hashlib.sha256(repr(found).encode()).hexdigest()


def defaults_digest(connection: duckdb.DuckDBPyConnection, found: Listed) -> str:
    """Return the SHA-256 digest of the default arguments of all public functions.

    DuckDB prints defaults only in the error of a wrong call. Because this calls the functions,
    compare their definitions first.
    """
    public = sorted({(name, kind) for name, kind, *_ in found if not name.startswith("_")})
    defaults = [_signatures(connection, name, kind) for name, kind in public]
    return hashlib.sha256(repr(defaults).encode()).hexdigest()


def _signatures(connection: duckdb.DuckDBPyConnection, name: str, kind: str) -> str:
    """Call a function with an unknown argument; return DuckDB's error with its signature."""
    verb = "from" if kind == "table_macro" else "select"
    try:
        connection.execute(f"{verb} tanon.{identifier(name)}(tanon_unknown := null)").fetchall()
    except duckdb.Error as error:
        return str(error)
    return ""


def stated_version(found: Listed) -> str | None:
    """Return the version in the definition of ``tanon._version``, or None if it has none.

    The function reads the definition and does not call it, because a foreign macro may do harm.
    """
    stated = [definition for name, _, _, _, definition in found if name == "_version"]
    version = re.fullmatch(r"\(?'([0-9][0-9a-z.+]*)'\)?", stated[0]) if len(stated) == 1 else None
    return version[1] if version else None
