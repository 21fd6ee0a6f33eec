"""Ranges and letters for the withheld cells of a customized release."""

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
from tanon_duck.udfs._arrow import structs

CELLS = "STRUCT(low DOUBLE[], high DOUBLE[], pr VARCHAR, estimated BOOLEAN[], consistent BOOLEAN)"
DOT = ord(".")
LETTER_A = ord("a")


def _matrix(column: pa.ChunkedArray, rows: int) -> npt.NDArray[np.generic]:
    """Return lists of one length as a matrix, NaN where NULL."""
    flat = column.combine_chunks().flatten()
    return np.asarray(flat.to_numpy(zero_copy_only=False)).reshape(rows, -1)


def _flags(column: pa.ChunkedArray, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return lists of booleans as a matrix, all false where the list is empty."""
    lists = column.to_pylist()
    flags = np.zeros(shape, dtype=bool)
    for row, own in enumerate(lists):
        if own:
            flags[row] = own
    return flags


def _letters(
    words: pa.ChunkedArray, levels: npt.NDArray[np.int64], what: str
) -> npt.NDArray[np.uint8]:
    """Return the letters of words of one length (0 = 'a'), all of them letters of their level."""
    text = "".join(words.to_pylist()).encode("ascii", "replace")
    codes = np.frombuffer(text, dtype=np.uint8).reshape(levels.size, -1)
    beyond = np.where(levels > HIGHEST_LEVEL, 0, LETTER_A + levels)[:, None]
    wrong = (codes != DOT) & ((codes < LETTER_A) | (codes >= beyond))
    if wrong.any():
        function = f"estimate_{'ranges' if what == 'ranges' else 'patterns'}"
        got = f"{wrong.any(axis=1).sum()} words with others"
        raise TanonError(must_be(function, "customized", "words with letters of their level", got))
    return np.where(codes == DOT, WITHHELD, codes - np.uint8(LETTER_A)).astype(np.uint8)


def _words(found: npt.NDArray[np.uint8]) -> list[str]:
    """Write letters as words again."""
    codes = np.where(found == WITHHELD, DOT, found.astype(np.int64) + LETTER_A).astype(np.uint8)
    return [row.tobytes().decode("ascii") for row in codes]


def _lists(matrix: npt.NDArray[np.generic]) -> pa.Array:
    """Return a matrix as lists, NULL where NaN."""
    rows, width = matrix.shape
    values = pa.array(np.ascontiguousarray(matrix).ravel(), from_pandas=True)
    return pa.ListArray.from_arrays(np.arange(rows + 1, dtype=np.int32) * width, values)


def _struct(low: Any, high: Any, words: list[str], estimated: Any, consistent: Any) -> pa.Array:
    """Put the parts of the answer together."""
    parts = [_lists(low), _lists(high), pa.array(words, pa.string()), _lists(estimated)]
    return structs([*parts, pa.array(consistent, pa.bool_())], CELLS)


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
    """Estimate ranges or letters ('ranges', 'letters'), ignoring cells that are estimates already.

    Ignored are letters when ranges are estimated, and ranges when letters are.
    """
    rows = len(pr)
    lows = _matrix(low, rows).astype(np.float64)
    highs = _matrix(high, rows).astype(np.float64)
    levels = np.asarray(level.combine_chunks().fill_null(0)).astype(np.int64)
    wanted = what[0].as_py() if rows else ""
    found, skip = _letters(pr, levels, wanted), _flags(ignored, lows.shape)
    if wanted == "ranges":
        shown = np.where(skip, WITHHELD, found).astype(np.uint8)
        low_, high_, estimated, fits = estimate_withheld_ranges(Release(lows, highs, shown, levels))
        return _struct(low_, high_, _words(found), estimated, fits)
    lows_, highs_ = np.where(skip, np.nan, lows), np.where(skip, np.nan, highs)
    letters, estimated, fits = estimate_letters(Release(lows_, highs_, found, levels))
    return _struct(lows, highs, _words(letters), estimated, fits)
