"""The normalized series that each SAX word stands for."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import (
    ColumnBuilder,
    read_integers,
    read_words,
    require_letters_of_level,
    rows_with_equal_numbers,
)


@arrow_function(
    parameters=["VARCHAR", "INTEGER"],
    returns="DOUBLE[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def sax_series(pr: pa.ChunkedArray, level: pa.ChunkedArray) -> pa.Array:
    """Return one number for each letter: the middle of its share of the normal distribution."""
    words = read_words(pr)
    levels, no_level = read_integers(level, "sax_series", "level", 1, algorithm.HIGHEST_LEVEL)
    series = ColumnBuilder(words.null.size)
    groups = rows_with_equal_numbers(words.null | no_level, words.lengths, levels)
    for rows, (n_letters, rows_level) in groups:
        letters = words.matrix(rows, n_letters)
        require_letters_of_level(letters, rows_level, "sax_series")
        series.add(rows, algorithm.reconstruct(letters, rows_level))
    return series.lists()
