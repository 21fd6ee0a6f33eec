"""The SAX word of each series."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import Assembly, alike, integer_column, series_column

MOST_SEGMENTS = 2**31 - 1


@arrow_function(
    parameters=["DOUBLE[]", "INTEGER", "INTEGER"],
    returns="VARCHAR",
    null_handling=SPECIAL,
    side_effects=False,
)
def sax(series: pa.ChunkedArray, level: pa.ChunkedArray, segments: pa.ChunkedArray) -> pa.Array:
    """Write each series as a word at its level; segments NULL: one letter for each reading."""
    own = series_column(series, "sax")
    levels, no_level = integer_column(level, "sax", "level", 2, algorithm.HIGHEST_LEVEL)
    means, no_means = integer_column(segments, "sax", "segments", 1, MOST_SEGMENTS)
    means[no_means] = 0
    result = Assembly(own.null.size)
    for rows, (points, at, count) in alike(own.null | no_level, own.lengths, levels, means):
        if count > points:
            allowed = f"at most the {points} readings of a series"
            raise TanonError(must_be("sax", "segments", allowed, count))
        block = own.block(rows, points)
        result.add(rows, algorithm.letters(block, at, count or None))
    return result.words()
