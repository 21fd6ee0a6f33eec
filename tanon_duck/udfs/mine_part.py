"""The itemsets whose rarest item belongs to one part of the items.

Calls on several shards divide the items into parts, so that each part is mined by itself.
"""

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets import parts as algorithm
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    errors_with_item_texts,
    integers,
    lists_of_structs,
    lists_without_padding,
    or_unbounded,
)

PART = (
    'STRUCT("function" VARCHAR, sought VARCHAR, ranks INTEGER[][], copies BIGINT[], '
    '"first" INTEGER, own BIGINT, is_common BOOLEAN, min_count BIGINT, max_length INTEGER)'
)
ITEMSET = "STRUCT(codes INTEGER[], support BIGINT)"


@arrow_function(
    parameters=[PART], returns=f"{ITEMSET}[]", null_handling=SPECIAL, side_effects=False
)
def mine_part(parts: pa.ChunkedArray) -> pa.Array:
    """Return one list of itemsets for each part; they name items by rank, from 1.

    ``is_common`` marks the part with the most frequent items, which has a method of its own.
    """
    itemsets_of_parts = []
    for call in pa.chunked_array(parts).combine_chunks():
        rows = call["ranks"].values
        part = algorithm.Part(
            integers(rows.value_lengths()),
            integers(rows.flatten()),
            integers(call["copies"].values),
            call["first"].as_py(),
            call["own"].as_py(),
        )
        max_length = or_unbounded(call["max_length"].as_py())
        goal = algorithm.goal_of(call["sought"].as_py(), call["min_count"].as_py(), max_length)
        mine = algorithm.mine_common if call["is_common"].as_py() else algorithm.mine_part
        with errors_with_item_texts(call["function"].as_py(), ()):
            ranks, supports = mine(part, goal)
        itemsets_of_parts.append(
            (lists_without_padding(np.sort(ranks, axis=1)), pa.array(supports, pa.int64()))
        )
    return lists_of_structs(itemsets_of_parts, ITEMSET)
