"""The inference channels that the supports in a collection of itemsets open."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.closed_form import require_closed_form
from tanon_duck.algorithms.itemsets.collection import require_subsets
from tanon_duck.algorithms.itemsets.sanitize import violations
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    CHANNELS,
    COLLECTION,
    channel_lists,
    collection_calls,
    errors_with_item_texts,
)


@arrow_function(
    parameters=[COLLECTION, "BIGINT", "BOOLEAN"],
    returns=CHANNELS,
    null_handling=SPECIAL,
    side_effects=False,
)
def read_channels(
    collection: pa.ChunkedArray, k: pa.ChunkedArray, closed: pa.ChunkedArray
) -> pa.Array:
    """Return one list of channels of fewer than k transactions for each collection.

    ``closed`` says that the collection holds closed itemsets only: those without a superset of
    equal support.
    """
    channels = []
    calls = zip(collection_calls(collection), k.to_pylist(), closed.to_pylist(), strict=True)
    for call, call_k, only_closed in calls:
        with errors_with_item_texts(call.function, call.texts):
            (require_closed_form if only_closed else require_subsets)(call.collection)
            channels.append(violations(call.collection, call_k, only_closed))
    return channel_lists(channels)
