"""Rows on their way through a shuffle: those of one shard as one value, which nobody takes apart.

Spark moves rows one by one, and turns each from columns into a row and back. What a Python worker
has sorted by shard and written as an Arrow stream is moved as it is.
"""

from collections.abc import Callable, Iterable, Iterator

import duckdb
import numpy as np
import pyarrow as pa

from tanon_duck.quoting import identifier
from tanon_duck.scaling import versions

SCHEMA = "shard int, rows binary"
_ARROW = pa.schema([("shard", pa.int32()), ("rows", pa.binary())])
# How many bytes a worker gathers before it sorts them, and hands over at once.
_GATHERED, _HANDED = 64 << 20, 16 << 20

Batches = Iterable[pa.RecordBatch]


def packed(keys: list[str], shards: int) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Return a task that gathers the rows of each shard into few Arrow values.

    Rows with equal keys go to the same shard.
    """
    wanted = versions.HERE

    def each(batches: Batches) -> Iterator[pa.RecordBatch]:
        versions.check(wanted)
        with duckdb.connect(config={"threads": "1"}) as connection:
            for rows in _large_tables(batches):
                yield from _packed_batches(
                    _streams_by_shard(rows, _shard_of_each(connection, rows, keys, shards))
                )

    return each


def repacked(keys: list[str], shards: int) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Return a task that divides packed rows among shards by other keys."""
    again = packed(keys, shards)

    def each(batches: Batches) -> Iterator[pa.RecordBatch]:
        return again(unpacked(batches))

    return each


def unpacked(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Return the rows of packed values."""
    for batch in batches:
        for value in batch.column("rows"):
            yield from pa.ipc.open_stream(value.as_buffer())


def _large_tables(batches: Batches) -> Iterator[pa.Table]:
    """Combine small batches into larger tables."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _GATHERED:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _shard_of_each(
    connection: duckdb.DuckDBPyConnection, rows: pa.Table, keys: list[str], shards: int
) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """Return the shard of each row; DuckDB treats NULLs and NaNs as equal."""
    connection.register("arriving", rows)
    hashed = ", ".join(map(identifier, keys))
    found = connection.execute(f"select (hash({hashed}) % {shards})::integer as n from arriving")
    numbers: np.ndarray[tuple[int], np.dtype[np.int32]] = found.fetchnumpy()["n"]
    connection.unregister("arriving")
    return numbers


def _streams_by_shard(
    rows: pa.Table, shard_of_each: "np.ndarray[tuple[int], np.dtype[np.int32]]"
) -> Iterator[tuple[int, pa.Buffer]]:
    """Yield each shard that has rows, with its rows as an Arrow stream."""
    counts = np.bincount(shard_of_each)
    # Numbers of one byte, or of two, are sorted by their digits.
    order = np.argsort(shard_of_each.astype(np.min_scalar_type(len(counts))), kind="stable")
    sorted_rows = rows.combine_chunks().take(pa.array(order)).combine_chunks()
    starts = np.cumsum(counts) - counts
    for shard in np.flatnonzero(counts):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, rows.schema) as writer:
            writer.write_table(sorted_rows.slice(starts[shard], counts[shard]))
        yield int(shard), sink.getvalue()


def _packed_batches(streams: Iterable[tuple[int, pa.Buffer]]) -> Iterator[pa.RecordBatch]:
    """Yield batches of packed values for Spark's shuffle."""
    shards: list[int] = []
    values: list[pa.Buffer] = []
    size = 0
    for shard, rows in streams:
        shards.append(shard)
        values.append(rows)
        size += rows.size
        if size >= _HANDED:
            yield _batch(shards, values)
            shards, values, size = [], [], 0
    if shards:
        yield _batch(shards, values)


def _batch(shards: list[int], values: list[pa.Buffer]) -> pa.RecordBatch:
    ends = np.cumsum([0, *(each.size for each in values)], dtype=np.int32)
    joined = pa.py_buffer(b"".join(values))
    rows = pa.Array.from_buffers(pa.binary(), len(values), [None, pa.py_buffer(ends), joined])
    return pa.record_batch([pa.array(shards, pa.int32()), rows], _ARROW)
