"""Run shards on Spark with ``repartition`` and ``mapInArrow``, also over Connect."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.types as kinds

from tanon_duck.errors import TanonError
from tanon_duck.quoting import identifier
from tanon_duck.scaling import packing, shard
from tanon_duck.scaling.parquet import Parquet
from tanon_duck.scaling.shard import TOLD, Work, without_values

# What Spark has no column for leaves as text; whole numbers beyond its own as decimals.
_AS_TEXT = re.compile(r"^(ENUM|UUID|TIME$|TIME |TIMETZ|TIME_NS|INTERVAL|BIT|UNION|VARIANT|BIGNUM)")
_WIDER = {
    "HUGEINT": "decimal(38, 0)",
    "UHUGEINT": "decimal(38, 0)",
    "UBIGINT": "decimal(20, 0)",
    "UINTEGER": "bigint",
    "USMALLINT": "integer",
    "UTINYINT": "smallint",
}
_SIMPLE = (
    (kinds.is_boolean, "boolean"),
    (kinds.is_int8, "tinyint"),
    (kinds.is_int16, "smallint"),
    (kinds.is_int32, "int"),
    (kinds.is_int64, "bigint"),
    (kinds.is_float32, "float"),
    (kinds.is_float64, "double"),
    (kinds.is_date, "date"),
    (kinds.is_binary, "binary"),
    (kinds.is_large_binary, "binary"),
)


def spark_type(arrow: pa.DataType) -> str:
    """Return the Spark type of an Arrow type, for example 'bigint'."""
    for is_one, name in _SIMPLE:
        if is_one(arrow):
            return name
    if kinds.is_timestamp(arrow):
        return "timestamp" if arrow.tz else "timestamp_ntz"
    if kinds.is_decimal(arrow):
        return f"decimal({arrow.precision},{arrow.scale})"
    if kinds.is_map(arrow):
        return f"map<{spark_type(arrow.key_type)},{spark_type(arrow.item_type)}>"
    if kinds.is_list(arrow) or kinds.is_large_list(arrow) or kinds.is_fixed_size_list(arrow):
        return f"array<{spark_type(arrow.value_type)}>"
    if kinds.is_struct(arrow):
        fields = (f"{_quoted_for_spark(f.name)}:{spark_type(f.type)}" for f in arrow)
        return f"struct<{','.join(fields)}>"
    return "string"


def _quoted_for_spark(name: str) -> str:
    """Quote the name of a column for Spark."""
    return "`" + name.replace("`", "``") + "`"


def stored(types: Mapping[str, str]) -> str:
    """Return SQL that converts columns to types that Spark has."""
    return ", ".join(_stored(c, t) for c, t in types.items())


def _stored(column: str, type: str) -> str:
    name = identifier(column)
    if _AS_TEXT.match(type):
        return f"{name}::varchar as {name}"
    if type.startswith("TIMESTAMP_"):
        return f"{name}::timestamp as {name}"
    return f"{name}::{_WIDER[type]} as {name}" if type in _WIDER else name


def spark_schema(types: Mapping[str, str]) -> str:
    """Return the Spark schema of columns, from their DuckDB types."""
    columns = ", ".join(f"null::{t} as {identifier(c)}" for c, t in types.items())
    with duckdb.connect() as scratch:
        found = scratch.sql(f"select {stored(types)} from (select {columns}) where false")
        schema = found.to_arrow_table().schema
    return ", ".join(f"{_quoted_for_spark(f.name)} {spark_type(f.type)}" for f in schema)


def sentence(error: BaseException) -> str:
    """Return the error of a task without Spark's stack traces."""
    found = re.findall(r"tanon\.\w+: [^\n]*", str(error))
    return found[-1].strip() if found else str(error)


@dataclass(frozen=True)
class Source:
    """The rows of the relation before any shuffle."""

    frame: Any


@dataclass(frozen=True)
class Packed:
    """Shuffled rows; each partition has the rows of a shard in few values."""

    frame: Any


def packs(frame: Any) -> bool:
    """Return whether Spark can send a row to a chosen partition (4.1 or later)."""
    return hasattr(frame, "repartitionById")


class SparkRunner:
    """Runs shards as the partitions of DataFrames."""

    def __init__(self, frame: Any, partitions: int, task_memory: str) -> None:
        self.frame = frame  # pyspark.sql.DataFrame of either kind, or Parquet
        self.partitions, self.task_memory = partitions, task_memory
        self.keeps = isinstance(frame, Parquet) or packs(frame)
        self.holds = False
        self._held: list[Packed] = []

    def source(self, columns: tuple[str, ...]) -> Source | Packed:
        """Return the columns to read, from the executors' disks if stored there."""
        if self._held:
            return self._held[0]
        if isinstance(self.frame, Parquet):
            return Source(replace(self.frame.select(*columns), most=self.partitions))
        return Source(self.frame.select(*map(_quoted_for_spark, columns)))

    def parted(self, data: Any, keys: list[str]) -> Any:
        """Repartition rows by keys; Spark may overrule hints, so none is used."""
        if not keys:
            return data
        is_source = isinstance(data, Source | Packed)
        frame = data.frame if is_source else data
        if not self.keeps:
            return frame.repartition(
                self.partitions, *(frame[_quoted_for_spark(key)] for key in keys)
            )
        pack = packing.repacked if isinstance(data, Packed) else packing.packed
        sent = frame.mapInArrow(pack(keys, self.partitions), packing.SCHEMA)
        arrived = Packed(sent.repartitionById(self.partitions, "shard").select("rows"))
        return self._store_on_disk(arrived) if is_source and self.holds else arrived

    def _store_on_disk(self, rows: Packed) -> Packed:
        """Store rows that several stages read on the executors' disks."""
        from pyspark import StorageLevel

        try:
            rows.frame.persist(StorageLevel.DISK_ONLY)
        except Exception:  # services of Connect may refuse it: the source is read again
            return rows
        self._held.append(rows)
        return rows

    def free_stored_rows(self) -> None:
        """Free the stored rows; a later read computes them again."""
        while self._held:
            self._held.pop().frame.unpersist()

    def run(self, data: Any, work: Work) -> Any:
        """Return a DataFrame of the task's rows; Spark computes it when it is read."""
        if not work.told:
            work = replace(work, query=f"select {stored(work.types)} from ({work.query})")
        schema = "step string, rows binary, wrong string" if work.told else spark_schema(work.types)
        each = task(work, self.task_memory)
        if isinstance(data, Packed):
            return data.frame.mapInArrow(_unpacking_task(each), schema)
        return (data.frame if isinstance(data, Source) else data).mapInArrow(each, schema)

    def collected(self, data: Any) -> pa.Table:
        """Return all rows of a DataFrame in this process."""
        try:
            return data.toArrow()
        except Exception as error:
            said = sentence(error)
            if said != str(error):  # a task that read files has refused them
                raise TanonError(said) from None
            raise


Batches = Iterable[pa.RecordBatch]
Task = Callable[[Batches], Iterator[pa.RecordBatch]]


def _unpacking_task(each: Task) -> Task:
    """Return a task that unpacks its rows first."""

    def unpacking(batches: Batches) -> Iterator[pa.RecordBatch]:
        return each(packing.unpacked(batches))

    return unpacking


def task(work: Work, memory: str) -> Task:
    """Return the function that a Python worker applies to its partition.

    It uses one thread and the given memory.
    """
    config = {"threads": "1", "memory_limit": memory}

    def each(batches: Batches) -> Iterator[pa.RecordBatch]:
        arriving = iter(batches)
        first = next(arriving, None)
        if first is None:
            return
        fill = shard.filled_by(batch for part in ([first], arriving) for batch in part)
        if work.told:
            yield from shard.told(work, fill, config).cast(TOLD).to_batches()
            return
        try:
            yield from shard.rows(work, fill, config)
        except (duckdb.Error, TanonError) as error:
            # Spark writes this into logs of the cluster.
            raise TanonError(without_values(error)) from None

    return each
