"""Arrow types and Arrow arrays for the SQL types that a function declares."""

from collections.abc import Sequence
from functools import cache

import duckdb
import numpy as np
import pyarrow as pa
from duckdb.sqltypes import DuckDBPyType

_SCALAR_TYPES = {
    "bigint": pa.int64(),
    "blob": pa.binary(),
    "boolean": pa.bool_(),
    "double": pa.float64(),
    "integer": pa.int32(),
    "varchar": pa.string(),
}


@cache
def arrow_type(sql_type: str) -> pa.DataType:
    """Return the Arrow type of a SQL type, for example of ``STRUCT(a INTEGER[])``."""
    return _from_duckdb_type(duckdb.sqltype(sql_type))


def _from_duckdb_type(duckdb_type: DuckDBPyType) -> pa.DataType:
    if duckdb_type.id in _SCALAR_TYPES:
        return _SCALAR_TYPES[duckdb_type.id]
    children = [
        (name, _from_duckdb_type(DuckDBPyType(str(child)))) for name, child in duckdb_type.children
    ]
    return pa.list_(children[0][1]) if duckdb_type.id == "list" else pa.struct(children)


def text_array(texts: Sequence[str]) -> pa.Array:
    """Return texts as an Arrow array.

    ``pa.array(texts)`` would do the same, but imports pandas if it is installed, which is slow.
    """
    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def boolean_array(values: Sequence[bool]) -> pa.Array:
    """Return booleans as an Arrow array.

    ``pa.array(values)`` would do the same, but imports pandas if it is installed, which is slow.
    """
    bits = np.packbits(np.array(values, dtype=bool), bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])


def list_array(lists: Sequence[pa.Array], element: str) -> pa.Array:
    """Return an Arrow array with one list for each given array; ``element`` is a SQL type."""
    offsets = np.cumsum([0, *map(len, lists)])
    values = pa.concat_arrays([pa.array([], arrow_type(element)), *lists])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def struct_array(columns: Sequence[pa.Array], sql_type: str) -> pa.Array:
    """Return an Arrow array of structs of this SQL type, from one column for each field."""
    return pa.StructArray.from_arrays(columns, fields=list(arrow_type(sql_type)))
