"""Ctrl-C and the query it stops."""

from __future__ import annotations

import os
import signal
import threading

import duckdb
import pytest

from tanon_duck.interfaces.interruptible_query import InterruptibleRunner

ENDLESS = "select count(*) from range(100000000000)"


def test_ctrl_c_stops_the_query_and_the_connection_goes_on() -> None:
    before = signal.getsignal(signal.SIGINT)
    with duckdb.connect() as connection:
        runner = InterruptibleRunner(connection)
        press = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        press.start()
        with pytest.raises(duckdb.InterruptException):
            runner.run(lambda: connection.execute(ENDLESS).fetchall())
        press.join()
        assert runner.run(lambda: connection.execute("select 7").fetchall()) == [(7,)]
        runner.close()
    assert signal.getsignal(signal.SIGINT) is before


def test_errors_come_through_as_they_are() -> None:
    with duckdb.connect() as connection:
        runner = InterruptibleRunner(connection)
        with pytest.raises(duckdb.CatalogException, match="nowhere"):
            runner.run(lambda: connection.execute("from nowhere"))
        runner.close()


def test_it_works_outside_the_main_thread() -> None:
    found: list[object] = []

    def elsewhere() -> None:
        with duckdb.connect() as connection:
            runner = InterruptibleRunner(connection)
            found.append(runner.run(lambda: connection.execute("select 1").fetchall()))
            runner.close()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == [[(1,)]]
