"""Groups, words and envelopes of a whole set of series."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.functions import arrow_function
from tanon_duck.series_arrays import Assembly, matrix, rows_of_boxes

ROW = pa.struct(
    [
        ("k_group", pa.int64()),
        ("p_group", pa.int64()),
        ("low", pa.list_(pa.float64())),
        ("high", pa.list_(pa.float64())),
        ("pr", pa.string()),
        ("level", pa.int32()),
        ("own_pattern", pa.bool_()),
    ]
)


@arrow_function(
    parameters=["DOUBLE[][]", "BIGINT", "BIGINT", "VARCHAR", "INTEGER", "VARCHAR", "BOOLEAN"],
    returns=(
        "STRUCT(k_group BIGINT, p_group BIGINT, low DOUBLE[], high DOUBLE[], pr VARCHAR, "
        '"level" INTEGER, own_pattern BOOLEAN)[]'
    ),
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
) -> pa.Array:
    """Group each list of series; a suppressed one gets groups NULL."""
    options = (k, p, algorithm, max_level, split, foreign_words)
    answers = [
        _release(matrix(series, call), *given)
        for call, given in enumerate(zip(*(o.to_pylist() for o in options), strict=True))
    ]
    offsets = np.cumsum([0, *map(len, answers)])
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.concat_arrays([pa.array([], ROW), *answers])
    )


def _release(
    series: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    k: int,
    p: int,
    algorithm: str,
    max_level: int,
    split: str,
    foreign_words: bool,
) -> pa.Array:
    """Write one release as Arrow rows."""
    found = kp_release(series, k, p, algorithm, max_level, split, foreign_words)
    gone = found.k_group < 0
    words = Assembly(gone.size)
    words.add(np.arange(gone.size), found.letters)
    return pa.StructArray.from_arrays(
        [
            pa.array(found.k_group + 1, mask=gone),
            pa.array(found.p_group + 1, mask=gone),
            rows_of_boxes(found.low, found.k_group),
            rows_of_boxes(found.high, found.k_group),
            words.words(),
            pa.array(found.level.astype(np.int32)),
            pa.array(found.own_pattern),
        ],
        fields=list(ROW),
    )
