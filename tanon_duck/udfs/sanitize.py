"""Sanitized supports of the frequent itemsets of encoded transactions."""

import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.itemsets.sanitize import sanitize as sanitized
from tanon_duck.algorithms.itemsets.summary import warning_of
from tanon_duck.errors import warn
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._itemset_arrays import (
    DRAW,
    TRANSACTIONS,
    asked,
    draw_of,
    lists_of_structs,
    sanitized_columns,
    told,
)

ITEMSET = "STRUCT(codes INTEGER[], original_support BIGINT, support BIGINT)"


@arrow_function(
    parameters=[TRANSACTIONS, "BIGINT", "VARCHAR", DRAW],
    returns=f"{ITEMSET}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def sanitize(
    transactions: pa.ChunkedArray,
    k: pa.ChunkedArray,
    method: pa.ChunkedArray,
    draw: pa.ChunkedArray,
) -> pa.Array:
    """The itemsets of each call."""
    parts = []
    columns = (column.to_pylist() for column in (k, method, draw))
    for call, least, way, key in zip(asked(transactions), *columns, strict=True):
        own = draw_of(call, least, key)
        with told(call.function, call.texts):
            result = sanitized(call.transactions, call.min_count, least, way, call.max_length, own)
        if warning := warning_of(call.transactions.n_rows, result):
            warn(f"{call.function}: {warning}")
        parts.append(sanitized_columns(result))
    return lists_of_structs(parts, ITEMSET)
