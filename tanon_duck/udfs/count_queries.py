"""Random counting queries: true counts of the source, and estimates from releases.

``count_queries`` has these arguments, each with one row:

- ``attributes`` says how many rows of the source have each value of each attribute.
- ``cells`` has one list for each distinct row of the source: a value number for each attribute,
  then the number of rows. ``released`` has lists for the releases: value numbers, the number of
  rows, the number of the release.
- If ``moments`` is not empty, attribute 0 is the time: ``moments`` has the start of each of its
  values, ``unit`` the length of a value, and ``spans`` the start and end of each granule.
- ``members`` lists for each other attribute the values that each released value stands for, or is
  NULL for an attribute that was released without change.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.counting import Attribute, Cells, Times, Values, evaluate
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type

ANSWERS = "STRUCT(query BIGINT, release BIGINT, truth DOUBLE, estimate DOUBLE)[]"


def _matrix(column: pa.ChunkedArray, width: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the first row of a column, a list of lists of this length, as a matrix."""
    if column[0].values is None:
        return np.zeros((0, width))
    flat: np.ndarray[Any, np.dtype[Any]] = column[0].values.flatten().to_numpy()
    return flat.reshape(-1, width)


def _attributes(column: pa.ChunkedArray) -> list[Attribute]:
    """Return the attributes in the first row of a column."""
    return [
        Attribute(np.array(each["rows"], dtype=np.int64), each["is_ordered"], each["has_null"])
        for each in column[0].as_py() or []
    ]


def _generalizations(
    members: pa.ChunkedArray,
    moments: pa.ChunkedArray,
    unit: pa.ChunkedArray,
    spans: pa.ChunkedArray,
) -> list[Times | Values | None]:
    """Return for each attribute the original values that each of its released values stands for.

    None: the attribute was released without change. If there are ``moments``, attribute 0 is the
    time and its released values are the granules in ``spans``.
    """
    generalizations: list[Times | Values | None] = [
        None if each is None else Values(each) for each in members[0].as_py()
    ]
    starts = moments[0].as_py()
    if starts:
        granules = _matrix(spans, 2).astype(np.int64)
        generalizations[0] = Times(np.array(starts, dtype=np.int64), unit[0].as_py(), granules)
    return generalizations


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
    """Return the true count of each random query and the estimate from each release.

    The module docstring explains the arguments.
    """
    attribute_list = _attributes(attributes)
    width = len(attribute_list)
    source = _matrix(cells, width + 1).astype(np.int64)
    if not attribute_list or not len(source):
        return pa.array([[]], arrow_type(ANSWERS))
    release = _matrix(released, width + 2)
    truths, estimates = evaluate(
        attribute_list,
        Cells(source[:, :-1], source[:, -1].astype(np.float64)),
        Cells(release[:, :-2].astype(np.int64), release[:, -2], release[:, -1].astype(np.int64)),
        _generalizations(members, moments, unit, spans),
        releases[0].as_py(),
        int(queries[0].as_py()),
        seed[0].as_py(),
    )
    answers = [
        {"query": query, "release": number, "truth": truths[query], "estimate": estimate}
        for (query, number), estimate in np.ndenumerate(estimates)
    ]
    return pa.array([answers], arrow_type(ANSWERS))
