"""The normalized series that each word stands for."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import (
    Assembly,
    alike,
    check_letters,
    integer_column,
    word_column,
)


@arrow_function(
    parameters=["VARCHAR", "INTEGER"],
    returns="DOUBLE[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def sax_series(pr: pa.ChunkedArray, level: pa.ChunkedArray) -> pa.Array:
    """Return for each letter the middle of its share of the normal distribution."""
    words = word_column(pr)
    levels, no_level = integer_column(level, "sax_series", "level", 1, algorithm.HIGHEST_LEVEL)
    result = Assembly(words.null.size)
    for rows, (points, at) in alike(words.null | no_level, words.lengths, levels):
        letters = words.block(rows, points)
        check_letters(letters, at, "sax_series")
        result.add(rows, algorithm.reconstruct(letters, at))
    return result.lists()
