"""Sanitized supports of itemsets whose transactions lie elsewhere, and what that changed."""

from dataclasses import asdict

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import sanitize_collection as sanitized
from tanon_duck.algorithms.itemsets.summary import compared, warning_of
from tanon_duck.errors import warn
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type, structs
from tanon_duck.udfs._itemset_arrays import (
    COLLECTION,
    DRAW,
    draw_of,
    given,
    lists_of_structs,
    sanitized_columns,
    told,
)
from tanon_duck.udfs.sanitize import ITEMSET
from tanon_duck.udfs.summarize_sanitization import SUMMARY

RESULT = f"STRUCT(itemsets {ITEMSET}[], summary {SUMMARY})"


@arrow_function(
    parameters=[COLLECTION, "BIGINT", "BIGINT", "BOOLEAN", DRAW],
    returns=RESULT,
    null_handling=SPECIAL,
    side_effects=False,
)
def sanitize_collection(
    collection: pa.ChunkedArray,
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    warns: pa.ChunkedArray,
    draw: pa.ChunkedArray,
) -> pa.Array:
    """What each call gives by the method 'additive', which looks at no transaction."""
    itemsets, summaries = [], []
    columns = (column.to_pylist() for column in (transactions, k, warns, draw))
    for call, n_rows, least, is_told, key in zip(given(collection), *columns, strict=True):
        with told(call.function, call.texts):
            result = sanitized(call.collection, n_rows, least, draw_of(call, least, key))
        warning = warning_of(n_rows, result)
        if warning and is_told:
            warn(f"{call.function}: {warning}")
        itemsets.append(sanitized_columns(result))
        summary = asdict(compared(n_rows, result, result.original))
        summaries.append(summary | {"warning": warning})
    both = [lists_of_structs(itemsets, ITEMSET), pa.array(summaries, arrow_type(SUMMARY))]
    return structs(both, RESULT)
