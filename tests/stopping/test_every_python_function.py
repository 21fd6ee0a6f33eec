"""Every Python function stops soon after its query is interrupted, and the connection goes on."""

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
from tanon_duck.algorithms.checkpoint import Interrupted, asking, check
from tanon_duck.udfs import _registry as python_functions
from tanon_duck.udfs import _stopping as stopping

LONGEST_CPU = 1.0  # from an interrupt until it is heeded
LONGEST_STOP = 10.0  # seconds by the clock on a machine with other work
# What runs in the background is born deaf to Ctrl-C, and so are its children.
CHILD = """
import signal, sys, tanon_duck
from stopping.long_calls import CALLS, TABLES
signal.signal(signal.SIGINT, signal.default_int_handler)
with tanon_duck.connect() as connection:
    connection.execute(TABLES)
    print("ready", flush=True)
    try:
        connection.execute(CALLS[sys.argv[1]]).fetchall()
        print("finished", flush=True)
    except BaseException as error:
        print(type(error).__name__, error, flush=True)
    print(connection.execute("select 7").fetchall(), flush=True)
"""


def moment(name: str) -> float:
    return random.Random(name).uniform(0.2, 1.5)


def test_every_function_is_long_here_or_short_by_itself() -> None:
    assert set(CALLS) | set(SHORT) == python_functions.names()


@pytest.fixture(scope="module")
def shared() -> duckdb.DuckDBPyConnection:
    with tanon_duck.connect() as connection:
        connection.execute(TABLES + RELEASES)
        yield connection


def begun(name: str, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as this Python function runs: before, DuckDB stops by itself."""
    event = threading.Event()
    real = stopping._Question.__init__

    def noted(self, keys):
        real(self, keys)
        if sys._getframe(1).f_locals["call"].__name__ == name:
            event.set()

    monkeypatch.setattr(stopping._Question, "__init__", noted)
    return event


def cpu_until_stopped(connection, name, runs, after) -> float | None:
    """CPU seconds from an interrupt so long after the function began; None if it came late."""
    runs.clear()
    when: list[float] = []

    def interrupt() -> None:
        runs.wait(60)
        time.sleep(after)
        when.append(time.process_time())
        connection.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        connection.execute(CALLS[name]).fetchall()
    except duckdb.InterruptException:
        return time.process_time() - when[0]
    finally:
        assert runs.is_set()
        thread.join()
    return None


@pytest.mark.parametrize("name", sorted(CALLS))
def test_an_interrupt_stops_it(name, shared, monkeypatch) -> None:
    runs, after = begun(name, monkeypatch), moment(name)
    while (seconds := cpu_until_stopped(shared, name, runs, after)) is None:
        assert after > 0.001
        after /= 3  # on a machine so fast that the call was over
    assert seconds < LONGEST_CPU
    assert shared.execute("select 7").fetchall() == [(7,)]


@pytest.mark.parametrize("name", ["find_channels", "mine_itemsets", "sanitize"])
def test_ctrl_c_stops_it(name) -> None:
    """KeyboardInterrupt, or what DuckDB itself raises where it waits for another thread."""
    command = [sys.executable, "-c", CHILD, name]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(["tests", *filter(None, sys.path)])}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(2 + moment(name))
        pressed = time.monotonic()
        child.send_signal(signal.SIGINT)
        said = child.stdout.readline().strip()
        assert time.monotonic() - pressed < LONGEST_STOP
        if not said:  # pressed between two lines of the child's own
            assert "KeyboardInterrupt" in child.stderr.read()
            return
        assert said in ("KeyboardInterrupt", "RuntimeError Query interrupted")
        assert child.stdout.readline() == "[(7,)]\n"
        child.communicate(timeout=30)


def test_ctrl_c_in_the_calling_thread_is_a_keyboard_interrupt(con) -> None:
    con.execute("set threads = 1")
    con.execute(TABLES)
    before, heard = sys.gettrace(), signal.signal(signal.SIGINT, signal.default_int_handler)
    press = threading.Timer(1.5, os.kill, [os.getpid(), signal.SIGINT])
    press.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            con.execute(CALLS["find_channels"]).fetchall()
    finally:
        signal.signal(signal.SIGINT, heard)
    assert sys.gettrace() is before
    assert con.execute("select 7").fetchall() == [(7,)]


def test_only_the_query_of_the_interrupted_connection_stops(con) -> None:
    con.execute(TABLES)
    other = con.cursor()
    again = [threading.Timer(at / 10, other.interrupt) for at in range(1, 10)]
    for timer in again:
        timer.start()
    small = "(select * from series limit 5000)"
    rows = con.execute(f"from tanon.kp_anonymize('{small}', 'id', 's', 5, 2)").fetchall()
    for timer in again:
        timer.join()
    assert rows


def test_a_checkpoint_asks_only_within_a_question() -> None:
    def stop() -> None:
        raise Interrupted

    check()
    with pytest.raises(Interrupted), asking(stop):
        check()
    check()
