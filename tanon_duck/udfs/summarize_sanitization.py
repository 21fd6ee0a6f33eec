"""What the sanitization of encoded transactions changes."""

from dataclasses import asdict

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import sanitize
from tanon_duck.algorithms.itemsets.summary import summarize, warning_of
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._itemset_arrays import DRAW, TRANSACTIONS, asked, draw_of, told

SUMMARY = (
    "STRUCT(transactions BIGINT, rows_added BIGINT, rows_removed BIGINT, itemsets BIGINT, "
    "share_touched DOUBLE, mean_change DOUBLE, worst_change DOUBLE, itemsets_lost BIGINT, "
    "itemsets_spurious BIGINT, warning VARCHAR)"
)


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT", "VARCHAR", DRAW],
    returns=SUMMARY,
    null_handling=SPECIAL,
    side_effects=False,
)
def summarize_sanitization(
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    method: pa.ChunkedArray,
    draw: pa.ChunkedArray,
) -> pa.Array:
    """The summary of each call."""
    found = []
    columns = (column.to_pylist() for column in (k, method, draw))
    for call, least, way, key in zip(asked(transactions), *columns, strict=True):
        own = draw_of(call, least, key)
        with told(call.function, call.texts):
            result = sanitize(call.transactions, call.min_count, least, way, call.max_length, own)
            summary = summarize(call.transactions, result, call.min_count, call.max_length)
        found.append(asdict(summary) | {"warning": warning_of(summary.transactions, result)})
    return pa.array(found, arrow_type(SUMMARY))
