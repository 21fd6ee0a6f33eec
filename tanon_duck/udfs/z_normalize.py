"""Each series with mean 0 and standard deviation 1."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import Assembly, alike, series_column


@arrow_function(
    parameters=["DOUBLE[]"], returns="DOUBLE[]", null_handling=SPECIAL, side_effects=False
)
def z_normalize(series: pa.ChunkedArray) -> pa.Array:
    """Normalize each series by its own mean and sample standard deviation."""
    own = series_column(series, "z_normalize")
    result = Assembly(own.null.size)
    for rows, (points,) in alike(own.null, own.lengths):
        result.add(rows, algorithm.z_normalize(own.block(rows, points)))
    return result.lists()
