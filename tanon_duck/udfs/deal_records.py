"""``tanon_deal_records``: the groups of the records of partitions in which persons come again."""

from hashlib import sha256

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.dealing import Draws, deal
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_column

RECORD = "STRUCT(tanon_turn BIGINT, tanon_first BIGINT)"


@arrow_function(
    parameters=["VARCHAR", "BIGINT", "BIGINT[]", f"{RECORD}[]"],
    returns="BIGINT[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def deal_records(
    seeds: pa.ChunkedArray,
    groups: pa.ChunkedArray,
    counts: pa.ChunkedArray,
    repeated: pa.ChunkedArray,
) -> pa.Array:
    """Deal each partition, by its seed.

    counts: the records of each value. repeated: of the records whose person has several the place
    in the order of values, and the first place of the person.
    """
    columns = (column.combine_chunks() for column in (counts, repeated))
    of_values, of_persons = columns
    return list_column(
        [
            _one_deal(seed, number, of_values.slice(row, 1), of_persons.slice(row, 1))
            for row, (seed, number) in enumerate(
                zip(seeds.to_pylist(), groups.to_pylist(), strict=True)
            )
        ],
        "BIGINT",
    )


def _one_deal(seed: str, groups: int, counts: pa.Array, repeated: pa.Array) -> pa.Array:
    records = repeated.flatten()
    turns, persons = (
        records.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("tanon_turn", "tanon_first")
    )
    of_values = counts.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.argsort(turns)
    draws = Draws(sha256(seed.encode()).digest())
    return pa.array(deal(groups, of_values, turns[order], persons[order], draws))
