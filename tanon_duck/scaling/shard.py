"""Run the SQL of one shard in a DuckDB database of its own.

Rows arrive as Arrow or files and leave as Arrow, so that any engine can use it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import duckdb
import pyarrow as pa

from tanon_duck.errors import TanonError, one_line
from tanon_duck.quoting import identifier
from tanon_duck.scaling import databases, versions

ROWS = "shard_of_rows"
RESULT = "shard_of_result"
# What a shard tells: a step, its rows as an Arrow stream, or what went wrong instead of it.
TOLD = pa.schema([("step", pa.string()), ("rows", pa.binary()), ("wrong", pa.string())])
TOLD_TYPES = {"step": "varchar", "rows": "blob", "wrong": "varchar"}


def without_values(error: BaseException) -> str:
    """Return an error message for the logs of a cluster, without values of the data."""
    said = one_line(error)
    if not said.startswith("tanon."):
        return f"tanon.shard: {type(error).__name__} in one shard; what it says may hold values"
    return said.partition(", got ")[0]


@dataclass(frozen=True)
class Table:
    """A small table that each shard receives: its CREATE TABLE and its rows.

    `columns` names the columns of arriving rows; empty means all columns.
    """

    name: str
    create: str
    rows: bytes = b""
    columns: tuple[str, ...] = ()  # that rows have which arrive; all, where none are named

    def put(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Create the table on a connection and insert its rows."""
        connection.execute(self.create)
        if self.rows:
            add(connection, self.name, pa.ipc.open_stream(self.rows))


@dataclass(frozen=True)
class Work:
    """The task for each shard.

    `told` holds queries by step; their rows go to the driver. Or `query` gives rows that stay with
    the engine. `before` holds statements that run first.
    """

    rows: Table  # what the rows of a shard are put into
    given: tuple[Table, ...] = ()
    before: tuple[str, ...] = ()  # once all that is there
    told: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    types: Mapping[str, str] = field(default_factory=lambda: TOLD_TYPES)  # of what comes out
    settings: Mapping[str, str] = field(default_factory=dict)
    one_by_one: tuple[str, str] = ("", "")  # a number, and for each of them: the table of its rows
    versions: str = versions.HERE  # those of who wants it

    @property
    def columns(self) -> str:
        """Return the names of the result's columns as SQL."""
        return ", ".join(map(identifier, self.types))


Fill = Callable[[duckdb.DuckDBPyConnection, Table], object]


def add(
    connection: duckdb.DuckDBPyConnection, table: str, rows: object, columns: Sequence[str] = ()
) -> None:
    """Insert Arrow rows into a table."""
    into = f"{table} ({', '.join(map(identifier, columns))})" if columns else table
    connection.register("tanon_arriving", rows)
    connection.execute(f"insert into {into} from tanon_arriving")
    connection.unregister("tanon_arriving")


_COLLATED = re.compile(r'("(?:[^"]|"")*"|\w+) (VARCHAR COLLATE [^,)]+)')


def types(connection: duckdb.DuckDBPyConnection, table: str) -> tuple[dict[str, str], str]:
    """Return the columns of a temporary table with collations, and its CREATE TABLE."""
    rows = connection.execute(f"describe {table}").fetchall()
    ((create,),) = connection.execute(
        "select sql from duckdb_tables() where table_name = $t and temporary", {"t": table}
    ).fetchall()
    found = {str(row[0]): str(row[1]) for row in rows}
    for name, type in _COLLATED.findall(str(create)):
        found[name.strip('"').replace('""', '"')] = type
    return found, str(create)


def as_bytes(rows: pa.Table) -> bytes:
    """Return a table as the bytes of an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(sink.getvalue())


@contextmanager
def opened(
    work: Work, fill: Fill, config: Mapping[str, str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database that contains the rows of one shard and all given tables."""
    versions.check(work.versions)
    with databases.cursor(config, work.settings) as connection:
        for table in (work.rows, *work.given):
            table.put(connection)
        fill(connection, work.rows)
        for statement in work.before:
            connection.execute(statement)
        yield connection


def portions(connection: duckdb.DuckDBPyConnection, work: Work) -> Iterator[int]:
    """Yield 0 for all rows at once, or each group number after selecting its rows.

    A result must not depend on which groups happen to be in one shard.
    """
    number, statement = work.one_by_one
    if not number:
        yield 0
        return
    found = connection.execute(
        f"select distinct {number} from {work.rows.name} order by all asc nulls last"
    )
    for (each,) in found.fetchall():
        connection.execute(statement.format(each))
        yield each


def rows(work: Work, fill: Fill, config: Mapping[str, str]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the task's query for one shard."""
    with opened(work, fill, config) as connection:
        for _ in portions(connection, work):
            yield from connection.sql(work.query).to_arrow_reader(50_000)


def told(work: Work, fill: Fill, config: Mapping[str, str]) -> pa.Table:
    """Return the rows of each step of one shard, or one error sentence.

    One row of the result is (step, rows as an Arrow stream, error).
    """
    answers: list[dict[str, object]] = []
    try:
        with opened(work, fill, config) as connection:
            for step, query in work.told.items():
                found = as_bytes(connection.sql(query).to_arrow_table())
                answers.append({"step": step, "rows": found, "wrong": None})
    except (duckdb.Error, TanonError) as error:
        answers.append({"step": "", "rows": None, "wrong": one_line(error)})
    return pa.Table.from_pylist(answers, schema=TOLD)


def filled_by(batches: Iterable[pa.RecordBatch]) -> Fill:
    """Return a function that inserts Arrow batches into the table of a shard."""
    arriving = iter(batches)
    first = next(arriving, None)

    def fill(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
        if first is not None:
            chained = (batch for part in ([first], arriving) for batch in part)
            reader = pa.RecordBatchReader.from_batches(first.schema, chained)
            add(connection, table.name, reader, table.columns)

    return fill
