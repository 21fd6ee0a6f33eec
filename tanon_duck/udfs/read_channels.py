"""The inference channels that the supports of a collection open."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.collection import require_closed_form, require_subsets
from tanon_duck.algorithms.itemsets.sanitize import violations
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import CHANNELS, COLLECTION, channel_lists, given, told


@arrow_function(
    parameters=[COLLECTION, "BIGINT", "BOOLEAN"],
    returns=CHANNELS,
    null_handling=SPECIAL,
    side_effects=False,
)
def read_channels(
    collection: pa.ChunkedArray, k: pa.ChunkedArray, closed: pa.ChunkedArray
) -> pa.Array:
    """The channels of each call."""
    found = []
    options = zip(given(collection), k.to_pylist(), closed.to_pylist(), strict=True)
    for call, least, only_closed in options:
        with told(call.function, call.texts):
            (require_closed_form if only_closed else require_subsets)(call.collection)
            found.append(violations(call.collection, least, only_closed))
    return channel_lists(found)
