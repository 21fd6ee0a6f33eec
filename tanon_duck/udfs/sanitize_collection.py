"""Sanitized supports of an itemset collection that comes without its transactions."""

from dataclasses import asdict

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets import sanitize as algorithm
from tanon_duck.algorithms.itemsets.summary import compared, warning_of
from tanon_duck.errors import warn
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type, struct_array
from tanon_duck.udfs._itemset_arrays import (
    COLLECTION,
    KEY,
    collection_calls,
    copies_by_key,
    errors_with_item_texts,
    lists_of_structs,
    sanitized_columns,
)
from tanon_duck.udfs.sanitize import ITEMSET
from tanon_duck.udfs.summarize_sanitization import SUMMARY

RESULT = f"STRUCT(itemsets {ITEMSET}[], summary {SUMMARY})"


@arrow_function(
    parameters=[COLLECTION, "BIGINT", "BIGINT", "BOOLEAN", KEY],
    returns=RESULT,
    null_handling=SPECIAL,
    side_effects=False,
)
def sanitize_collection(
    collection: pa.ChunkedArray,
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    warns: pa.ChunkedArray,
    keys: pa.ChunkedArray,
) -> pa.Array:
    """Return for each call the sanitized itemsets and a summary of the changes.

    The method is always 'additive', the only one that needs no transactions. ``transactions`` is
    their number. If ``warns``, a large change of supports raises a Python warning.
    """
    itemsets, summaries = [], []
    options = (column.to_pylist() for column in (transactions, k, warns, keys))
    for call, n_rows, call_k, call_warns, key in zip(
        collection_calls(collection), *options, strict=True
    ):
        copies = copies_by_key(call, call_k, key)
        with errors_with_item_texts(call.function, call.texts):
            result = algorithm.sanitize_collection(call.collection, n_rows, call_k, copies)
        warning = warning_of(n_rows, result)
        if warning and call_warns:
            warn(f"{call.function}: {warning}")
        itemsets.append(sanitized_columns(result))
        summary = asdict(compared(n_rows, result, result.original))
        summaries.append(summary | {"warning": warning})
    columns = [lists_of_structs(itemsets, ITEMSET), pa.array(summaries, arrow_type(SUMMARY))]
    return struct_array(columns, RESULT)
