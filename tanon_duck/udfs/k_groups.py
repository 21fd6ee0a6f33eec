"""Conventional k-anonymous groups of a whole set of series."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp import release
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_column, structs
from tanon_duck.udfs._series_arrays import matrix, rows_of_boxes

ENVELOPE = "STRUCT(low DOUBLE[], high DOUBLE[])"
RELEASE = f"STRUCT(found BIGINT[], envelopes {ENVELOPE}[])"
_PARTS = ("BIGINT", ENVELOPE)


@arrow_function(
    parameters=["DOUBLE[][]", "BIGINT", "VARCHAR", "VARCHAR"],
    returns=RELEASE,
    null_handling=DEFAULT,
    side_effects=False,
)
def k_groups(
    series: pa.ChunkedArray,
    k: pa.ChunkedArray,
    method: pa.ChunkedArray,
    scale: pa.ChunkedArray,
) -> pa.Array:
    """Group each list of series by value."""
    options = zip(k.to_pylist(), method.to_pylist(), scale.to_pylist(), strict=True)
    answers = [_groups(matrix(series, call), *given) for call, given in enumerate(options)]
    parts = [list_column([a[i] for a in answers], kind) for i, kind in enumerate(_PARTS)]
    return structs(parts, RELEASE)


def _groups(
    series: np.ndarray[tuple[int, int], np.dtype[np.float64]], k: int, method: str, scale: str
) -> tuple[pa.Array, pa.Array]:
    """Write the group of each row and the envelope of each group."""
    group, low, high = release.k_groups(series, k, method, scale)
    every = np.arange(low.shape[0])
    # Minus zero leaves as zero: envelopes that are equal look alike.
    boxes = [rows_of_boxes(box + 0.0, every) for box in (low, high)]
    return pa.array(group + 1), structs(boxes, ENVELOPE)
