"""Scores of a release of series: how well it answers random queries."""

from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.workload import Plan, Published, Score, evaluate
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._series_arrays import read_matrix

SCORES = (
    "STRUCT(kind VARCHAR, queries BIGINT, precision DOUBLE, recall DOUBLE, "
    "relative_error DOUBLE, median_relative_error DOUBLE, undefined BIGINT)[]"
)


def _without_nan(score: Score) -> dict[str, Any]:
    """Return the fields of a score, with None instead of NaN."""
    return {name: None if value != value else value for name, value in vars(score).items()}


@arrow_function(
    parameters=[
        *("DOUBLE[][]", "BIGINT[]", "DOUBLE[][]", "DOUBLE[][]", "VARCHAR[]", "INTEGER[]"),
        *("BIGINT", "DOUBLE", "DOUBLE", "BIGINT"),
    ],
    returns=SCORES,
    null_handling=SPECIAL,
    side_effects=False,
)
def evaluate_workload(
    series: pa.ChunkedArray,
    class_of: pa.ChunkedArray,
    low: pa.ChunkedArray,
    high: pa.ChunkedArray,
    pr: pa.ChunkedArray,
    level: pa.ChunkedArray,
    queries: pa.ChunkedArray,
    tolerance: pa.ChunkedArray,
    selectivity: pa.ChunkedArray,
    seed: pa.ChunkedArray,
) -> pa.Array:
    """Return one score for each kind of query.

    Every argument has one row. ``series`` lists the original series, ``class_of`` the class of
    each, -1 if it is suppressed. ``low``, ``high``, ``pr`` and ``level`` list the bounds, the word
    and the level of each class.
    """
    original, words = read_matrix(series, 0), pr[0].as_py() or []
    if not original.size or not words:
        return pa.array([[]], arrow_type(SCORES))
    published = Published(
        read_matrix(low, 0),
        read_matrix(high, 0),
        sax.letters_of(words),
        np.asarray(level[0].as_py(), dtype=np.int64),
        np.asarray(class_of[0].as_py(), dtype=np.int64),
    )
    plan = Plan(*(column[0].as_py() for column in (queries, tolerance, selectivity, seed)))
    scores = [_without_nan(score) for score in evaluate(original, published, plan)]
    return pa.array([scores], arrow_type(SCORES))
