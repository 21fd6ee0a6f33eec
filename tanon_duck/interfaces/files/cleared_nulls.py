"""Overwrite the bytes behind NULL in Arrow batches.

DuckDB leaves old memory behind each NULL. An Arrow file contains these bytes. They can be values of
other rows that the release suppresses. CSV, JSON and Parquet files do not contain them.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_TEXTS = (pa.string(), pa.binary(), pa.large_string(), pa.large_binary())


def cleared(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with empty bytes behind each NULL, also in nested columns."""
    columns = [_cleared(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _cleared(array: pa.Array) -> pa.Array:
    kind, is_null_mask = array.type, array.is_null()
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, _cleared(array.storage))
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(
            _cleared(array.indices), array.dictionary, ordered=kind.ordered
        )
    if pa.types.is_struct(kind):
        children = [_cleared(child) for child in array.flatten()]
        return pa.StructArray.from_arrays(children, fields=list(kind), mask=is_null_mask)
    if pa.types.is_union(kind) and kind.mode == "sparse":
        children = [_cleared(array.field(i)) for i in range(kind.num_fields)]
        names = [field.name for field in kind]
        return pa.UnionArray.from_sparse(array.type_codes, children, names, kind.type_codes)
    if pa.types.is_fixed_size_list(kind):
        elements = _fixed_size_values(array, kind.list_size)
        return pa.FixedSizeListArray.from_arrays(_cleared(elements), type=kind, mask=is_null_mask)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        return _cleared_list(array)
    return _cleared_leaf(array) if array.null_count else array


def _fixed_size_values(array: pa.Array, size: int) -> pa.Array:
    """Return the elements of all lists; set them to NULL if their list is NULL."""
    elements = array.values.slice(array.offset * size, len(array) * size)
    is_null_mask = np.repeat(array.is_null().to_numpy(zero_copy_only=False), size)
    positions = pa.array(np.arange(len(elements)), mask=is_null_mask)
    return elements.take(positions)


def _cleared_list(array: pa.Array) -> pa.Array:
    """Clear lists or maps: drop the elements of a list that is NULL."""
    kind, is_null_mask = array.type, array.is_null()
    narrow = pa.types.is_list(kind) or pa.types.is_map(kind)
    starts = array.offsets.to_numpy()
    lengths = np.where(is_null_mask.to_numpy(zero_copy_only=False), 0, np.diff(starts))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    offsets = pa.array(ends, pa.int32() if narrow else pa.int64())
    first = np.repeat(starts[:-1] - ends[:-1], lengths)
    positions = pa.array(first + np.arange(ends[-1]))
    if pa.types.is_map(kind):
        keys, items = (_cleared(part.take(positions)) for part in (array.keys, array.items))
        return pa.MapArray.from_arrays(offsets, keys, items, type=kind, mask=is_null_mask)
    maker = pa.ListArray if narrow else pa.LargeListArray
    values = _cleared(array.values.take(positions))
    return maker.from_arrays(offsets, values, type=kind, mask=is_null_mask)


def _cleared_leaf(array: pa.Array) -> pa.Array:
    kind, rows = array.type, len(array)
    valid = array.is_valid().buffers()[1]
    if pa.types.is_null(kind):
        return array
    if pa.types.is_boolean(kind):
        return pa.Array.from_buffers(kind, rows, [valid, pc.fill_null(array, False).buffers()[1]])
    if kind in _TEXTS:
        filled = pc.fill_null(array, pa.scalar("", pa.string()).cast(kind))
        return pa.Array.from_buffers(kind, rows, [valid, *filled.buffers()[1:]])
    try:
        width = kind.bit_width // 8
    except ValueError:  # a layout of its own: slow, and certain
        return pa.array(array.to_pylist(), kind)
    bytes_ = np.frombuffer(array.buffers()[1], np.uint8)
    bytes_ = (
        bytes_[array.offset * width : (array.offset + rows) * width].reshape(rows, width).copy()
    )
    bytes_[array.is_null().to_numpy(zero_copy_only=False)] = 0
    return pa.Array.from_buffers(kind, rows, [valid, pa.py_buffer(bytes_)])
