"""How much of the pattern of each series its word loses."""

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import (
    alike,
    check_letters,
    integer_column,
    series_column,
    word_column,
)


@arrow_function(
    parameters=["DOUBLE[]", "VARCHAR", "INTEGER"],
    returns="DOUBLE",
    null_handling=SPECIAL,
    side_effects=False,
)
def pattern_loss(series: pa.ChunkedArray, pr: pa.ChunkedArray, level: pa.ChunkedArray) -> pa.Array:
    """Compare each series with the word published for it."""
    own, words = series_column(series, "series_pattern_loss"), word_column(pr)
    levels, no_level = integer_column(
        level, "series_pattern_loss", "level", 1, algorithm.HIGHEST_LEVEL
    )
    null = own.null | words.null | no_level
    losses = np.zeros(null.size)
    for rows, (points, letters_given, at) in alike(null, own.lengths, words.lengths, levels):
        if points != letters_given:
            allowed = "one letter for each reading"
            got = f"{letters_given} letters for {points} readings"
            raise TanonError(must_be("series_pattern_loss", "pr", allowed, got))
        letters = words.block(rows, points)
        check_letters(letters, at, "series_pattern_loss")
        losses[rows] = algorithm.pattern_loss(own.block(rows, points), letters, at)
    return pa.array(losses, mask=null)
