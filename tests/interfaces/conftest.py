"""Doors are tried as they are opened: a connection that no test has had before."""

from collections.abc import Iterator

import duckdb
import pytest

import tanon_duck


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with tanon_duck.connect() as connection:
        yield connection
