"""The smallest count of rows that is at least a given share of all rows."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.itemsets.mining import minimum_count as minimum_count_of_share
from tanon_duck.udfs import arrow_function


@arrow_function(
    parameters=["DOUBLE", "BIGINT"], returns="BIGINT", null_handling=DEFAULT, side_effects=False
)
def minimum_count(share: pa.ChunkedArray, rows: pa.ChunkedArray) -> pa.Array:
    """Return for each share and number of rows the minimum count, for example 3 for 0.05 of 50.

    Shards call this function, so that they round exactly as the same call without shards does.
    """
    pairs = zip(share.to_pylist(), rows.to_pylist(), strict=True)
    return pa.array([minimum_count_of_share(part, n) for part, n in pairs], pa.int64())
