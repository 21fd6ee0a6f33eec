"""Association rules of a collection of itemsets."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.collection import require_subsets
from tanon_duck.algorithms.itemsets.rules import association_rules
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    COLLECTION,
    collection_calls,
    errors_with_item_texts,
    lists_of_structs,
    lists_without_padding,
    or_unbounded,
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
    """Return one list of rules for each collection.

    ``max_consequent`` is the number of items that a consequent may have, NULL for any number.
    """
    options = (column.to_pylist() for column in (min_confidence, min_lift, max_consequent))
    rules_of_calls = []
    for call, confidence, lift, longest in zip(collection_calls(collection), *options, strict=True):
        with errors_with_item_texts(call.function, call.texts):
            require_subsets(call.collection)
            rules = association_rules(call.collection, confidence, lift, or_unbounded(longest))
        rules_of_calls.append(
            (
                lists_without_padding(rules.antecedent),
                lists_without_padding(rules.consequent),
                pa.array(rules.support),
                pa.array(rules.confidence),
                pa.array(rules.lift),
            )
        )
    return lists_of_structs(rules_of_calls, RULE)
