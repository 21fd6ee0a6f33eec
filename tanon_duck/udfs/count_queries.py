"""Random counting queries: their answers, and what releases say of them."""

from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.counting import Attribute, Cells, Times, Values, evaluate
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type

ANSWERS = "STRUCT(query BIGINT, release BIGINT, truth DOUBLE, estimate DOUBLE)[]"


def _matrix(column: pa.ChunkedArray, width: int) -> np.ndarray[Any, np.dtype[Any]]:
    """The rows of a list of lists that all have this length."""
    if column[0].values is None:
        return np.zeros((0, width))
    flat: np.ndarray[Any, np.dtype[Any]] = column[0].values.flatten().to_numpy()
    return flat.reshape(-1, width)


def _attributes(attributes: pa.ChunkedArray) -> list[Attribute]:
    return [
        Attribute(np.array(each["rows"], dtype=np.int64), each["is_ordered"], each["has_null"])
        for each in attributes[0].as_py() or []
    ]


def _generalized(
    members: pa.ChunkedArray,
    moments: pa.ChunkedArray,
    unit: pa.ChunkedArray,
    spans: pa.ChunkedArray,
) -> list[Times | Values | None]:
    """What the released values of each attribute stand for."""
    found: list[Times | Values | None] = [
        None if each is None else Values(each) for each in members[0].as_py()
    ]
    at = moments[0].as_py()
    if at:
        granules = _matrix(spans, 2).astype(np.int64)
        found[0] = Times(np.array(at, dtype=np.int64), unit[0].as_py(), granules)
    return found


@arrow_function(
    parameters=[
        *("STRUCT(rows BIGINT[], is_ordered BOOLEAN, has_null BOOLEAN)[]", "BIGINT[]", "BIGINT"),
        *("BIGINT[][]", "BIGINT[][][]", "BIGINT[][]", "DOUBLE[][]", "BIGINT", "BIGINT", "BIGINT"),
    ],
    returns=ANSWERS,
    null_handling=SPECIAL,
    side_effects=False,
)
def count_queries(
    attributes: pa.ChunkedArray,
    moments: pa.ChunkedArray,
    unit: pa.ChunkedArray,
    cells: pa.ChunkedArray,
    members: pa.ChunkedArray,
    spans: pa.ChunkedArray,
    released: pa.ChunkedArray,
    releases: pa.ChunkedArray,
    queries: pa.ChunkedArray,
    seed: pa.ChunkedArray,
) -> pa.Array:
    """Take values and rows of each attribute, cells as codes and rows, and what is released.

    Cells end with their rows, released ones with their weight and the number of their release.
    Where there are moments the first attribute is the time, and spans are its granules; members
    are the values of each generalized one of the other attributes, NULL for those as they were.
    """
    known = _attributes(attributes)
    width, asked = len(known), int(queries[0].as_py())
    source = _matrix(cells, width + 1).astype(np.int64)
    if not known or not len(source):
        return pa.array([[]], arrow_type(ANSWERS))
    generalized = _generalized(members, moments, unit, spans)
    given = _matrix(released, width + 2)
    truths, estimates = evaluate(
        known,
        Cells(source[:, :-1], source[:, -1].astype(np.float64)),
        Cells(given[:, :-2].astype(np.int64), given[:, -2], given[:, -1].astype(np.int64)),
        generalized,
        releases[0].as_py(),
        asked,
        seed[0].as_py(),
    )
    answers = [
        {"query": query, "release": release, "truth": truths[query], "estimate": estimate}
        for (query, release), estimate in np.ndenumerate(estimates)
    ]
    return pa.array([answers], arrow_type(ANSWERS))
