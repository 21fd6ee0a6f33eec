"""Groups of at least k series with similar values, and the envelope of each group.

The envelope of a group is the lowest and the highest value at each position.
"""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp import release
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_array, struct_array
from tanon_duck.udfs._series_arrays import bounds_of_groups, read_matrix

ENVELOPE = "STRUCT(low DOUBLE[], high DOUBLE[])"
RELEASE = f"STRUCT(found BIGINT[], envelopes {ENVELOPE}[])"


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
    """Return for each list of series the group of each series, from 1, and all envelopes."""
    options = zip(k.to_pylist(), method.to_pylist(), scale.to_pylist(), strict=True)
    groups, envelopes = [], []
    for row, (row_k, row_method, row_scale) in enumerate(options):
        found = release.k_groups(read_matrix(series, row), row_k, row_method, row_scale)
        groups.append(pa.array(found.group + 1))
        envelopes.append(envelope_structs(found.low, found.high))
    return struct_array([list_array(groups, "BIGINT"), list_array(envelopes, ENVELOPE)], RELEASE)


def envelope_structs(
    low: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    high: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> pa.Array:
    """Return one struct ENVELOPE for each row of the two matrices.

    Adding 0.0 turns -0.0 into 0.0, so that equal envelopes also look equal.
    """
    every_group = np.arange(low.shape[0])
    bounds = [bounds_of_groups(matrix + 0.0, every_group) for matrix in (low, high)]
    return struct_array(bounds, ENVELOPE)
