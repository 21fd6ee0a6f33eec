"""The words of a series at several levels."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms import sax
from tanon_duck.udfs import arrow_function


def _word_lists(letters: sax.Letters) -> pa.Array:
    """Return one list of words for each series.

    ``letters`` has the axes series, level and position, with 0 for 'a'. The words are made from
    one buffer, because one Python string for each word would be slow.
    """
    n_series, n_levels, n_letters = letters.shape
    text = np.ascontiguousarray(letters + np.uint8(ord("a")))
    offsets = np.arange(n_series * n_levels + 1, dtype=np.int32) * n_letters
    words = pa.StringArray.from_buffers(
        n_series * n_levels, pa.py_buffer(offsets.tobytes()), pa.py_buffer(text.tobytes())
    )
    return pa.ListArray.from_arrays(np.arange(n_series + 1, dtype=np.int32) * n_levels, words)


@arrow_function(
    parameters=["DOUBLE[]", "INTEGER[]"],
    returns="VARCHAR[]",
    null_handling=DEFAULT,
    side_effects=False,
)
def words_at_levels(series: pa.ChunkedArray, levels: pa.ChunkedArray) -> pa.Array:
    """Return for each series its words at all levels.

    The series must have equal lengths. All rows must have the same ``levels``.
    """
    lists = series.combine_chunks()
    if not len(lists):
        return pa.array([], pa.list_(pa.string()))
    readings = lists.flatten().to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    letters = [sax.letters(readings, level) for level in levels[0].as_py()]
    return _word_lists(np.stack(letters, axis=1))
