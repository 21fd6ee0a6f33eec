"""Frequent itemsets of transactions with supports that open no inference channel."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets import sanitize as algorithm
from tanon_duck.algorithms.itemsets.summary import warning_of
from tanon_duck.errors import warn
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    KEY,
    TRANSACTIONS,
    copies_by_key,
    errors_with_item_texts,
    lists_of_structs,
    sanitized_columns,
    transaction_calls,
)

ITEMSET = "STRUCT(codes INTEGER[], original_support BIGINT, support BIGINT)"


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT", "VARCHAR", KEY],
    returns=f"{ITEMSET}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def sanitize(
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    method: pa.ChunkedArray,
    keys: pa.ChunkedArray,
) -> pa.Array:
    """Return one list of itemsets for each call, and warn if supports changed a lot."""
    itemsets_of_calls = []
    options = (column.to_pylist() for column in (k, method, keys))
    for call, call_k, call_method, key in zip(
        transaction_calls(transactions), *options, strict=True
    ):
        with errors_with_item_texts(call.function, call.texts):
            result = algorithm.sanitize(
                call.transactions,
                call.min_count,
                call_k,
                call_method,
                call.max_length,
                copies_by_key(call, call_k, key),
            )
        if warning := warning_of(call.transactions.n_rows, result):
            warn(f"{call.function}: {warning}")
        itemsets_of_calls.append(sanitized_columns(result))
    return lists_of_structs(itemsets_of_calls, ITEMSET)
