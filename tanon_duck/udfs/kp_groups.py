"""The (k,P)-anonymous release of series: groups, words and envelopes.

A k-group has at least k series and an envelope, the lowest and highest value at each position. A
P-group is the series of a k-group with equal words.
"""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp.release import Release, kp_release
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_array, struct_array
from tanon_duck.udfs._series_arrays import ColumnBuilder, read_matrix
from tanon_duck.udfs.k_groups import ENVELOPE, envelope_structs

ROW = 'STRUCT(k_group BIGINT, p_group BIGINT, word VARCHAR, "level" INTEGER, own_pattern BOOLEAN)'
# One envelope for each k-group instead of each row saves most of the memory.
RELEASE = f"STRUCT(found {ROW}[], envelopes {ENVELOPE}[])"


@arrow_function(
    parameters=[
        *("DOUBLE[][]", "BIGINT", "BIGINT", "VARCHAR", "INTEGER"),
        *("VARCHAR", "BOOLEAN", "VARCHAR"),
    ],
    returns=RELEASE,
    null_handling=DEFAULT,
    side_effects=False,
)
def kp_groups(
    series: pa.ChunkedArray,
    k: pa.ChunkedArray,
    p: pa.ChunkedArray,
    algorithm: pa.ChunkedArray,
    max_level: pa.ChunkedArray,
    split: pa.ChunkedArray,
    foreign_words: pa.ChunkedArray,
    scale: pa.ChunkedArray,
) -> pa.Array:
    """Return for each list of series its release; a suppressed series has NULL groups."""
    options = (k, p, algorithm, max_level, split, foreign_words, scale)
    rows, envelopes = [], []
    for call, arguments in enumerate(zip(*(o.to_pylist() for o in options), strict=True)):
        release = kp_release(read_matrix(series, call), *arguments)
        rows.append(_row_structs(release))
        envelopes.append(envelope_structs(release.low, release.high))
    return struct_array([list_array(rows, ROW), list_array(envelopes, ENVELOPE)], RELEASE)


def _row_structs(release: Release) -> pa.Array:
    """Return one struct ROW for each series of a release."""
    suppressed = release.k_group < 0
    words = ColumnBuilder(suppressed.size)
    words.add(np.arange(suppressed.size), release.letters)
    columns = [
        pa.array(release.k_group + 1, mask=suppressed),
        pa.array(release.p_group + 1, mask=suppressed),
        words.words(),
        pa.array(release.level.astype(np.int32)),
        pa.array(release.own_pattern),
    ]
    return struct_array(columns, ROW)
