"""One collection of itemsets from the itemsets that ``mine_part`` found in each part of items."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.goal import Found
from tanon_duck.algorithms.itemsets.parts import goal_of, merged
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    errors_with_item_texts,
    integers,
    itemset_lists,
    lists_of_structs,
    or_unbounded,
    padded_itemsets,
    supports_column,
)

ITEMSET = "STRUCT(codes INTEGER[], support BIGINT)"
PARTS = (
    f'STRUCT("function" VARCHAR, sought VARCHAR, "sets" {ITEMSET}[], codes INTEGER[], '
    "n_rows BIGINT, min_count BIGINT, max_length INTEGER)"
)


@arrow_function(
    parameters=[PARTS], returns=f"{ITEMSET}[]", null_handling=SPECIAL, side_effects=False
)
def merge_parts(calls: pa.ChunkedArray) -> pa.Array:
    """Return one list of itemsets for each call.

    The itemsets of the parts ("sets") name items by rank, the rarest item first. ``codes`` has the
    number of the item of each rank. The result names items by these numbers.
    """
    itemsets_of_calls = []
    for call in pa.chunked_array(calls).combine_chunks():
        kind, max_length = call["sought"].as_py(), or_unbounded(call["max_length"].as_py())
        goal = goal_of(kind, call["min_count"].as_py(), max_length)
        item_of_rank = integers(call["codes"].values) - 1
        found = Found(*padded_itemsets(call["sets"].values))
        n_rows, n_items = call["n_rows"].as_py(), item_of_rank.size
        with errors_with_item_texts(call["function"].as_py(), ()):
            itemsets = merged(n_rows, item_of_rank, found, kind, goal, n_items)
        itemsets_of_calls.append((itemset_lists(itemsets), supports_column(itemsets.supports)))
    return lists_of_structs(itemsets_of_calls, ITEMSET)
