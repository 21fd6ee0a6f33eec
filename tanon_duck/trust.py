"""Whether functions that are found in a database are the package's own.

A data file may come from anybody, and may hold a schema ``tanon`` of its own. It counts as ours
only if every definition in it is the package's, and so is every default.
"""

import hashlib
import re

import duckdb

from tanon_duck import catalog
from tanon_duck.catalog import Function

_DEFINITIONS = (
    "select function_name, function_type, parameters::varchar, parameter_types::varchar, "
    "macro_definition from system.main.duckdb_functions() "
    "where database_name = $database and schema_name = $schema order by all"
)


def definitions(connection: duckdb.DuckDBPyConnection, database: str, schema: str) -> str:
    """A digest of all that a call of ours can run there: what is listed, and the defaults."""
    values = {"database": database, "schema": schema}
    rows = connection.execute(_DEFINITIONS, values).fetchall()
    defaults = [_signatures(connection, function) for function in catalog.functions().values()]
    return hashlib.sha256(repr((rows, defaults)).encode()).hexdigest()


def _signatures(connection: duckdb.DuckDBPyConnection, function: Function) -> str:
    """The arguments with their defaults, which DuckDB tells only where a call does not fit."""
    verb = "select" if function.is_scalar else "from"
    try:
        connection.execute(f"{verb} tanon.{function.name}(tanon_unknown := null)").fetchall()
    except duckdb.Error as error:
        return str(error)
    return ""


def installed_version(
    connection: duckdb.DuckDBPyConnection, database: str, schema: str
) -> str | None:
    """The version that the functions of this schema state, None where it holds none of ours.

    It is read, not called: a macro that is not ours may do anything.
    """
    values = {"database": database, "schema": schema}
    stated = [
        definition
        for name, _, _, _, definition in connection.execute(_DEFINITIONS, values).fetchall()
        if name == "version"
    ]
    found = re.fullmatch(r"\(?'([0-9][0-9a-z.+]*)'\)?", stated[0]) if len(stated) == 1 else None
    return found[1] if found else None
