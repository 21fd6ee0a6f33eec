"""What a Python function refuses reaches the caller as it was said.

DuckDB puts words of its own in front, which no function can leave out: they are taken away where
its exception is made. Other errors of the class, and those of other people's functions, stay.
"""

from typing import Any

import duckdb

_OF_DUCKDB = "Python exception occurred while executing the UDF: TanonError: "


def _made(self: duckdb.InvalidInputException, *told: Any) -> None:
    """Take the sentence; where it is one of ours, without what DuckDB says of functions."""
    self.args = tuple(
        text.replace(_OF_DUCKDB, "", 1) if isinstance(text, str) else text for text in told
    )


duckdb.InvalidInputException.__init__ = _made  # type: ignore[assignment, method-assign]
