"""The SQL text of a call of a macro, written while DuckDB binds the call."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.udfs import _call_sql, arrow_function
from tanon_duck.udfs._arrow import text_array


@arrow_function(
    parameters=["VARCHAR", "VARCHAR"], returns="VARCHAR", null_handling=DEFAULT, side_effects=False
)
def text_of(macros: pa.ChunkedArray, arguments: pa.ChunkedArray) -> pa.Array:
    """Return the SQL text for each macro name and text of arguments."""
    calls = zip(macros.to_pylist(), arguments.to_pylist(), strict=True)
    return text_array([_call_sql.write_sql(macro, text) for macro, text in calls])
