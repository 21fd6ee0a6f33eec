"""One publication's schema, and SQL with its names filled in."""

from functools import cached_property
from typing import Any

import duckdb

from tanon_duck import quoting
from tanon_duck.macros.jinja_statements import of_file, of_text
from tanon_duck.publishing.names import Names, names_of, schema_of
from tanon_duck.publishing.parameters import ELSEWHERE, Parameters, look_at_source
from tanon_duck.quoting import Quoted


class Statements:
    """One publication's schema on one connection."""

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
    def _read(self) -> tuple[Names, list[dict[str, Quoted]]]:
        if self._exists:
            look_at_source(self.connection, self.parameters, ELSEWHERE)
        return names_of(self.connection, self.schema, self.parameters, self._exists)

    @property
    def names(self) -> Names:
        """What the statements fill in: read from the source when it is first needed."""
        return self._read[0]

    def of_schema(self, text: str) -> Quoted:
        """SQL that needs no source, with our schema filled in."""
        return of_text(text, schema=self.schema)

    def sql(self, text: str, **more: Quoted | int | None) -> Quoted:
        """SQL with our names and these filled in."""
        return of_text(text, **self.names, **more)

    def run(self, statement: str, **more: Quoted | int | None) -> list[tuple[Any, ...]]:
        """Run a file of statements, return the rows of the last one."""
        return self.connection.execute(of_file(statement, **self.names, **more)).fetchall()

    def rows(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query with our names and with prepared values."""
        return self.connection.execute(self.sql(sql), values or None).fetchall()

    def one(self, sql: str, **values: Any) -> Any:
        """The single value of a query."""
        return self.rows(sql, **values)[0][0]

    def record(self, table: str) -> dict[str, Any]:
        """The one row of the manifest or the state."""
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
        """SQL for the first instant of a snapshot."""
        text = "tanon._snapshot_start({{ null_ts }}, {{ snapshot }}, {{ pace }})"
        return self.sql(text, snapshot=snapshot)
