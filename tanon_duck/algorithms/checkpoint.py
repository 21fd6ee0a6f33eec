"""Where a long computation asks whether it is still wanted.

Every loop that may run long calls `check()`. Whoever starts the computation says in `asking` what
is asked; without that nobody asks, and `check()` costs some tens of nanoseconds.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupted(Exception):  # noqa: N818 - not a mistake of anybody
    """The computation is not wanted any more."""


class _OfThisThread(threading.local):
    ask: Callable[[], None] | None = None


_of_this_thread = _OfThisThread()


def check() -> None:
    """Raise what the question raises, if the computation of this thread is to stop."""
    ask = _of_this_thread.ask
    if ask is not None:
        ask()


@contextmanager
def asking(question: Callable[[], None]) -> Iterator[None]:
    """Ask this question at every checkpoint of this thread."""
    before, _of_this_thread.ask = _of_this_thread.ask, question
    try:
        yield
    finally:
        _of_this_thread.ask = before
