"""The inference channels of encoded transactions."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import inference_channels
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import CHANNELS, TRANSACTIONS, asked, channel_lists, told


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT"],
    returns=CHANNELS,
    null_handling=SPECIAL,
    side_effects=False,
)
def find_channels(transactions: pa.ChunkedArray, k: pa.ChunkedArray) -> pa.Array:
    """The channels of each call."""
    found = []
    for call, least in zip(asked(transactions), k.to_pylist(), strict=True):
        with told(call.function, call.texts):
            found.append(
                inference_channels(call.transactions, call.min_count, least, call.max_length)
            )
    return channel_lists(found)
