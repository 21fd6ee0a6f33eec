"""Every Python function stops at a checkpoint, and its connection goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import duckdb
import pytest
from stopping.long_calls import CALLS, RELEASES, SHORT, TABLES

import tanon_duck
from tanon_duck.algorithms import checkpoint
from tanon_duck.interfaces.interruptible_query import InterruptibleRunner
from tanon_duck.udfs import _registry as python_functions

UNTOUCHED = """
import duckdb, signal, sys, pyarrow
before = dict(vars(duckdb.DuckDBPyConnection)), dict(vars(duckdb)), signal.getsignal(signal.SIGINT)
import tanon_duck
with tanon_duck.connect() as connection:
    connection.execute("from tanon.frequent_itemsets('(select 1 as t, 2 as i)', 't', 'i', 1)")
after = dict(vars(duckdb.DuckDBPyConnection)), dict(vars(duckdb)), signal.getsignal(signal.SIGINT)
assert [*after[0].items()] == [*before[0].items()]
assert all(after[1][name] is value for name, value in before[1].items())
assert after[2] is before[2] and sys.gettrace() is None
"""


def test_every_function_is_long_here_or_short_by_itself() -> None:
    assert set(CALLS) | set(SHORT) == python_functions.names()


@pytest.fixture(scope="module")
def shared() -> duckdb.DuckDBPyConnection:
    with tanon_duck.connect() as connection:
        connection.execute(TABLES + RELEASES)
        yield connection


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_stop_ends_it(name, shared, monkeypatch) -> None:
    begun = began(name, monkeypatch)
    after = random.Random(name).uniform(0.2, 1.5)
    while not is_stopped(shared, name, begun, after):
        assert after > 0.001
        after /= 3  # on a machine so fast that the call was over
    assert shared.execute("select 7").fetchall() == [(7,)]


def began(name: str, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return an event that is set as soon as this Python function runs."""
    event, real = threading.Event(), checkpoint._ThreadState.__setattr__

    def noted(self, attribute, value):
        real(self, attribute, value)
        frame = sys._getframe()
        while frame is not None and "call" not in frame.f_locals:
            frame = frame.f_back
        if value is not None and frame and frame.f_locals["call"].__name__ == name:
            event.set()

    monkeypatch.setattr(checkpoint._ThreadState, "__setattr__", noted)
    return event


def is_stopped(connection, name, begun, after) -> bool:
    """Whether the call ends early if it is stopped so long after its function began."""
    begun.clear()

    def stop() -> None:
        begun.wait()
        time.sleep(after)
        connection.interrupt()
        checkpoint.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        connection.execute(CALLS[name]).fetchall()
    except duckdb.InterruptException:  # in the SQL around the function
        return True
    except duckdb.InvalidInputException as error:
        assert "UDF: Interrupted" in str(error)
        return True
    finally:
        assert begun.is_set()
        thread.join()
    return False


@pytest.mark.parametrize("threads", [1, 4])
def test_ctrl_c_stops_it_at_the_prompt_and_the_command_line(con, threads) -> None:
    """Both run queries in an InterruptibleRunner."""
    con.execute(f"set threads = {threads}")
    con.execute(TABLES)
    runner = InterruptibleRunner(con)
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    press = threading.Timer(1.5, os.kill, [os.getpid(), signal.SIGINT])
    press.start()
    try:
        with pytest.raises(duckdb.InterruptException):
            runner.run(lambda: con.execute(CALLS["find_channels"]).fetchall())
    finally:
        signal.signal(signal.SIGINT, heard)
        runner.close()
    assert con.execute("select 7").fetchall() == [(7,)]


def test_a_call_that_begins_after_the_flag_was_raised_goes_on(con) -> None:
    checkpoint.stop()
    assert con.execute("from tanon.frequent_itemsets('(select 1 as t, 2 as i)', 't', 'i', 1)")


def test_a_checkpoint_stops_only_what_can_be_stopped() -> None:
    checkpoint.stop()
    checkpoint.check()
    with checkpoint.stoppable():
        checkpoint.check()
        checkpoint.stop()
        with pytest.raises(checkpoint.Interrupted):
            checkpoint.check()
    checkpoint.check()


def test_nothing_of_other_packages_is_replaced() -> None:
    done = subprocess.run([sys.executable, "-c", UNTOUCHED], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
