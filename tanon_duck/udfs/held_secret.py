"""The secret that the process draws once, for calls without a secret of their own."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck import secret
from tanon_duck.udfs import arrow_function


@arrow_function(
    parameters=["BOOLEAN"], returns="VARCHAR", null_handling=DEFAULT, side_effects=False
)
def held_secret(rows: pa.ChunkedArray) -> pa.Array:
    """Return the secret of the process once for each row; the values of ``rows`` do not matter."""
    return pa.array([secret.held_secret()] * len(rows), pa.string())
