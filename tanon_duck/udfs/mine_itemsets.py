"""Frequent, closed or maximal itemsets of encoded transactions."""

import numpy as np
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
    asked,
    itemset_codes,
    lists_of_structs,
    told,
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
    """The itemsets of each call."""
    parts = []
    for call, wanted in zip(asked(transactions), kind.to_pylist(), strict=True):
        with told(call.function, call.texts):
            found = _MINERS[wanted](call.transactions, call.min_count, call.max_length)
        supports = np.concatenate([np.empty(0, np.int64), *found.supports])
        parts.append((itemset_codes(found), pa.array(supports, pa.int64())))
    return lists_of_structs(parts, ITEMSET)
