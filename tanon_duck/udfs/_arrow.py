"""Arrow types and arrays of the SQL types that a function declares, each written once."""

from collections.abc import Sequence
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
from duckdb.sqltypes import DuckDBPyType

_PLAIN = {
    "bigint": pa.int64(),
    "blob": pa.binary(),
    "boolean": pa.bool_(),
    "double": pa.float64(),
    "integer": pa.int32(),
    "varchar": pa.string(),
}


@cache
def arrow_type(sql: str) -> pa.DataType:
    """The Arrow type of a SQL type, as DuckDB reads it."""
    return _arrow_type(duckdb.sqltype(sql))


def _arrow_type(kind: DuckDBPyType) -> pa.DataType:
    if kind.id in _PLAIN:
        return _PLAIN[kind.id]
    inner = [(name, _arrow_type(DuckDBPyType(str(child)))) for name, child in kind.children]
    return pa.list_(inner[0][1]) if kind.id == "list" else pa.struct(inner)


def texts(values: Sequence[str]) -> pa.Array:
    """Texts as Arrow has them; ``pa.array`` imports pandas to ask whether they are its own."""
    encoded = [value.encode() for value in values]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def truths(values: Sequence[bool]) -> pa.Array:
    """The same for what is true or false."""
    bits = np.packbits(np.array(values, dtype=bool), bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])


def list_column(calls: Sequence[pa.Array], element: str) -> pa.Array:
    """One list for each call; ``element`` is the SQL type of what is in the lists."""
    offsets = np.cumsum([0, *map(len, calls)])
    values = pa.concat_arrays([pa.array([], arrow_type(element)), *calls])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def structs(columns: Sequence[pa.Array], kind: str) -> pa.Array:
    """Structs of this SQL type, from a column for each of its fields."""
    return pa.StructArray.from_arrays(columns, fields=list(arrow_type(kind)))
