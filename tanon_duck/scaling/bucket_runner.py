"""Run shards on one machine: hash buckets in Parquet files, in one or more processes."""

import itertools
import multiprocessing
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

import duckdb
import pyarrow as pa

from tanon_duck.errors import TanonError, one_line
from tanon_duck.interfaces.copy_to_file import copy
from tanon_duck.quoting import identifier, literal
from tanon_duck.scaling import shard
from tanon_duck.scaling.progress import Progress
from tanon_duck.scaling.shard import Fill, Table, Work

# Parquet would change values of these types, so that they are stored as text.
_AS_TEXT = re.compile(r"HUGEINT|INTERVAL|TIME WITH|TIME_NS|TIMETZ|BIT|UNION|VARIANT|BIGNUM|ENUM")

RUN = 2048  # rows that follow one another and stay together, where no key says the bucket


@dataclass(frozen=True)
class Files:
    """Rows in Parquet files; each bucket has a list of files."""

    buckets: tuple[tuple[str, ...], ...]
    types: dict[str, str]


@dataclass(frozen=True)
class Source:
    """The relation before its rows are divided into buckets."""

    relation: str  # SQL
    columns: tuple[str, ...]


class Buckets:
    """Runs each bucket in a database of its own, with files in a private folder."""

    keeps = True

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        relation: str,
        types: dict[str, str],
        folder: Path,
        partitions: int,
        processes: int,
        task_memory: str,
        progress: Progress,
    ) -> None:
        self.connection, self.relation, self.types = connection, relation, types
        self.folder, self.partitions, self.processes = folder, partitions, processes
        self.progress = progress
        threads = {} if processes == 1 else {"threads": "1"}
        self.config = {"memory_limit": task_memory, **threads}
        self._numbers = itertools.count()

    def source(self, columns: tuple[str, ...]) -> Source:
        """Return the relation with these columns."""
        return Source(self.relation, columns)

    def parted(self, data: Source | Files, keys: list[str]) -> Files:
        """Divide rows into buckets; rows with equal keys get the same bucket."""
        if isinstance(data, Files) and not keys:
            return data
        place = self.folder / f"{next(self._numbers)}"
        if isinstance(data, Source):
            connection, rows, names = self.connection, data.relation, list(data.columns)
            types = {c: self.types[c] for c in names}
        else:
            connection, names, types = (
                duckdb.connect(config=self._own_config()),
                list(data.types),
                data.types,
            )
            rows = f"({_read([f for each in data.buckets for f in each], types)})"
        columns = ", ".join(_stored(c, types[c]) for c in names)
        try:
            copy(
                connection,
                f"select {columns}, {self._bucket(keys, rows, types)} as tanon_bucket "
                f"from {rows} as tanon_rows",
                str(place),
                "format parquet, compression lz4, partition_by (tanon_bucket)",
            )
        except duckdb.Error as error:
            raise TanonError(one_line(error)) from None
        finally:
            if isinstance(data, Files):
                connection.close()
        found = [place / f"tanon_bucket={n}" for n in range(self.partitions)]
        return Files(tuple(tuple(map(str, sorted(f.glob("*")))) for f in found), types)

    def _own_config(self) -> dict[str, str | bool | int | float | list[str]]:
        """Return the settings of a database that divides rows again."""
        return {**self.config, "temp_directory": str(self.folder)}

    def _bucket(self, keys: Sequence[str], rows: str, types: dict[str, str]) -> str:
        """Return SQL for the number of a row's bucket."""
        if not keys:
            return f"(row_number() over () // {RUN}) % {self.partitions}"
        return f"hash({', '.join(self._key(key, rows, types) for key in keys)}) % {self.partitions}"

    def _key(self, key: str, rows: str, types: dict[str, str]) -> str:
        """Return SQL with equal results for values that a collation treats as equal."""
        name = next((c for c in types if c.lower() == key.lower()), key)
        quoted = identifier(name)
        if " COLLATE " not in types.get(name, ""):
            return f"tanon_rows.{quoted}"
        return (
            f"(select tanon_rank from (select {quoted}, dense_rank() over ("
            f"order by {quoted} asc nulls last) as tanon_rank "
            f"from (select distinct {quoted} from {rows})) as tanon_ranks "
            f"where tanon_ranks.{quoted} = tanon_rows.{quoted})"
        )

    def run(self, data: Files, work: Work) -> Files:
        """Run the task for each bucket that has rows; return the resulting files."""
        place = self.folder / f"{next(self._numbers)}"
        place.mkdir()
        tasks = [
            (work, files, data.types, str(place / f"{n}"), self.config)
            for n, files in enumerate(data.buckets)
            if files
        ]
        self.progress.stage(len(tasks))
        made = {}
        for into, files in _run_tasks(tasks, self.processes):
            made[into] = files
            self.progress.done()
        return Files(tuple(made[task[3]] for task in tasks), dict(work.types))

    def kept(self, rows: pa.Table) -> Files:
        """Write rows of this process to a file."""
        into = str(self.folder / f"{next(self._numbers)}.parquet")
        with duckdb.connect() as connection:
            connection.register("tanon_rows", rows)
            copy(connection, "from tanon_rows", into, "format parquet")
        return Files(((into,),), {})

    def collected(self, data: Files) -> pa.Table:
        """Return the rows of all buckets as one table."""
        files = [file for bucket in data.buckets for file in bucket]
        with duckdb.connect() as connection:
            return connection.sql(_read(files, data.types)).to_arrow_table()


Task = tuple[Work, tuple[str, ...], dict[str, str], str, dict[str, str]]


def run_task(
    work: Work, files: Sequence[str], types: dict[str, str], into: str, config: dict[str, str]
) -> tuple[str, ...]:
    """Run the task of one bucket; return the names of the files it wrote."""

    def fill(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
        names = ", ".join(map(identifier, types))
        connection.execute(f"insert into {table.name} ({names}) {_read(files, types)}")

    if work.told:
        file = f"{into}.parquet"
        with duckdb.connect() as connection:
            connection.register("tanon_told", shard.told(work, fill, config))
            copy(connection, "from tanon_told", file, "format parquet")
        return (file,)
    return tuple(_written(work, fill, into, config))


def _written(work: Work, fill: Fill, into: str, config: dict[str, str]) -> Iterator[str]:
    columns = ", ".join(_stored(c, t) for c, t in work.types.items())
    try:
        with shard.opened(work, fill, config) as connection:
            for portion in shard.portions(connection, work):
                file = f"{into}-{portion}.parquet"
                rows = f"select {columns} from ({work.query}) as tanon_rows"
                copy(connection, rows, file, "format parquet")
                yield file
    except duckdb.Error as error:
        raise TanonError(one_line(error)) from None


def _stored(column: str, type: str) -> str:
    """Return SQL for a column; types that Parquet would change become text."""
    name = identifier(column)
    return (
        f"tanon_rows.{name}::varchar as {name}" if _AS_TEXT.search(type) else f"tanon_rows.{name}"
    )


def _read(files: Sequence[str], types: dict[str, str]) -> str:
    """Return a SELECT that reads written rows with their original types."""
    if not files:
        nulls = ", ".join(f"null::{t} as {identifier(c)}" for c, t in types.items())
        return f"select {nulls} where false"
    columns = ", ".join(f"{identifier(c)}::{t} as {identifier(c)}" for c, t in types.items())
    names = ", ".join(map(literal, files))
    return f"select {columns} from read_parquet([{names}], hive_partitioning = false)"


def _run_tasks(tasks: list[Task], processes: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Run all tasks; repeat once a task whose process died.

    Yield the target of each task and its files.
    """
    if processes == 1:
        yield from ((task[3], run_task(*task)) for task in tasks)
        return
    left = {task[3]: task for task in tasks}
    for _ in range(2):
        for into, answer in _attempt(list(left.values()), processes):
            del left[into]
            yield into, answer
    if left:
        raise TanonError(
            f"tanon: {len(left)} buckets failed twice because their process died; pass more "
            "partitions or a smaller task_memory, so that one bucket fits into memory"
        )


def _attempt(tasks: list[Task], processes: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Run each task in a process of its own; yield results of processes that survive.

    Each process has its own pipe and no shared lock, so that a killed process cannot block the
    others.
    """
    spawn = multiprocessing.get_context("spawn")
    waiting, running = list(reversed(tasks)), dict[Connection, tuple[Task, SpawnProcess]]()
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                task = waiting.pop()
                receiver, sender = spawn.Pipe(duplex=False)
                process = spawn.Process(target=_run_and_send, args=(sender, task), daemon=True)
                process.start()
                sender.close()
                running[receiver] = task, process
            ready = wait(list(running))
            for receiver in [each for each in running if each in ready]:
                task, process = running.pop(receiver)
                answer = _received(receiver)
                process.join()
                if isinstance(answer, Exception):
                    raise answer
                if answer is not None:
                    yield task[3], answer
    finally:
        for _, process in running.values():
            process.kill()


def _received(receiver: Connection) -> tuple[str, ...] | Exception | None:
    """What a process has told; None of one that was killed before."""
    with receiver:
        try:
            told: tuple[str, ...] | Exception = receiver.recv()
        except (EOFError, OSError):
            return None
        return told


def _run_and_send(sender: Connection, task: Task) -> None:
    """In a process of its own: work a bucket off, and hand over what it came to."""
    try:
        sender.send(run_task(*task))
    except Exception as error:
        sender.send(error)
