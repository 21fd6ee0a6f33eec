"""The words of a series at several levels."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms import sax
from tanon_duck.udfs import arrow_function


def _as_arrow(found: sax.Letters) -> pa.Array:
    """Write letters (series, level, position) as lists of words without a Python string each."""
    rows, levels, points = found.shape
    text = np.ascontiguousarray(found + np.uint8(ord("a")))
    offsets = np.arange(rows * levels + 1, dtype=np.int32) * points
    words = pa.StringArray.from_buffers(
        rows * levels, pa.py_buffer(offsets.tobytes()), pa.py_buffer(text.tobytes())
    )
    return pa.ListArray.from_arrays(np.arange(rows + 1, dtype=np.int32) * levels, words)


@arrow_function(
    parameters=["DOUBLE[]", "INTEGER[]"],
    returns="VARCHAR[]",
    null_handling=DEFAULT,
    side_effects=False,
)
def words_at_levels(series: pa.ChunkedArray, levels: pa.ChunkedArray) -> pa.Array:
    """Take series of equal length and, for all of them, the same levels."""
    lists = series.combine_chunks()
    if not len(lists):
        return pa.array([], pa.list_(pa.string()))
    points = lists.flatten().to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    found = [sax.letters(points, level) for level in levels[0].as_py()]
    return _as_arrow(np.stack(found, axis=1))
