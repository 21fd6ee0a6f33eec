"""Groups of records in which no sensitive value and no person occurs twice."""

from hashlib import sha256

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.dealing import Draws, deal
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_array

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
    """Return for each partition the group, from 0, of each of its records.

    Each row is one partition. Its records are numbered in the order of their values. ``groups``
    is the number of groups, ``counts`` the number of records of each value. ``repeated`` lists the
    records of persons with several records: ``tanon_turn`` is the number of the record,
    ``tanon_first`` the number of the first record of the same person.
    """
    counts_array, repeated_array = (column.combine_chunks() for column in (counts, repeated))
    partitions = zip(seeds.to_pylist(), groups.to_pylist(), strict=True)
    return list_array(
        [
            _deal_partition(seed, number, counts_array.slice(row, 1), repeated_array.slice(row, 1))
            for row, (seed, number) in enumerate(partitions)
        ],
        "BIGINT",
    )


def _deal_partition(seed: str, groups: int, counts: pa.Array, repeated: pa.Array) -> pa.Array:
    """Return the group of each record of one partition, whose lists have length 1."""
    records = repeated.flatten()
    turns, persons = (
        records.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("tanon_turn", "tanon_first")
    )
    records_of_values = counts.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.argsort(turns)
    draws = Draws(sha256(seed.encode()).digest())
    return pa.array(deal(groups, records_of_values, turns[order], persons[order], draws))
