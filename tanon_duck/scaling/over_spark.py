"""Spark as a runner: ``repartition`` by key, ``mapInArrow``, and nothing that Connect lacks."""

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


def type_there(arrow: pa.DataType) -> str:
    """The Spark type of Arrow values, as DDL has it."""
    for is_one, name in _SIMPLE:
        if is_one(arrow):
            return name
    if kinds.is_timestamp(arrow):
        return "timestamp" if arrow.tz else "timestamp_ntz"
    if kinds.is_decimal(arrow):
        return f"decimal({arrow.precision},{arrow.scale})"
    if kinds.is_map(arrow):
        return f"map<{type_there(arrow.key_type)},{type_there(arrow.item_type)}>"
    if kinds.is_list(arrow) or kinds.is_large_list(arrow) or kinds.is_fixed_size_list(arrow):
        return f"array<{type_there(arrow.value_type)}>"
    if kinds.is_struct(arrow):
        fields = (f"{_there(f.name)}:{type_there(f.type)}" for f in arrow)
        return f"struct<{','.join(fields)}>"
    return "string"


def _there(name: str) -> str:
    """A column by its name, as Spark quotes it."""
    return "`" + name.replace("`", "``") + "`"


def stored(types: Mapping[str, str]) -> str:
    """Columns as Spark can hold them, as SQL."""
    return ", ".join(_stored(c, t) for c, t in types.items())


def _stored(column: str, type: str) -> str:
    name = identifier(column)
    if _AS_TEXT.match(type):
        return f"{name}::varchar as {name}"
    if type.startswith("TIMESTAMP_"):
        return f"{name}::timestamp as {name}"
    return f"{name}::{_WIDER[type]} as {name}" if type in _WIDER else name


def schema_there(types: Mapping[str, str]) -> str:
    """The Spark schema of columns, by their types in DuckDB."""
    columns = ", ".join(f"null::{t} as {identifier(c)}" for c, t in types.items())
    with duckdb.connect() as scratch:
        found = scratch.sql(f"select {stored(types)} from (select {columns}) where false")
        schema = found.to_arrow_table().schema
    return ", ".join(f"{_there(f.name)} {type_there(f.type)}" for f in schema)


def sentence(error: BaseException) -> str:
    """What went wrong in a task, without Spark's traces; the whole text where it is not ours."""
    found = re.findall(r"tanon\.\w+: [^\n]*", str(error))
    return found[-1].strip() if found else str(error)


@dataclass(frozen=True)
class Source:
    """The rows of the relation as they lie."""

    frame: Any


@dataclass(frozen=True)
class Packed:
    """Rows that were shuffled, those of a shard as a few values of one partition."""

    frame: Any


def packs(frame: Any) -> bool:
    """Whether a row may say its partition; before Spark 4.1 rows are shuffled one by one."""
    return hasattr(frame, "repartitionById")


class Sparkling:
    """Runs shards as the partitions of DataFrames."""

    def __init__(self, frame: Any, partitions: int, task_memory: str) -> None:
        self.frame = frame  # pyspark.sql.DataFrame of either kind, or Parquet
        self.partitions, self.task_memory = partitions, task_memory
        self.keeps = isinstance(frame, Parquet) or packs(frame)
        self.holds = False
        self._held: list[Packed] = []

    def source(self, columns: tuple[str, ...]) -> Source | Packed:
        """The columns that are read; from the executors' disks, if they are there already."""
        if self._held:
            return self._held[0]
        if isinstance(self.frame, Parquet):
            return Source(replace(self.frame.select(*columns), most=self.partitions))
        return Source(self.frame.select(*map(_there, columns)))

    def parted(self, data: Any, keys: list[str]) -> Any:
        """Whole keys in each partition; never a hint, which Spark may overrule."""
        if not keys:
            return data
        is_source = isinstance(data, Source | Packed)
        frame = data.frame if is_source else data
        if not self.keeps:
            return frame.repartition(self.partitions, *(frame[_there(key)] for key in keys))
        pack = packing.repacked if isinstance(data, Packed) else packing.packed
        sent = frame.mapInArrow(pack(keys, self.partitions), packing.SCHEMA)
        arrived = Packed(sent.repartitionById(self.partitions, "shard").select("rows"))
        return self._hold(arrived) if is_source and self.holds else arrived

    def _hold(self, rows: Packed) -> Packed:
        """What several stages read stays on the disks of the executors, until `let_go`."""
        from pyspark import StorageLevel

        try:
            rows.frame.persist(StorageLevel.DISK_ONLY)
        except Exception:  # services of Connect may refuse it: the source is read again
            return rows
        self._held.append(rows)
        return rows

    def let_go(self) -> None:
        """What was held is not needed any more; a DataFrame that is read later makes it anew."""
        while self._held:
            self._held.pop().frame.unpersist()

    def run(self, data: Any, work: Work) -> Any:
        """The rows that come out of every partition, once somebody asks for them."""
        if not work.told:
            work = replace(work, query=f"select {stored(work.types)} from ({work.query})")
        schema = "step string, rows binary, wrong string" if work.told else schema_there(work.types)
        each = task(work, self.task_memory)
        if isinstance(data, Packed):
            return data.frame.mapInArrow(_of_packed(each), schema)
        return (data.frame if isinstance(data, Source) else data).mapInArrow(each, schema)

    def collected(self, data: Any) -> pa.Table:
        """The rows, in this process."""
        try:
            return data.toArrow()
        except Exception as error:
            said = sentence(error)
            if said != str(error):  # a task that read files has refused them
                raise TanonError(said) from None
            raise


Batches = Iterable[pa.RecordBatch]
Task = Callable[[Batches], Iterator[pa.RecordBatch]]


def _of_packed(each: Task) -> Task:
    """A task whose rows arrive packed."""

    def unpacking(batches: Batches) -> Iterator[pa.RecordBatch]:
        return each(packing.unpacked(batches))

    return unpacking


def task(work: Work, memory: str) -> Task:
    """What a Python worker does with its partition: one thread, so much memory."""
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
