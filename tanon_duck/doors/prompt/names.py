"""The names a connection knows: the functions of tanon, tables, columns and keywords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import duckdb

# What has no comment is not for users.
_FUNCTIONS = """
select function_name, any_value(parameters), any_value(comment)
from duckdb_functions()
where 'tanon' in (schema_name, database_name) and comment is not null
group by function_name
order by function_name asc nulls last
"""
_TABLES = """
select database_name, schema_name, name, kind, columns
from (
    select database_name, schema_name, table_name as name, 'table' as kind, column_count as columns
    from duckdb_tables()
    where not internal
    union all
    select database_name, schema_name, view_name, 'view', column_count
    from duckdb_views()
    where not internal
)
order by
    database_name != current_database() asc nulls last,
    schema_name != current_schema() asc nulls last,
    1 asc nulls last, 2 asc nulls last, 3 asc nulls last
"""
_COLUMNS = """
select table_name, column_name, data_type
from duckdb_columns()
where not internal
order by table_name asc nulls last, column_index asc nulls last
"""
_KEYWORDS = "select distinct keyword_name from duckdb_keywords() order by all asc nulls last"


@dataclass(frozen=True)
class Function:
    """A function of tanon, as the catalog describes it."""

    name: str
    parameters: tuple[str, ...]
    comment: str

    @property
    def signature(self) -> str:
        """How the function is called."""
        return f"tanon.{self.name}({', '.join(self.parameters)})"

    @property
    def summary(self) -> str:
        """The first line of its description."""
        return self.comment.strip().split("\n")[0]


@dataclass(frozen=True)
class Table:
    """A table or a view, and where it lives."""

    database: str
    schema: str
    name: str
    kind: str
    columns: int


@dataclass(frozen=True)
class Names:
    """Everything that can be offered while typing."""

    functions: tuple[Function, ...] = ()
    tables: tuple[str, ...] = ()
    columns: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    keywords: tuple[str, ...] = ()


def functions_of(connection: duckdb.DuckDBPyConnection) -> list[Function]:
    """The functions of tanon on this connection."""
    rows = connection.execute(_FUNCTIONS).fetchall()
    return [Function(name, tuple(parameters), comment) for name, parameters, comment in rows]


def tables_of(connection: duckdb.DuckDBPyConnection) -> list[Table]:
    """The user's tables and views, those that need no qualification first."""
    return [Table(*row) for row in connection.execute(_TABLES).fetchall()]


def names_of(connection: duckdb.DuckDBPyConnection) -> Names:
    """All names at once; raises what the engine raises, for example in a broken transaction."""
    columns: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in connection.execute(_COLUMNS).fetchall():
        columns.setdefault(table, []).append((column, kind))
    keywords = connection.execute(_KEYWORDS).fetchall()
    return Names(
        tuple(functions_of(connection)),
        _distinct([table.name for table in tables_of(connection)]),
        {table: tuple(its_columns) for table, its_columns in columns.items()},
        tuple(keyword for (keyword,) in keywords),
    )


def _distinct(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


class KnownNames:
    """The names of a connection, asked for again only after something ran."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._names = Names()
        self._stale = True

    def forget(self) -> None:
        """Something ran, so the names may have changed."""
        self._stale = True

    def get(self) -> Names:
        """The current names, or the last ones known when the connection cannot tell."""
        if self._stale:
            try:
                self._names = names_of(self._connection)
                self._stale = False
            except duckdb.Error:
                return self._names
        return self._names
