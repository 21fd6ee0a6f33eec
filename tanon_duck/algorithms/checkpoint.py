"""Checkpoints, at which a long computation ends early if it is to stop.

Every loop that may run long calls `check()`. Only computations inside `stoppable()` can be stopped;
elsewhere `check()` does nothing and costs some tens of nanoseconds.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupted(Exception):  # noqa: N818 - not a mistake of anybody
    """The computation was stopped."""


class _OfThisThread(threading.local):
    stops_before: int | None = None


_of_this_thread = _OfThisThread()
_stops = 0


def stop() -> None:
    """Stop each computation that runs in this process now, at its next checkpoint."""
    global _stops
    _stops += 1


def check() -> None:
    """Raise Interrupted if the computation of this thread was stopped after it began."""
    before = _of_this_thread.stops_before
    if before is not None and before != _stops:
        raise Interrupted


@contextmanager
def stoppable() -> Iterator[None]:
    """Let `stop()` end the computation that this thread runs inside."""
    outer, _of_this_thread.stops_before = _of_this_thread.stops_before, _stops
    try:
        yield
    finally:
        _of_this_thread.stops_before = outer
