"""Which records of a group take another way than most records of the group, drawn by a key."""

from hashlib import sha256

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.drawing import draw_places as draw_places_of_groups
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_array, struct_array

SHARE = "STRUCT(name VARCHAR, tanon_group BIGINT, share BIGINT, records BIGINT)"
PLACE = "STRUCT(tanon_group BIGINT, tanon_place BIGINT, tanon_share BIGINT)"


@arrow_function(
    parameters=["BLOB", f"{SHARE}[]"],
    returns=f"{PLACE}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def draw_places(keys: pa.ChunkedArray, shares: pa.ChunkedArray) -> pa.Array:
    """Return for each list of shares the places that the key draws for the shares from 1 up.

    The records of a group are numbered: these numbers, from 1, are the places. A share is a part
    of a group, of ``records`` records that take the same way. Places without an entry in the
    result belong to share 0.
    """
    lists = shares.combine_chunks()
    return list_array(
        [
            _draw_for_list(key, lists.slice(row, 1).flatten())
            for row, key in enumerate(keys.to_pylist())
        ],
        PLACE,
    )


def _draw_for_list(key: bytes, shares: pa.Array) -> pa.Array:
    """Return the drawn places of the groups in one list of structs SHARE."""
    group, share, records = (
        shares.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("tanon_group", "share", "records")
    )
    order = np.lexsort((share, group))
    names = shares.field("name").take(pa.array(order)).to_pylist()
    # The draw depends on all names and sizes, so that other shares give an unrelated draw.
    description = repr(list(zip(names, records[order].tolist(), strict=True))).encode()
    columns = draw_places_of_groups(sha256(key + description).digest(), group, share, records)
    return struct_array([pa.array(column, pa.int64()) for column in columns], PLACE)
