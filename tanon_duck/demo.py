"""Run the demo: create small tables, anonymize them, and print tables before and after.

The demo is the file ``sql/statements/demo.sql``: comments are printed as text, queries are shown
and run. A new topic adds its section there.
"""

import sys
from pathlib import Path
from typing import TextIO

import duckdb

from tanon_duck import quoting
from tanon_duck.errors import TanonError, file_exists
from tanon_duck.interfaces import call_sql
from tanon_duck.interfaces.built_files import STORAGE_OF_THE_SHELL
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.files.outputs import half_written
from tanon_duck.interfaces.text_rows import show_box
from tanon_duck.macros.catalog import file_text

_ROWS, _COLUMNS = 20, 80


def statements_of_tables() -> str:
    """Return the statements that create the tables of the demo."""
    names = ("demo_tables", "published_incomes")
    return "\n".join(file_text(f"statements/{name}.sql") for name in names)


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables ``visits``, ``cases`` and ``incomes`` in the current schema."""
    connection.execute(quoting.without_comments(statements_of_tables()))


def run(database: str | None = None, output: TextIO | None = None) -> int:
    """Run the demo and print it; keep its tables if ``database`` names a file."""
    output = output or sys.stdout
    if database is None:
        _show(":memory:", output)
        return 0

    def refuse() -> None:
        if Path(database).exists():
            raise TanonError(file_exists(database))

    refuse()
    with half_written(Path(database), refuse) as path:
        _show(str(path), output)
    return 0


def print_sql(output: TextIO | None = None) -> int:
    """Print the SQL of the demo, each function call replaced by its SQL."""
    output = output or sys.stdout
    print(statements_of_tables(), file=output)
    with connect() as connection:
        create_tables(connection)
        for paragraph in file_text("statements/demo.sql").strip().split("\n\n"):
            print(call_sql.with_texts(paragraph, connection), end="\n\n", file=output)
    return 0


def _show(database: str, output: TextIO) -> None:
    # A file that the stock shell can open too.
    options = {"storage_compatibility_version": STORAGE_OF_THE_SHELL}
    with connect(database, config=options) as connection:
        create_tables(connection)
        for paragraph in file_text("statements/demo.sql").strip().split("\n\n"):
            _perform(connection, paragraph, output)


def _perform(connection: duckdb.DuckDBPyConnection, paragraph: str, output: TextIO) -> None:
    lines = paragraph.splitlines()
    prose = [line.removeprefix("--").strip() for line in lines if line.startswith("--")]
    sql = "\n".join(line for line in lines if not line.startswith("--"))
    if prose:
        print("\n".join(prose), end="\n\n", file=output)
    if sql:
        print(sql, file=output)
        result = connection.sql(sql)
        if result is not None:
            show_box(result, output, _ROWS, _COLUMNS)
            print(file=output)
