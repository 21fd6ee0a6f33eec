"""The SAX word of each series."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import (
    ColumnBuilder,
    read_integers,
    read_series,
    rows_with_equal_numbers,
)

LARGEST_INTEGER = 2**31 - 1


@arrow_function(
    parameters=["DOUBLE[]", "INTEGER", "INTEGER"],
    returns="VARCHAR",
    null_handling=SPECIAL,
    side_effects=False,
)
def sax(series: pa.ChunkedArray, level: pa.ChunkedArray, segments: pa.ChunkedArray) -> pa.Array:
    """Return the word of each series at its level, with one letter for each segment.

    If ``segments`` is NULL, the word has one letter for each reading.
    """
    readings = read_series(series, "sax")
    levels, no_level = read_integers(level, "sax", "level", 2, algorithm.HIGHEST_LEVEL)
    n_segments, no_segments = read_integers(segments, "sax", "segments", 1, LARGEST_INTEGER)
    n_segments[no_segments] = 0
    words = ColumnBuilder(readings.null.size)
    null = readings.null | no_level
    groups = rows_with_equal_numbers(null, readings.lengths, levels, n_segments)
    for rows, (n_readings, rows_level, rows_segments) in groups:
        if rows_segments > n_readings:
            allowed = f"at most the {n_readings} readings of a series"
            raise TanonError(must_be("sax", "segments", allowed, rows_segments))
        matrix = readings.matrix(rows, n_readings)
        words.add(rows, algorithm.letters(matrix, rows_level, rows_segments or None))
    return words.words()
