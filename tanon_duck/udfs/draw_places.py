"""``tanon_draw_places``: which rows of groups that split go another way than most of theirs."""

from hashlib import sha256

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.drawing import draw_places as drawn_places
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_column, structs

SHARE = "STRUCT(name VARCHAR, tanon_group BIGINT, share BIGINT, records BIGINT)"
PLACE = "STRUCT(tanon_group BIGINT, tanon_place BIGINT, tanon_share BIGINT)"


@arrow_function(
    parameters=["BLOB", f"{SHARE}[]"],
    returns=f"{PLACE}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def draw_places(keys: pa.ChunkedArray, shares: pa.ChunkedArray) -> pa.Array:
    """Draw for the groups of each list, by its key."""
    lists = shares.combine_chunks()
    return list_column(
        [_one_draw(key, lists.slice(row, 1).flatten()) for row, key in enumerate(keys.to_pylist())],
        PLACE,
    )


def _one_draw(key: bytes, shares: pa.Array) -> pa.Array:
    group, share, records = (
        shares.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("tanon_group", "share", "records")
    )
    order = np.lexsort((share, group))
    names = shares.field("name").take(pa.array(order)).to_pylist()
    told = repr(list(zip(names, records[order].tolist(), strict=True))).encode()
    columns = drawn_places(sha256(key + told).digest(), group, share, records)
    return structs([pa.array(column, pa.int64()) for column in columns], PLACE)
