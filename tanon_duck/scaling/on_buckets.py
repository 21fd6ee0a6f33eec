"""Provide ``tanon_duck.buckets``: functions over hash buckets on one machine."""

import shutil
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck.errors import TanonError, missing_argument, must_be, unknown_function
from tanon_duck.interfaces import spill_folder
from tanon_duck.interfaces.temporary_folders import workshop
from tanon_duck.macros import catalog
from tanon_duck.scaling import databases, folders, levels, plans, shard
from tanon_duck.scaling.bucket_runner import Buckets, Files
from tanon_duck.scaling.calls import Relation
from tanon_duck.scaling.progress import Progress
from tanon_duck.scaling.shard import ROWS

# What decides how SQL is read, beside the SQL.
_SETTINGS = ("TimeZone", "default_null_order", "default_order", "default_collation")


class OnBuckets:
    """Has every function as a method with the arguments of its SQL."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        partitions: int,
        processes: int,
        task_memory: str,
        folder: str | Path | None,
    ) -> None:
        self._connection, self._partitions, self._processes = connection, partitions, processes
        self._task_memory, self._folder = task_memory, folder

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in catalog.functions():
            raise TanonError(unknown_function(name, catalog.functions()))
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *catalog.functions()})

    def _call(
        self,
        function: str,
        source: str | None = None,
        *,
        into: str | Path | None = None,
        overwrite: bool = False,
        by: str | None = None,
        **arguments: Any,
    ) -> pa.Table | Path:
        """The rows as Arrow; with ``into`` in a new folder of Parquet files, and its path."""
        relation = plans.relation_of(catalog.function(function))
        source = arguments.pop(relation, source)
        if source is None:
            raise TanonError(missing_argument(function, relation, "the relation"))
        root = spill_folder.private_folder() if self._folder is None else Path(self._folder)
        with workshop(root) as place:
            try:
                return self._answer(place, function, source, into, overwrite, by, arguments)
            finally:
                databases.close()

    def _answer(
        self,
        place: Path,
        function: str,
        source: str,
        into: str | Path | None,
        overwrite: bool,
        by: str | None,
        arguments: dict[str, Any],
    ) -> pa.Table | Path:
        connection = self._connection  # itself: it has the temporary tables and the clock
        relation, types, create = _described(connection, source)
        stages = len(plans.plan(plans.name_of(catalog.function(function), arguments)).stages)
        progress = Progress(f"tanon.{function}", stages)
        runner = self._runner(relation, types, place, progress)
        relations = _relations(connection, function, arguments)
        own = {k: v for k, v in arguments.items() if k not in relations}
        rows, settings = Relation(create, tuple(types)), _settings(connection)
        with (
            closing(progress),
            levels.call(runner, function, rows, own, relations, settings, by) as call,
        ):
            if into is None:
                answer = call.answer()
                return answer.rows if answer.rows is not None else runner.collected(answer.left)
            with folders.whole(into, overwrite) as folder:
                answer = call.answer()
                left = runner.kept(answer.rows) if answer.rows is not None else answer.left
                _deliver(left, folder)
        return Path(into)

    def _runner(
        self, relation: str, types: dict[str, str], place: Path, progress: Progress
    ) -> Buckets:
        return Buckets(
            self._connection,
            relation,
            types,
            place,
            self._partitions,
            self._processes,
            self._task_memory,
            progress,
        )


def buckets(
    connection: duckdb.DuckDBPyConnection,
    *,
    partitions: int = 16,
    processes: int = 1,
    task_memory: str = "1GB",
    folder: str | Path | None = None,
) -> OnBuckets:
    """The functions over hash buckets of a relation of this connection.

    Rows are parted by key into Parquet files of a private folder (or one in ``folder``), and each
    bucket is worked off by itself, in ``task_memory``; ``processes`` buckets at a time.
    ``buckets(con).publish_events('visits', respondent=..., into='release')`` takes the arguments of
    the SQL, and ``by``, ``into``, ``overwrite``.
    """
    for name, value in (("partitions", partitions), ("processes", processes)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise TanonError(must_be("buckets", name, "an integer > 0", repr(value)))
    return OnBuckets(connection, partitions, processes, task_memory, folder)


def _relations(
    connection: duckdb.DuckDBPyConnection, function: str, arguments: dict[str, Any]
) -> dict[str, pa.Table]:
    """Return further relations of the call, which each bucket receives whole."""
    names = [a.name for a in catalog.function(function).header.relations()]
    return {
        name: connection.sql(f"from {_text(connection, arguments[name])}").to_arrow_table()
        for name in names
        if arguments.get(name) is not None
    }


def _text(connection: duckdb.DuckDBPyConnection, relation: str) -> str:
    """Return the SQL of a relation that the caller named."""
    return str(connection.execute("select tanon._relation($r)", {"r": relation}).fetchall()[0][0])


def _described(
    connection: duckdb.DuckDBPyConnection, source: str
) -> tuple[str, dict[str, str], str]:
    """Return the relation as SQL, its column types and an empty CREATE TABLE."""
    relation = _text(connection, source)
    try:
        connection.execute(f"create or replace temp table {ROWS} as from {relation} limit 0")
    except duckdb.Error as error:
        raise TanonError(str(error)) from None
    found, create = shard.types(connection, ROWS)
    connection.execute(f"drop table {ROWS}")
    return relation, found, create


def _settings(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the settings of the connection that change how SQL is read."""
    selected = ", ".join(f"current_setting('{name}')::varchar" for name in _SETTINGS)
    (row,) = connection.execute(f"select {selected}").fetchall()
    return {k: v for k, v in zip(_SETTINGS, row, strict=True) if v}


def _deliver(files: Files, folder: Path) -> None:
    """Move the files into the folder of a release; their names hide the bucket."""
    for bucket in files.buckets:
        for file in bucket:
            shutil.move(file, folder / f"part-{token_hex(8)}.parquet")
