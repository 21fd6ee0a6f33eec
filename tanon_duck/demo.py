"""The embedded data: small tables for the demo, for the examples in the help and for trying out."""

import duckdb

from tanon_duck import quoting
from tanon_duck.catalog import read_sql


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables ``visits``, ``cases`` and ``incomes`` in the current schema."""
    connection.execute(quoting.without_comments(read_sql("statements/demo_tables.sql")))
