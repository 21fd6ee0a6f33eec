"""The scores of a release under random queries."""

from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.workload import Plan, Published, Score, evaluate
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._series_arrays import matrix

SCORES = (
    "STRUCT(kind VARCHAR, queries BIGINT, precision DOUBLE, recall DOUBLE, "
    "relative_error DOUBLE, median_relative_error DOUBLE, undefined BIGINT)[]"
)


def as_dict(score: Score) -> dict[str, Any]:
    """Return a score as DuckDB takes it, with NULL where a measure does not apply."""
    fields = vars(score).items()
    return {key: None if value != value else value for key, value in fields}


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
    """Take the original series, the class of each (-1: suppressed) and the classes."""
    original, words = matrix(series, 0), pr[0].as_py() or []
    if not original.size or not words:
        return pa.array([[]], arrow_type(SCORES))
    published = Published(
        matrix(low, 0),
        matrix(high, 0),
        sax.letters_of(words),
        np.asarray(level[0].as_py(), dtype=np.int64),
        np.asarray(class_of[0].as_py(), dtype=np.int64),
    )
    asked = (queries, tolerance, selectivity, seed)
    plan = Plan(*(column[0].as_py() for column in asked))
    scores = [as_dict(score) for score in evaluate(original, published, plan)]
    return pa.array([scores], arrow_type(SCORES))
