"""Fill the names of one publication into SQL, and run it."""

from functools import cached_property
from typing import Any

import duckdb

from tanon_duck import quoting
from tanon_duck.macros.jinja_statements import of_file, of_text
from tanon_duck.publishing.names import Names, names_of, schema_of
from tanon_duck.publishing.parameters import REBASE_ADVICE, Parameters, check_source
from tanon_duck.quoting import Quoted


class Statements:
    """The schema of one publication on one connection."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        name: str,
        parameters: Parameters,
        exists: bool = True,
    ) -> None:
        self.connection, self.parameters = connection, parameters
        self.schema = schema_of(connection, name)
        self._exists = exists

    @cached_property
    def _names_and_retyped(self) -> tuple[Names, list[dict[str, Quoted]]]:
        """Read the source once: names for statements, and columns of another type."""
        if self._exists:
            check_source(self.connection, self.parameters, REBASE_ADVICE)
        return names_of(self.connection, self.schema, self.parameters, self._exists)

    @property
    def names(self) -> Names:
        """Return the placeholders of the SQL files; the first use reads the source."""
        return self._names_and_retyped[0]

    def of_schema(self, text: str) -> Quoted:
        """Fill the schema into SQL that needs no name of the source."""
        return of_text(text, schema=self.schema)

    def sql(self, text: str, **more: Quoted | int | None) -> Quoted:
        """Fill the publication's names and `more` into SQL."""
        return of_text(text, **self.names, **more)

    def run(self, statement: str, **more: Quoted | int | None) -> list[tuple[Any, ...]]:
        """Run a file of ``sql/publication``; return the rows of its last statement."""
        return self.connection.execute(of_file(statement, **self.names, **more)).fetchall()

    def rows(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query; `values` are its prepared values."""
        return self.connection.execute(self.sql(sql), values or None).fetchall()

    def one(self, sql: str, **values: Any) -> Any:
        """Return the first value of the first row of a query."""
        return self.rows(sql, **values)[0][0]

    def record(self, table: str) -> dict[str, Any]:
        """Return the only row of the table `manifest` or `state` as a dictionary."""
        cursor = self.connection.execute(
            of_text(
                "from {{ schema }}.{{ table }}",
                schema=self.schema,
                table=quoting.identifier(table),
            )
        )
        columns = [column[0] for column in cursor.description or ()]
        return dict(zip(columns, cursor.fetchall()[0], strict=True))

    def start(self, snapshot: int) -> Quoted:
        """Return SQL for the first instant of a snapshot, given its number."""
        text = "tanon._snapshot_start({{ null_ts }}, {{ snapshot }}, {{ pace }})"
        return self.sql(text, snapshot=snapshot)
