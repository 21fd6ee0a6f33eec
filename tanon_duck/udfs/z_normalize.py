"""Each series with mean 0 and standard deviation 1."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import sax as algorithm
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._series_arrays import ColumnBuilder, read_series, rows_with_equal_numbers


@arrow_function(
    parameters=["DOUBLE[]"], returns="DOUBLE[]", null_handling=SPECIAL, side_effects=False
)
def z_normalize(series: pa.ChunkedArray) -> pa.Array:
    """Return each series minus its mean, divided by its sample standard deviation."""
    readings = read_series(series, "z_normalize")
    normalized = ColumnBuilder(readings.null.size)
    for rows, (n_readings,) in rows_with_equal_numbers(readings.null, readings.lengths):
        normalized.add(rows, algorithm.z_normalize(readings.matrix(rows, n_readings)))
    return normalized.lists()
