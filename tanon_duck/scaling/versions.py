"""Require equal versions on all machines: they decide hashes and the order of equal rows."""

import duckdb

from tanon_duck._version import __version__
from tanon_duck.errors import TanonError, must_be

HERE = f"DuckDB {duckdb.__version__} and tanon-duck {__version__}"


def check(wanted: str) -> None:
    """Raise if the driver has other versions than this task."""
    if wanted != HERE:
        raise TanonError(must_be("spark", "executors", f"of {wanted} as the driver is", HERE))
