"""How much the sanitization of transactions changes supports, in one row of figures."""

from dataclasses import asdict

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import sanitize
from tanon_duck.algorithms.itemsets.summary import summarize, warning_of
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._itemset_arrays import (
    KEY,
    TRANSACTIONS,
    copies_by_key,
    errors_with_item_texts,
    transaction_calls,
)

SUMMARY = (
    "STRUCT(transactions BIGINT, rows_added BIGINT, rows_removed BIGINT, itemsets BIGINT, "
    "share_touched DOUBLE, mean_change DOUBLE, worst_change DOUBLE, itemsets_lost BIGINT, "
    "itemsets_spurious BIGINT, warning VARCHAR)"
)


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT", "VARCHAR", KEY],
    returns=SUMMARY,
    null_handling=SPECIAL,
    side_effects=False,
)
def summarize_sanitization(
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    method: pa.ChunkedArray,
    keys: pa.ChunkedArray,
) -> pa.Array:
    """Return the figures of each call as one struct."""
    summaries = []
    options = (column.to_pylist() for column in (k, method, keys))
    for call, call_k, call_method, key in zip(
        transaction_calls(transactions), *options, strict=True
    ):
        with errors_with_item_texts(call.function, call.texts):
            result = sanitize(
                call.transactions,
                call.min_count,
                call_k,
                call_method,
                call.max_length,
                copies_by_key(call, call_k, key),
            )
            summary = summarize(call.transactions, result, call.min_count, call.max_length)
        summaries.append(asdict(summary) | {"warning": warning_of(summary.transactions, result)})
    return pa.array(summaries, arrow_type(SUMMARY))
