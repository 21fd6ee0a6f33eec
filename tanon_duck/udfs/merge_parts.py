"""The itemsets of all parts of the items put together."""

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.mining import UNBOUNDED
from tanon_duck.algorithms.itemsets.parts import goal_of, merged
from tanon_duck.algorithms.itemsets.search import Found
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    integers,
    itemset_codes,
    lists_of_structs,
    padded_sets,
    told,
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
    """The itemsets of each call, by the codes of their items, which are given by rank."""
    parts = []
    for call in pa.chunked_array(calls).combine_chunks():
        longest, kind = call["max_length"].as_py(), call["sought"].as_py()
        goal = goal_of(kind, call["min_count"].as_py(), UNBOUNDED if longest is None else longest)
        items = integers(call["codes"].values) - 1
        found = Found(*padded_sets(call["sets"].values))
        with told(call["function"].as_py(), ()):
            whole = merged(call["n_rows"].as_py(), items, found, kind, goal, items.size)
        supports = np.concatenate([np.empty(0, np.int64), *whole.supports])
        parts.append((itemset_codes(whole), pa.array(supports, pa.int64())))
    return lists_of_structs(parts, ITEMSET)
