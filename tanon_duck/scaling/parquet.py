"""Parquet files as the rows of a call on Spark: each task reads its row groups by a DuckDB.

Rows never pass through the JVM one by one, nor does a column that no step reads. It has those
methods of a DataFrame that runners use.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck.errors import TanonError, must_be, one_line
from tanon_duck.quoting import identifier, literal
from tanon_duck.scaling.shard import without_values

Batches = Iterable[pa.RecordBatch]
Task = Callable[[Batches], Iterator[pa.RecordBatch]]
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": "1",
    "autoinstall_known_extensions": "false",  # a file on a network is none of ours
    "autoload_known_extensions": "false",
}
# What Arrow has no type for travels as text; the table that it comes to has the type.
_AS_TEXT = re.compile(r"TIME WITH|TIMETZ|TIME_NS|VARIANT|GEOMETRY")
# A task costs what a hundred thousand rows do, and a few million fit into one.
ROWS_OF_A_TASK = 2_000_000


@dataclass(frozen=True)
class File:
    """A Parquet file with its size and time when the caller named it."""

    name: str
    size: int
    changed: int  # nanoseconds

    def look(self) -> None:
        """Raise if the file has changed since, because stages would read other rows."""
        try:
            found = Path(self.name).stat()
        except OSError as error:
            raise _wrong("files that every executor sees", f"{self.name!r}: {error}") from None
        if (found.st_size, found.st_mtime_ns) != (self.size, self.changed):
            allowed = "files that stay as they are"
            raise _wrong(allowed, f"{self.name!r}, which changed after it was named")


Run = tuple[File, int, int]  # rows of a file, from the first to before the last


@dataclass(frozen=True)
class Parquet:
    """Parquet files that driver and executors see under the same names."""

    sparkSession: Any  # noqa: N815  as a DataFrame calls it
    create: str  # the CREATE TABLE without rows
    types: dict[str, str]
    groups: tuple[Run, ...]
    most: int = 1 << 31  # tasks: many that read times many shards are too many small blocks

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns in their order."""
        return list(self.types)

    def select(self, *names: str) -> "Parquet":
        """Return the files limited to these columns."""
        return replace(self, types={name: self.types[name] for name in names})

    @property
    def tasks(self) -> int:
        """Return the number of tasks that suits the number of rows."""
        rows = sum(end - begin for _, begin, end in self.groups)
        return max(1, min(self.most, round(rows / ROWS_OF_A_TASK)))

    def mapInArrow(self, each: Task, schema: str) -> Any:  # noqa: N802  as a DataFrame calls it
        """Return a DataFrame of the task's results; each task reads its row groups."""
        most = max(1, min(self.tasks, len(self.groups)))
        portions, types = _portions(self.groups, most), self.types

        def reading(batches: Batches) -> Iterator[pa.RecordBatch]:
            numbers = (n for batch in batches for n in batch.column(0).to_pylist())
            return each(batch for n in numbers for batch in _read(portions[n], types))

        # One number is one partition, and so one task.
        count = len(portions)
        return self.sparkSession.range(0, count, 1, count).mapInArrow(reading, schema)

    def toArrow(self) -> pa.Table:  # noqa: N802  as a DataFrame calls it
        """Return all rows in this process."""
        with duckdb.connect(config=_CONFIG) as connection:
            names = sorted({file.name for file, _, _ in self.groups})
            return connection.sql(_query(names, self.types)).to_arrow_table()


def named(session: Any, paths: str | Path | Sequence[str | Path], table: str) -> Parquet:
    """Return the Parquet files that names, patterns and folders describe."""
    files = [File(n, s.st_size, s.st_mtime_ns) for n in _found(paths) for s in [Path(n).stat()]]
    listed = _listed(file.name for file in files)
    with duckdb.connect(config=_CONFIG) as connection:
        try:
            _are_alike(connection, listed)
            connection.execute(
                f"create temp table {table} as "
                f"select * exclude (file_row_number) from {_read_parquet(listed)} limit 0"
            )
            described = connection.execute(f"describe {table}").fetchall()
            ((create,),) = connection.execute("select sql from duckdb_tables()").fetchall()
            groups = connection.execute(
                "select file_name, row_group_id, any_value(row_group_num_rows) "
                f"from parquet_metadata({listed}) group by all "
                "order by all asc nulls last"
            ).fetchall()
        except duckdb.Error as error:
            raise _wrong("Parquet files", one_line(error)) from None
    types = {str(name): str(type) for name, type, *_ in described}
    return Parquet(session, str(create), types, tuple(_runs(files, groups)))


def _found(paths: str | Path | Sequence[str | Path]) -> list[str]:
    """Return absolute names of the files, sorted."""
    found: set[str] = set()
    for each in [paths] if isinstance(paths, str | Path) else paths:
        if "://" in str(each):
            allowed = "files that this machine and the executors see; elsewhere read a DataFrame"
            raise _wrong(allowed, repr(str(each)))
        names = _matching(Path(each).absolute())
        if not names:
            raise _wrong("Parquet files, patterns or folders of them", repr(str(each)))
        found |= set(names)
    for name in found:
        if re.search(r"/[^/]+=[^/]*/", name):  # some readers take these for columns, some do not
            allowed = "free of folders whose names are columns: read them as a DataFrame"
            raise _wrong(allowed, repr(name))
    return sorted(found)


def _matching(path: Path) -> list[str]:
    """Return a file, the files of a pattern, or the visible files of a folder."""
    if path.is_file():
        return [str(path)]
    if path.is_dir():
        inside = ((file, file.relative_to(path).parts) for file in path.rglob("*.parquet"))
        return [str(f) for f, parts in inside if not any(p[0] in "._" for p in parts)]
    return [str(f) for f in Path(path.anchor).glob(str(path.relative_to(path.anchor)))]


def _are_alike(connection: duckdb.DuckDBPyConnection, listed: str) -> None:
    """Raise if the files have different columns."""
    found = connection.execute(
        "select columns, min(file_name) from (select file_name, "
        "list((name, duckdb_type, num_children) order by column_id asc nulls last) as columns "
        f"from parquet_schema({listed}) where column_id > 0 group by all) group by all "
        "order by 2 asc nulls last"
    ).fetchall()
    if len(found) > 1:
        allowed = "files of the same columns and types"
        raise _wrong(allowed, f"{found[0][1]!r} and {found[1][1]!r}")


def _runs(files: list[File], groups: list[tuple[str, int, int]]) -> Iterator[Run]:
    """Yield each row group as a range of rows of its file."""
    by_name, begins = {file.name: file for file in files}, dict[str, int]()
    for name, _, rows in groups:
        begin = begins.get(name, 0)
        begins[name] = begin + rows
        yield by_name[name], begin, begin + rows


def _portions(groups: tuple[Run, ...], tasks: int) -> list[list[Run]]:
    """Divide row groups among tasks with about equal numbers of rows."""
    rows = sum(end - begin for _, begin, end in groups)
    found: list[list[Run]] = [[] for _ in range(tasks)]
    before = 0
    for file, begin, end in groups:
        portion = found[before * tasks // max(rows, 1)]
        before += end - begin
        if portion and portion[-1][0] == file and portion[-1][2] == begin:
            begin = portion.pop()[1]
        portion.append((file, begin, end))
    return found


def _read(portion: list[Run], types: dict[str, str]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a task; check the files before and after reading."""
    with duckdb.connect(config=_CONFIG) as connection:
        for file, begin, end in portion:
            file.look()
            rows = f"file_row_number >= {begin} and file_row_number < {end}"
            try:
                found = connection.sql(f"{_query([file.name], types)} where {rows}")
                yield from found.to_arrow_reader(100_000)
            except duckdb.Error as error:
                file.look()
                raise TanonError(without_values(error)) from None
            file.look()


def _query(files: Sequence[str], types: dict[str, str]) -> str:
    columns = ", ".join(
        f"{identifier(c)}::varchar as {identifier(c)}" if _AS_TEXT.search(t) else identifier(c)
        for c, t in types.items()
    )
    return f"select {columns} from {_read_parquet(_listed(files))}"


def _read_parquet(listed: str) -> str:
    return f"read_parquet({listed}, hive_partitioning = false, file_row_number = true)"


def _listed(names: Iterable[str]) -> str:
    return f"[{', '.join(map(literal, names))}]"


def _wrong(allowed: str, got: str) -> TanonError:
    return TanonError(must_be("spark", "paths", allowed, got))
