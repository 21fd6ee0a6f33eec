"""Sensitive values of a release replaced by values that a table of replacements allows."""

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import replacements as algorithm
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function


def _number_values(texts: list[str | None], pairs: list[dict[str, Any]]) -> dict[str | None, int]:
    """Return a number for each value and each replacement, NULL first, then in text order."""
    values = {*texts, *(p["value"] for p in pairs), *(p["replacement"] for p in pairs)}
    ordered = sorted(values, key=lambda text: (text is not None, text or ""))
    return {text: number for number, text in enumerate(ordered)}


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
    """Return for each row of a release its new sensitive value, NULL if unchanged.

    Every argument has one row. ``classes``, ``values`` and ``keys`` list the class, the sensitive
    value and the random key of each row of the release.
    """
    texts: list[str | None] = values[0].as_py() or []
    pairs: list[dict[str, Any]] = replacements[0].as_py() or []
    nulls = sum(pair["replacement"] is None for pair in pairs)
    if nulls:
        raise TanonError(
            must_be("publish_perturbed_series", "replacements", "free of NULL", f"{nulls} NULL")
        )
    number_of = _number_values(texts, pairs)
    choices: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        choices[number_of[pair["value"]]].append(number_of[pair["replacement"]])
    try:
        published, changed = algorithm.replace_values(
            np.array(classes[0].as_py() or [], dtype=np.int64),
            np.array([number_of[text] for text in texts], dtype=np.int64),
            np.array(keys[0].as_py() or [], dtype=np.bytes_),
            l[0].as_py(),
            {value: sorted(set(allowed)) for value, allowed in choices.items()},
        )
    except ValueError as error:
        raise TanonError(f"tanon.publish_perturbed_series: {error}") from None
    text_of = list(number_of)
    new_values = [
        text_of[number] if is_changed else None
        for number, is_changed in zip(published, changed, strict=True)
    ]
    return pa.array([new_values], pa.list_(pa.string()))
