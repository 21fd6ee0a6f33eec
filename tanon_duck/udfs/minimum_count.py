"""The least count that is a share of so many."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.itemsets.mining import minimum_count as least
from tanon_duck.udfs import arrow_function


@arrow_function(
    parameters=["DOUBLE", "BIGINT"], returns="BIGINT", null_handling=DEFAULT, side_effects=False
)
def minimum_count(share: pa.ChunkedArray, rows: pa.ChunkedArray) -> pa.Array:
    """As one machine has it."""
    pairs = zip(share.to_pylist(), rows.to_pylist(), strict=True)
    return pa.array([least(part, whole) for part, whole in pairs], pa.int64())
