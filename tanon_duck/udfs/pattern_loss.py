"""How much of the pattern of each series its SAX word loses."""

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import (
    read_integers,
    read_series,
    read_words,
    require_letters_of_level,
    rows_with_equal_numbers,
)


@arrow_function(
    parameters=["DOUBLE[]", "VARCHAR", "INTEGER"],
    returns="DOUBLE",
    null_handling=SPECIAL,
    side_effects=False,
)
def pattern_loss(series: pa.ChunkedArray, pr: pa.ChunkedArray, level: pa.ChunkedArray) -> pa.Array:
    """Return the loss of each series against its word ``pr`` at its level, NULL if one is NULL."""
    readings, words = read_series(series, "series_pattern_loss"), read_words(pr)
    levels, no_level = read_integers(
        level, "series_pattern_loss", "level", 1, algorithm.HIGHEST_LEVEL
    )
    null = readings.null | words.null | no_level
    losses = np.zeros(null.size)
    groups = rows_with_equal_numbers(null, readings.lengths, words.lengths, levels)
    for rows, (n_readings, n_letters, rows_level) in groups:
        if n_readings != n_letters:
            allowed = "one letter for each reading"
            got = f"{n_letters} letters for {n_readings} readings"
            raise TanonError(must_be("series_pattern_loss", "word", allowed, got))
        letters = words.matrix(rows, n_letters)
        require_letters_of_level(letters, rows_level, "series_pattern_loss")
        matrix = readings.matrix(rows, n_readings)
        losses[rows] = algorithm.pattern_loss(matrix, letters, rows_level)
    return pa.array(losses, mask=null)
