"""The inference channels that the frequent itemsets of transactions would open."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import inference_channels
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    CHANNELS,
    TRANSACTIONS,
    channel_lists,
    errors_with_item_texts,
    transaction_calls,
)


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT"],
    returns=CHANNELS,
    null_handling=SPECIAL,
    side_effects=False,
)
def find_channels(transactions: pa.ChunkedArray, k: pa.ChunkedArray) -> pa.Array:
    """Return one list of channels of fewer than k transactions for each call."""
    channels = []
    for call, call_k in zip(transaction_calls(transactions), k.to_pylist(), strict=True):
        with errors_with_item_texts(call.function, call.texts):
            channels.append(
                inference_channels(call.transactions, call.min_count, call_k, call.max_length)
            )
    return channel_lists(channels)
