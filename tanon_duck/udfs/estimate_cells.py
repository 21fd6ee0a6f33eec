"""Ranges and letters that a recipient can estimate for withheld cells of a customized release."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.estimate import (
    WITHHELD,
    Release,
    estimate_letters,
    estimate_withheld_ranges,
)
from tanon_duck.algorithms.sax import HIGHEST_LEVEL
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import struct_array

CELLS = "STRUCT(low DOUBLE[], high DOUBLE[], word VARCHAR, estimated BOOLEAN[], consistent BOOLEAN)"
DOT = ord(".")
LETTER_A = ord("a")


def _matrix(column: pa.ChunkedArray, rows: int) -> npt.NDArray[np.generic]:
    """Return a column of lists of equal length as a matrix, with NaN for NULL."""
    flat = column.combine_chunks().flatten()
    return np.asarray(flat.to_numpy(zero_copy_only=False)).reshape(rows, -1)


def _boolean_matrix(column: pa.ChunkedArray, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return a column of lists of booleans as a matrix; an empty list or NULL gives False."""
    matrix = np.zeros(shape, dtype=bool)
    for row, flags in enumerate(column.to_pylist()):
        if flags:
            matrix[row] = flags
    return matrix


def _read_letters(
    words: pa.ChunkedArray, levels: npt.NDArray[np.int64], function: str
) -> npt.NDArray[np.uint8]:
    """Return words of equal length as a matrix of letters: 0 for 'a', WITHHELD for '.'.

    Raise TanonError in the name of ``function`` if a word has a letter beyond its level.
    """
    text = "".join(words.to_pylist()).encode("ascii", "replace")
    codes = np.frombuffer(text, dtype=np.uint8).reshape(levels.size, -1)
    first_beyond = np.where(levels > HIGHEST_LEVEL, 0, LETTER_A + levels)[:, None]
    wrong = (codes != DOT) & ((codes < LETTER_A) | (codes >= first_beyond))
    if wrong.any():
        got = f"{wrong.any(axis=1).sum()} words with others"
        raise TanonError(must_be(function, "release", "words with letters of their level", got))
    return np.where(codes == DOT, WITHHELD, codes - np.uint8(LETTER_A)).astype(np.uint8)


def _write_words(letters: npt.NDArray[np.uint8]) -> list[str]:
    """Return a matrix of letters as words: 'a' for 0, '.' for WITHHELD."""
    codes = np.where(letters == WITHHELD, DOT, letters.astype(np.int64) + LETTER_A).astype(np.uint8)
    return [row.tobytes().decode("ascii") for row in codes]


def _lists(matrix: npt.NDArray[np.generic]) -> pa.Array:
    """Return one list for each row of a matrix, with NULL for NaN."""
    rows, width = matrix.shape
    values = pa.array(np.ascontiguousarray(matrix).ravel(), from_pandas=True)
    return pa.ListArray.from_arrays(np.arange(rows + 1, dtype=np.int32) * width, values)


def _cells(low: Any, high: Any, words: list[str], estimated: Any, consistent: Any) -> pa.Array:
    """Return an array of structs CELLS from its columns."""
    lists = [_lists(low), _lists(high), pa.array(words, pa.string()), _lists(estimated)]
    return struct_array([*lists, pa.array(consistent, pa.bool_())], CELLS)


@arrow_function(
    parameters=["DOUBLE[]", "DOUBLE[]", "VARCHAR", "INTEGER", "BOOLEAN[]", "VARCHAR"],
    returns=CELLS,
    null_handling=SPECIAL,
    side_effects=False,
)
def estimate_cells(
    low: pa.ChunkedArray,
    high: pa.ChunkedArray,
    pr: pa.ChunkedArray,
    level: pa.ChunkedArray,
    ignored: pa.ChunkedArray,
    what: pa.ChunkedArray,
) -> pa.Array:
    """Return the cells of a release with estimates in withheld cells.

    ``what`` is 'ranges' to estimate ranges from letters, or 'letters' to estimate letters from
    ranges. ``ignored`` marks the letters, or the ranges, that are estimates themselves and must
    not be used.
    """
    rows = len(pr)
    lows = _matrix(low, rows).astype(np.float64)
    highs = _matrix(high, rows).astype(np.float64)
    levels = np.asarray(level.combine_chunks().fill_null(0)).astype(np.int64)
    for_ranges = rows > 0 and what[0].as_py() == "ranges"
    function = "estimate_withheld_ranges" if for_ranges else "estimate_withheld_words"
    letters, skip = _read_letters(pr, levels, function), _boolean_matrix(ignored, lows.shape)
    if for_ranges:
        usable_letters = np.where(skip, WITHHELD, letters).astype(np.uint8)
        ranges = estimate_withheld_ranges(Release(lows, highs, usable_letters, levels))
        new_lows, new_highs, estimated, consistent = ranges
        return _cells(new_lows, new_highs, _write_words(letters), estimated, consistent)
    usable_lows, usable_highs = np.where(skip, np.nan, lows), np.where(skip, np.nan, highs)
    release = Release(usable_lows, usable_highs, letters, levels)
    new_letters, estimated, consistent = estimate_letters(release)
    return _cells(lows, highs, _write_words(new_letters), estimated, consistent)
