"""Give the functions to the stock DuckDB shell: as a script, or inside a database file."""

import contextlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

import duckdb

from tanon_duck.errors import (
    TanonError,
    foreign_schema,
    no_such_file,
    not_a_database,
)
from tanon_duck.interfaces import built_files, installed_functions, open_database
from tanon_duck.interfaces.built_files import STORAGE_OF_THE_SHELL
from tanon_duck.macros import create_statements
from tanon_duck.quoting import literal
from tanon_duck.udfs import _registry as python_functions

_IS_OLD = (
    "from duckdb_databases() where database_name = current_database() "
    "and regexp_extract_all(tags['storage_version'], '[0-9]+')::int[] < [1, 4]"
)


def script() -> str:
    """SQL for ``.read`` in the stock shell; functions of Python say there where they run."""
    return built_files.file(built_files.SCRIPT).read_text(encoding="utf-8")


def install_file(path: str | PathLike[str]) -> None:
    """Install the functions in a database file, so that the stock shell finds them."""
    with _open_to_keep(path) as connection:
        if not python_functions.are_registered(connection):
            python_functions.register(connection)
        statements = [
            "begin",
            "drop schema if exists tanon cascade",
            "create schema tanon",
            *create_statements.install_statements(),
            "commit",
        ]
        connection.execute(";\n".join(statements))


@contextlib.contextmanager
def _open_to_keep(path: str | PathLike[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A file's database, in a format that keeps macros with typed parameters.

    The stock shell makes its files in an older one by itself, so that such a file is lifted.
    """
    storage = "latest" if Path(path).exists() else STORAGE_OF_THE_SHELL
    config = {"storage_compatibility_version": storage}
    with open_database.opened(path, "install", config=config) as connection:
        refuse_files_of_data(connection, path)
        _refuse_foreign_schema(connection, path)
        if not connection.execute(_IS_OLD).fetchall():
            yield connection
            return
    with duckdb.connect() as connection:
        connection.execute(
            f"attach {literal(str(path))} as lifted (storage_version '{STORAGE_OF_THE_SHELL}')"
        )
        connection.execute("use lifted")
        yield connection


def uninstall_file(path: str | PathLike[str]) -> None:
    """Remove the functions from a database file."""
    if not Path(path).exists():
        raise TanonError(no_such_file(path))
    with open_database.opened(path, "uninstall") as connection:
        refuse_files_of_data(connection, path)
        _refuse_foreign_schema(connection, path)
        connection.execute("drop schema if exists tanon cascade")


def refuse_files_of_data(connection: duckdb.DuckDBPyConnection, path: str | PathLike[str]) -> None:
    """Raise for a file, of Parquet for example, that DuckDB opens as a database in memory."""
    in_memory = "from duckdb_databases() where database_name = current_database() and path is null"
    if connection.execute(in_memory).fetchall() and str(path) != ":memory:":
        raise TanonError(not_a_database(path))


def _refuse_foreign_schema(
    connection: duckdb.DuckDBPyConnection, path: str | PathLike[str]
) -> None:
    ((name,),) = connection.execute("select system.main.current_database()").fetchall()
    ours = installed_functions.stated_version(installed_functions.listed(connection, name, "tanon"))
    exists = (
        "from system.main.duckdb_schemas() where schema_name = 'tanon' and not internal "
        "and database_name = $name"
    )
    if ours is None and connection.execute(exists, {"name": name}).fetchall():
        raise TanonError(foreign_schema(str(path)))
