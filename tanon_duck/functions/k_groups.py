"""Conventional k-anonymous groups of a whole set of series."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp import release
from tanon_duck.functions import arrow_function
from tanon_duck.series_arrays import matrix, rows_of_boxes

ROW = pa.struct(
    [
        ("k_group", pa.int64()),
        ("low", pa.list_(pa.float64())),
        ("high", pa.list_(pa.float64())),
    ]
)


@arrow_function(
    parameters=["DOUBLE[][]", "BIGINT", "VARCHAR"],
    returns="STRUCT(k_group BIGINT, low DOUBLE[], high DOUBLE[])[]",
    null_handling=DEFAULT,
    side_effects=False,
)
def k_groups(series: pa.ChunkedArray, k: pa.ChunkedArray, method: pa.ChunkedArray) -> pa.Array:
    """Group each list of series by value."""
    options = zip(k.to_pylist(), method.to_pylist(), strict=True)
    answers = [_groups(matrix(series, call), *given) for call, given in enumerate(options)]
    offsets = np.cumsum([0, *map(len, answers)])
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.concat_arrays([pa.array([], ROW), *answers])
    )


def _groups(
    series: np.ndarray[tuple[int, int], np.dtype[np.float64]], k: int, method: str
) -> pa.Array:
    group, low, high = release.k_groups(series, k, method)
    return pa.StructArray.from_arrays(
        [pa.array(group + 1), rows_of_boxes(low, group), rows_of_boxes(high, group)],
        fields=list(ROW),
    )
