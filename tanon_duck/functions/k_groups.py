"""Conventional k-anonymous groups of a whole set of series."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp import release
from tanon_duck.functions import arrow_function
from tanon_duck.series_arrays import matrix, rows_of_boxes

ENVELOPE = pa.struct([("low", pa.list_(pa.float64())), ("high", pa.list_(pa.float64()))])
RELEASE = pa.struct([("found", pa.list_(pa.int64())), ("envelopes", pa.list_(ENVELOPE))])


@arrow_function(
    parameters=["DOUBLE[][]", "BIGINT", "VARCHAR"],
    returns="STRUCT(found BIGINT[], envelopes STRUCT(low DOUBLE[], high DOUBLE[])[])",
    null_handling=DEFAULT,
    side_effects=False,
)
def k_groups(series: pa.ChunkedArray, k: pa.ChunkedArray, method: pa.ChunkedArray) -> pa.Array:
    """Group each list of series by value."""
    options = zip(k.to_pylist(), method.to_pylist(), strict=True)
    answers = [_groups(matrix(series, call), *given) for call, given in enumerate(options)]
    kinds = (pa.int64(), ENVELOPE)
    parts = [_lists([a[i] for a in answers], kind) for i, kind in enumerate(kinds)]
    return pa.StructArray.from_arrays(parts, fields=list(RELEASE))


def _lists(answers: list[pa.Array], kind: pa.DataType) -> pa.Array:
    """Put one list of each call into a column."""
    offsets = np.cumsum([0, *map(len, answers)])
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.concat_arrays([pa.array([], kind), *answers])
    )


def _groups(
    series: np.ndarray[tuple[int, int], np.dtype[np.float64]], k: int, method: str
) -> tuple[pa.Array, pa.Array]:
    """Write the group of each row and the envelope of each group."""
    group, low, high = release.k_groups(series, k, method)
    every = np.arange(low.shape[0])
    # Minus zero leaves as zero: envelopes that are equal look alike.
    boxes = [rows_of_boxes(box + 0.0, every) for box in (low, high)]
    return pa.array(group + 1), pa.StructArray.from_arrays(boxes, fields=list(ENVELOPE))
