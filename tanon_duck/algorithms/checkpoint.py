"""Checkpoints at which a long computation can be interrupted.

Each loop that may run long calls ``check()``. ``stop()`` interrupts all computations that run in a
``with stoppable():`` block. Outside such a block ``check()`` does nothing, and takes some tens of
nanoseconds.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupted(Exception):  # noqa: N818 - an interruption is not an error
    """The computation was stopped."""


class _ThreadState(threading.local):
    """The value of ``_stops`` when this thread entered ``stoppable()``; None outside."""

    stops_before: int | None = None


_thread_state = _ThreadState()
_stops = 0


def stop() -> None:
    """Interrupt each computation that runs in this process now, at its next checkpoint."""
    global _stops
    _stops += 1


def check() -> None:
    """Raise Interrupted if ``stop()`` was called since this thread entered ``stoppable()``."""
    stops_before = _thread_state.stops_before
    if stops_before is not None and stops_before != _stops:
        raise Interrupted


@contextmanager
def stoppable() -> Iterator[None]:
    """Let ``stop()`` interrupt the computation in this ``with`` block. Blocks may be nested."""
    outer, _thread_state.stops_before = _thread_state.stops_before, _stops
    try:
        yield
    finally:
        _thread_state.stops_before = outer
