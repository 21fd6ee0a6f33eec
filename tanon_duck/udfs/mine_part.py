"""The itemsets of one part of the items, from the rows that hold one of them."""

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.mining import UNBOUNDED
from tanon_duck.algorithms.itemsets.parts import Part, goal_of, mine_common
from tanon_duck.algorithms.itemsets.parts import mine_part as mined
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import integers, lists_of_structs, padded_codes, told

PART = (
    'STRUCT("function" VARCHAR, sought VARCHAR, ranks INTEGER[][], copies BIGINT[], '
    '"first" INTEGER, own BIGINT, is_common BOOLEAN, min_count BIGINT, max_length INTEGER)'
)
ITEMSET = "STRUCT(codes INTEGER[], support BIGINT)"


@arrow_function(
    parameters=[PART], returns=f"{ITEMSET}[]", null_handling=SPECIAL, side_effects=False
)
def mine_part(parts: pa.ChunkedArray) -> pa.Array:
    """The itemsets of each part: ranks of items, from 1."""
    found = []
    for call in pa.chunked_array(parts).combine_chunks():
        rows = call["ranks"].values
        longest = call["max_length"].as_py()
        own = Part(
            integers(rows.value_lengths()),
            integers(rows.flatten()),
            integers(call["copies"].values),
            call["first"].as_py(),
            call["own"].as_py(),
        )
        bound = UNBOUNDED if longest is None else longest
        goal = goal_of(call["sought"].as_py(), call["min_count"].as_py(), bound)
        with told(call["function"].as_py(), ()):
            ranks, supports = (mine_common if call["is_common"].as_py() else mined)(own, goal)
        found.append((padded_codes(np.sort(ranks, axis=1)), pa.array(supports, pa.int64())))
    return lists_of_structs(found, ITEMSET)
