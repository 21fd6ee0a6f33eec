"""What is the same in every task: hashes say where rows lie, and which of equal rows move."""

import duckdb

from tanon_duck._version import __version__
from tanon_duck.errors import TanonError, must_be

HERE = f"DuckDB {duckdb.__version__} and tanon-duck {__version__}"


def check(wanted: str) -> None:
    """Refuse to work for a driver of other versions."""
    if wanted != HERE:
        raise TanonError(must_be("spark", "executors", f"of {wanted} as the driver is", HERE))
