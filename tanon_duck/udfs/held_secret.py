"""The secret of the process, where a call gives none."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck import secret
from tanon_duck.udfs import arrow_function


@arrow_function(
    parameters=["BOOLEAN"], returns="VARCHAR", null_handling=DEFAULT, side_effects=False
)
def held_secret(asked: pa.ChunkedArray) -> pa.Array:
    """Give the same secret to every call of the process."""
    return pa.array([secret.held_secret()] * len(asked), pa.string())
