"""Groups, words and envelopes of a whole set of series."""

import numpy as np
import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_column, structs
from tanon_duck.udfs._series_arrays import Assembly, matrix, rows_of_boxes
from tanon_duck.udfs.k_groups import ENVELOPE

ROW = 'STRUCT(k_group BIGINT, p_group BIGINT, pr VARCHAR, "level" INTEGER, own_pattern BOOLEAN)'
# Envelopes come once for each k-group: repeated for each row they would be most of the memory.
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
    """Group each list of series; a suppressed one gets groups NULL."""
    options = (k, p, algorithm, max_level, split, foreign_words, scale)
    answers = [
        _release(matrix(series, call), *given)
        for call, given in enumerate(zip(*(o.to_pylist() for o in options), strict=True))
    ]
    parts = [list_column([a[i] for a in answers], kind) for i, kind in enumerate((ROW, ENVELOPE))]
    return structs(parts, RELEASE)


def _release(
    series: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    k: int,
    p: int,
    algorithm: str,
    max_level: int,
    split: str,
    foreign_words: bool,
    scale: str,
) -> tuple[pa.Array, pa.Array]:
    """Write the rows and the envelopes of one release."""
    release = kp_release(series, k, p, algorithm, max_level, split, foreign_words, scale)
    gone = release.k_group < 0
    words = Assembly(gone.size)
    words.add(np.arange(gone.size), release.letters)
    rows = [
        pa.array(release.k_group + 1, mask=gone),
        pa.array(release.p_group + 1, mask=gone),
        words.words(),
        pa.array(release.level.astype(np.int32)),
        pa.array(release.own_pattern),
    ]
    every = np.arange(release.low.shape[0])
    # Minus zero leaves as zero: envelopes that are equal look alike.
    boxes = [rows_of_boxes(box + 0.0, every) for box in (release.low, release.high)]
    return structs(rows, ROW), structs(boxes, ENVELOPE)
