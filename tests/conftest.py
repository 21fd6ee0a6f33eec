"""Connections that the tests share, and the versions at the head of every report."""

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy
import pyarrow
import pytest

import tanon_duck
from tanon_duck import demo, secret

# bench/ and docs/, which no wheel carries, are found in the checkout, behind whatever is installed.
ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    sys.path.append(ROOT)
# One secret for every process of the tests, so that what hangs on it can be repeated.
os.environ[secret.VARIABLE] = hashlib.sha256(b"tests of tanon_duck").hexdigest()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden", action="store_true", help="write the SQL of every example anew"
    )


def pytest_report_header() -> str:
    return (
        f"tanon_duck {tanon_duck.__version__} from {tanon_duck.__file__}, "
        f"duckdb {duckdb.__version__}, numpy {numpy.__version__}, pyarrow {pyarrow.__version__}"
    )


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty in-memory database with every function ready."""
    with tanon_duck.connect() as connection:
        yield connection


@pytest.fixture
def demo_con(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same with the tables of the demo: visits, cases, incomes."""
    demo.create_tables(con)
    return con
