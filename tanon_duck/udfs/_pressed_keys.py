"""Ctrl-C as seen from a thread of DuckDB, in which Python delivers no signals."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import tempfile
import threading
import time
from functools import cache
from typing import IO, Any

# By then DuckDB, in the main thread, has seen the signal and waits for the function alone.
_GRACE_SECONDS = 0.15


class PressedKeys:
    """Watches for Ctrl-C while one function runs, if it runs where Python does not."""

    _running = 0
    _lock = threading.Lock()

    def __init__(self, elsewhere: bool) -> None:
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self._watching = elsewhere and usual and hasattr(faulthandler, "register")
        self._main: tuple[int, int] | None = None
        self._length = 0

    def __enter__(self) -> PressedKeys:
        if self._watching:
            with self._lock:
                PressedKeys._running += 1
                if PressedKeys._running == 1:
                    faulthandler.register(signal.SIGINT, _log(), all_threads=False, chain=True)
            self._main, self._length = _place_of_main_thread(), _length_of_log()
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._watching:
            with self._lock:
                PressedKeys._running -= 1
                if PressedKeys._running == 0:
                    faulthandler.unregister(signal.SIGINT)

    def stop_the_query(self) -> bool:
        """Whether Ctrl-C was pressed and the main thread is still in the call it was in.

        Had it been elsewhere than in the call that waits for us, the signal had moved it on.
        """
        if not self._watching or _length_of_log() == self._length:
            return False
        self._length = _length_of_log()
        time.sleep(_GRACE_SECONDS)
        return self._main is not None and _place_of_main_thread() == self._main


@cache
def _log() -> IO[bytes]:
    """A file without a name; each Ctrl-C makes it longer. Only C code may run in a signal."""
    return tempfile.TemporaryFile(mode="ab", buffering=0)


def _length_of_log() -> int:
    return os.fstat(_log().fileno()).st_size


def _place_of_main_thread() -> tuple[int, int] | None:
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    return (id(frame), frame.f_lasti) if frame is not None else None
