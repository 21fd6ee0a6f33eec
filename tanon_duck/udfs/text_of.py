"""The text of a call, asked for while it is bound."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.udfs import _texts, arrow_function
from tanon_duck.udfs._arrow import texts


@arrow_function(
    parameters=["VARCHAR", "VARCHAR"], returns="VARCHAR", null_handling=DEFAULT, side_effects=False
)
def text_of(macros: pa.ChunkedArray, given: pa.ChunkedArray) -> pa.Array:
    """Make, for each macro and text of arguments, the text that it gives."""
    asked = zip(macros.to_pylist(), given.to_pylist(), strict=True)
    return texts([_texts.text_of(*each) for each in asked])
