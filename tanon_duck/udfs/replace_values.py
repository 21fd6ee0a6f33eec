"""Sensitive values of a whole release replaced by those that a table allows."""

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import diversify
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function


def _codes(texts: list[str | None], pairs: list[dict[str, Any]]) -> dict[str | None, int]:
    """Number all values in an order of their own, NULL first."""
    known = {*texts, *(p["value"] for p in pairs), *(p["replacement"] for p in pairs)}
    return {text: i for i, text in enumerate(sorted(known, key=lambda t: (t is not None, t or "")))}


@arrow_function(
    parameters=[
        *("BIGINT[]", "VARCHAR[]", "VARCHAR[]", "BIGINT"),
        'STRUCT("value" VARCHAR, replacement VARCHAR)[]',
    ],
    returns="VARCHAR[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def replace_values(
    classes: pa.ChunkedArray,
    values: pa.ChunkedArray,
    keys: pa.ChunkedArray,
    l: pa.ChunkedArray,  # noqa: E741 (the argument of the SQL function)
    replacements: pa.ChunkedArray,
) -> pa.Array:
    """Return the new value of each changed row, NULL for the others."""
    texts: list[str | None] = values[0].as_py() or []
    pairs: list[dict[str, Any]] = replacements[0].as_py() or []
    empty = sum(pair["replacement"] is None for pair in pairs)
    if empty:
        raise TanonError(
            must_be("publish_perturbed_series", "replacements", "free of NULL", f"{empty} NULL")
        )
    codes = _codes(texts, pairs)
    choices: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        choices[codes[pair["value"]]].append(codes[pair["replacement"]])
    try:
        published, changed = diversify.replace_values(
            np.array(classes[0].as_py() or [], dtype=np.int64),
            np.array([codes[text] for text in texts], dtype=np.int64),
            np.array(keys[0].as_py() or [], dtype=np.bytes_),
            l[0].as_py(),
            {value: sorted(set(allowed)) for value, allowed in choices.items()},
        )
    except ValueError as error:
        raise TanonError(f"tanon.publish_perturbed_series: {error}") from None
    names = list(codes)
    new = [names[code] if moved else None for code, moved in zip(published, changed, strict=True)]
    return pa.array([new], pa.list_(pa.string()))
