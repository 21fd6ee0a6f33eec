"""Run a query so that Ctrl-C stops the query and nothing else."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb

from tanon_duck.algorithms import checkpoint

Result = TypeVar("Result")
# Long enough not to busy the processor, short enough to repeat an interrupt that came too early.
_POLL_SECONDS = 0.1


class InterruptibleRunner:
    """Runs work in one worker thread while the main thread listens for Ctrl-C."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tanon-duck-query")

    def run(
        self, work: Callable[[], Result], watch: Callable[[float], None] = lambda _seconds: None
    ) -> Result:
        """Return the result of the work, or raise its error; InterruptException after Ctrl-C.

        Meanwhile call `watch` with the seconds passed. DuckDB stops SQL; the flag of checkpoints
        stops Python functions, which DuckDB ends with InvalidInputException.
        """
        started = time.monotonic()
        with _listening() as pressed:
            future = self._worker.submit(work)
            while not wait([future], timeout=_POLL_SECONDS).done:
                if pressed.is_set():
                    self._connection.interrupt()
                    checkpoint.stop()
                watch(time.monotonic() - started)
            try:
                return future.result()
            except Exception:
                if pressed.is_set():
                    raise duckdb.InterruptException("INTERRUPT Error: Interrupted!") from None
                raise

    def close(self) -> None:
        """End the worker thread."""
        self._worker.shutdown()


@contextmanager
def _listening() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets, instead of raising KeyboardInterrupt at any line."""
    pressed = threading.Event()
    # Python delivers signals to the main thread alone; elsewhere there is nothing to listen to.
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def press(_signal: int, _frame: Any) -> None:
        pressed.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
