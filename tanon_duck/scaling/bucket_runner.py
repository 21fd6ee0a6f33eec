"""One machine, larger than memory: hash buckets in Parquet, one after another or in processes."""

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

# What Parquet would change is kept as text there.
_AS_TEXT = re.compile(r"HUGEINT|INTERVAL|TIME WITH|TIME_NS|TIMETZ|BIT|UNION|VARIANT|BIGNUM|ENUM")

RUN = 2048  # rows that follow one another and stay together, where no key says the bucket


@dataclass(frozen=True)
class Files:
    """Rows as files, those of one bucket in one list."""

    buckets: tuple[tuple[str, ...], ...]
    types: dict[str, str]


@dataclass(frozen=True)
class Source:
    """The rows of the relation before they are in buckets."""

    relation: str  # SQL
    columns: tuple[str, ...]


class Buckets:
    """Runs each bucket in a database of its own; what it writes lies in one private folder."""

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
        """The rows of the relation."""
        return Source(self.relation, columns)

    def parted(self, data: Source | Files, keys: list[str]) -> Files:
        """Every row in the bucket that its keys say; equal keys are in one bucket."""
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
        """Of a database that parts rows anew."""
        return {**self.config, "temp_directory": str(self.folder)}

    def _bucket(self, keys: Sequence[str], rows: str, types: dict[str, str]) -> str:
        """SQL for the bucket of a row."""
        if not keys:
            return f"(row_number() over () // {RUN}) % {self.partitions}"
        return f"hash({', '.join(self._key(key, rows, types) for key in keys)}) % {self.partitions}"

    def _key(self, key: str, rows: str, types: dict[str, str]) -> str:
        """SQL that is the same for values that are equal, whatever their collation."""
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
        """Do the work of every bucket that has rows."""
        place = self.folder / f"{next(self._numbers)}"
        place.mkdir()
        tasks = [
            (work, files, data.types, str(place / f"{n}"), self.config)
            for n, files in enumerate(data.buckets)
            if files
        ]
        self.progress.stage(len(tasks))
        made = {}
        for into, files in _worked_off(tasks, self.processes):
            made[into] = files
            self.progress.done()
        return Files(tuple(made[task[3]] for task in tasks), dict(work.types))

    def kept(self, rows: pa.Table) -> Files:
        """Rows that are here, as a file."""
        into = str(self.folder / f"{next(self._numbers)}.parquet")
        with duckdb.connect() as connection:
            connection.register("tanon_rows", rows)
            copy(connection, "from tanon_rows", into, "format parquet")
        return Files(((into,),), {})

    def collected(self, data: Files) -> pa.Table:
        """The rows of all buckets, here."""
        files = [file for bucket in data.buckets for file in bucket]
        with duckdb.connect() as connection:
            return connection.sql(_read(files, data.types)).to_arrow_table()


Task = tuple[Work, tuple[str, ...], dict[str, str], str, dict[str, str]]


def done(
    work: Work, files: Sequence[str], types: dict[str, str], into: str, config: dict[str, str]
) -> tuple[str, ...]:
    """The work of one bucket, its rows in files."""

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
    """A column as it is written."""
    name = identifier(column)
    return (
        f"tanon_rows.{name}::varchar as {name}" if _AS_TEXT.search(type) else f"tanon_rows.{name}"
    )


def _read(files: Sequence[str], types: dict[str, str]) -> str:
    """The SELECT of rows that were written."""
    if not files:
        nulls = ", ".join(f"null::{t} as {identifier(c)}" for c, t in types.items())
        return f"select {nulls} where false"
    columns = ", ".join(f"{identifier(c)}::{t} as {identifier(c)}" for c, t in types.items())
    names = ", ".join(map(literal, files))
    return f"select {columns} from read_parquet([{names}], hive_partitioning = false)"


def _worked_off(tasks: list[Task], processes: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The work of all buckets, some at a time; that of processes which died is done once more."""
    if processes == 1:
        yield from ((task[3], done(*task)) for task in tasks)
        return
    left = {task[3]: task for task in tasks}
    for _ in range(2):
        for into, answer in _attempt(list(left.values()), processes):
            del left[into]
            yield into, answer
    if left:
        raise TanonError(
            f"tanon: {len(left)} buckets ended with their process twice: give partitions or a "
            "smaller task_memory, so that one bucket fits into memory"
        )


def _attempt(tasks: list[Task], processes: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the buckets came to whose process lived, each in one of its own.

    No queue and no lock is shared: one that is killed closes its pipe, and that is all.
    """
    spawn = multiprocessing.get_context("spawn")
    waiting, running = list(reversed(tasks)), dict[Connection, tuple[Task, SpawnProcess]]()
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                task = waiting.pop()
                receiver, sender = spawn.Pipe(duplex=False)
                process = spawn.Process(target=_tell, args=(sender, task), daemon=True)
                process.start()
                sender.close()
                running[receiver] = task, process
            ready = wait(list(running))
            for receiver in [each for each in running if each in ready]:
                task, process = running.pop(receiver)
                answer = _heard(receiver)
                process.join()
                if isinstance(answer, Exception):
                    raise answer
                if answer is not None:
                    yield task[3], answer
    finally:
        for _, process in running.values():
            process.kill()


def _heard(receiver: Connection) -> tuple[str, ...] | Exception | None:
    """What a process has told; None of one that was killed before."""
    with receiver:
        try:
            told: tuple[str, ...] | Exception = receiver.recv()
        except (EOFError, OSError):
            return None
        return told


def _tell(sender: Connection, task: Task) -> None:
    """In a process of its own: work a bucket off, and hand over what it came to."""
    try:
        sender.send(done(*task))
    except Exception as error:
        sender.send(error)
