"""Connections that the tests share, and the versions at the head of every report."""

import contextlib
import gc
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import drawn
import duckdb
import numpy
import pyarrow
import pytest

import tanon_duck
from tanon_duck import demo, secret
from tanon_duck.quoting import identifier, literal

# bench/ and docs/, which no wheel carries, are found in the checkout, behind whatever is installed.
ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    sys.path.append(ROOT)
# One secret for every process of the tests, so that what hangs on it can be repeated.
os.environ[secret.VARIABLE] = hashlib.sha256(b"tests of tanon_duck").hexdigest()

_connect = duckdb.connect
THREADS = int(os.environ.get("TANON_TEST_THREADS", "1"))


def _connect_with_few_threads(
    database: str | Path = ":memory:",
    read_only: bool = False,
    config: dict[str, Any] | None = None,
) -> duckdb.DuckDBPyConnection:
    return _connect(database, read_only, {"threads": THREADS, **(config or {})})


# Where a call is wrong twice, threads decide which of it is told first, and rows without an ORDER
# BY come as they like. Tests that threads change no result, and no more, set their number.
duckdb.connect = _connect_with_few_threads


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew-golden", action="store_true", help="write the SQL of every example anew"
    )
    parser.addoption(
        "--renew-durations",
        action="store_true",
        help="measure all seeds and write tests/durations.json; not with -n",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--renew-durations"):
        config.pluginmanager.register(drawn.Durations())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the seeds that only a long run draws, unless a test is named with its seed."""
    run, left = drawn.choose(items)
    if config.getoption("--renew-durations") or any("[" in each for each in config.args):
        return
    items[:] = run
    config.hook.pytest_deselected(items=left)


def pytest_runtest_setup(item: pytest.Item) -> None:
    drawn.start(item.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Neighbours for the same worker: they read the same fixtures, and ask for the same texts."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Ten thousand tests stay to the end: nobody need look through them for what is left over."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def pytest_report_header() -> str:
    return (
        f"tanon_duck {tanon_duck.__version__} from {tanon_duck.__file__}, "
        f"duckdb {duckdb.__version__}, numpy {numpy.__version__}, pyarrow {pyarrow.__version__}"
    )


def _instances() -> Iterator[duckdb.DuckDBPyConnection]:
    """One for fifty tests: what they leave behind in it makes it slower."""
    while True:
        with tanon_duck.connect() as connection:
            yield from [connection] * 50


@pytest.fixture(scope="session")
def instances() -> Iterator[Iterator[duckdb.DuckDBPyConnection]]:
    """Instances that tests share: each has a connection and a database of its own."""
    with contextlib.closing(_instances()) as opened:
        yield opened


def _settings(connection: duckdb.DuckDBPyConnection) -> set[tuple[str, str | None]]:
    return set(connection.execute("select name, value from duckdb_settings()").fetchall())


@pytest.fixture
def con(instances: Iterator[duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty in-memory database, named own, with every function ready."""
    with next(instances).cursor() as connection:
        begun = _settings(connection)
        connection.execute("attach ':memory:' as own; use own")
        yield connection
        with contextlib.suppress(duckdb.TransactionException):
            connection.rollback()
        connection.execute("use memory; detach own")
        # RESET would give threads the number of cores.
        for setting, value in begun - _settings(connection):
            given = f"set {setting} = {literal(value)}" if value else f"reset {setting}"
            connection.execute(given)


@pytest.fixture
def demo_con(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same with the tables of the demo: visits, cases, incomes."""
    demo.create_tables(con)
    return con


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return connection.execute(
        "select table_name, estimated_size, comment from duckdb_tables() "
        "where database_name = current_database() order by all"
    ).fetchall()


@pytest.fixture(scope="session")
def kept_demo() -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables of the demo, opened once for all tests that change nothing."""
    with tanon_duck.connect() as connection:
        demo.create_tables(connection)
        begun = _tables(connection)
        yield connection
        assert _tables(connection) == begun


@pytest.fixture
def demo_and_more(
    kept_demo: duckdb.DuckDBPyConnection,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same for tests that put tables beside those of the demo, which go afterwards."""
    begun = {name for name, *_ in _tables(kept_demo)}
    yield kept_demo
    for name in {name for name, *_ in _tables(kept_demo)} - begun:
        kept_demo.execute(f"drop table {identifier(str(name))}")
