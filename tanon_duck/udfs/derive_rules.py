"""Association rules of a collection of itemsets."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.collection import require_subsets
from tanon_duck.algorithms.itemsets.mining import UNBOUNDED
from tanon_duck.algorithms.itemsets.rules import association_rules
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    COLLECTION,
    given,
    lists_of_structs,
    padded_codes,
    told,
)

RULE = (
    "STRUCT(antecedent INTEGER[], consequent INTEGER[], support BIGINT, confidence DOUBLE, "
    "lift DOUBLE)"
)


@arrow_function(
    parameters=[COLLECTION, "DOUBLE", "DOUBLE", "BIGINT"],
    returns=f"{RULE}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def derive_rules(
    collection: pa.ChunkedArray,
    min_confidence: pa.ChunkedArray,
    min_lift: pa.ChunkedArray,
    max_consequent: pa.ChunkedArray,
) -> pa.Array:
    """The rules of each call."""
    options = (column.to_pylist() for column in (min_confidence, min_lift, max_consequent))
    parts = []
    for call, confidence, lift, longest in zip(given(collection), *options, strict=True):
        bound = UNBOUNDED if longest is None else longest
        with told(call.function, call.texts):
            require_subsets(call.collection)
            rules = association_rules(call.collection, confidence, lift, bound)
        numbers = (rules.support, rules.confidence, rules.lift)
        sides = (padded_codes(rules.antecedent), padded_codes(rules.consequent))
        parts.append((*sides, *(pa.array(column) for column in numbers)))
    return lists_of_structs(parts, RULE)
