"""Frequent, closed or maximal itemsets of transactions."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.mining import (
    closed_itemsets,
    frequent_itemsets,
    maximal_itemsets,
)
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    TRANSACTIONS,
    errors_with_item_texts,
    itemset_lists,
    lists_of_structs,
    supports_column,
    transaction_calls,
)

ITEMSET = "STRUCT(codes INTEGER[], support BIGINT)"
_MINERS = {
    "frequent": frequent_itemsets,
    "closed": closed_itemsets,
    "maximal": maximal_itemsets,
}


@arrow_function(
    parameters=[TRANSACTIONS, "VARCHAR"],
    returns=f"{ITEMSET}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def mine_itemsets(transactions: pa.ChunkedArray, kind: pa.ChunkedArray) -> pa.Array:
    """Return one list of itemsets for each call; ``kind`` is a key of ``_MINERS``."""
    itemsets_of_calls = []
    for call, call_kind in zip(transaction_calls(transactions), kind.to_pylist(), strict=True):
        with errors_with_item_texts(call.function, call.texts):
            itemsets = _MINERS[call_kind](call.transactions, call.min_count, call.max_length)
        itemsets_of_calls.append((itemset_lists(itemsets), supports_column(itemsets.supports)))
    return lists_of_structs(itemsets_of_calls, ITEMSET)
