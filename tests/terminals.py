"""Programs at a real (pseudo) terminal: keys go in, what is drawn comes out."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from waiting import LONGEST

if sys.platform == "win32":
    pytest.skip("pseudo terminals are not for Windows", allow_module_level=True)
import pty

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CTRL_C, CTRL_D, UP, TAB = "\x03", "\x04", "\x1b[A", "\t"
# Makes the terminal the one whose Ctrl-C reaches the program, even where the parent ignores it.
TAKE_CONTROL = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
"""


class Terminal:
    """Types into a program and reads what it draws."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._unread = ""

    def type(self, keys: str) -> None:
        """Press the keys."""
        os.write(self._descriptor, keys.encode())

    def expect(self, wanted: str, seconds: float = LONGEST) -> str:
        """Everything drawn up to and with the text wanted."""
        end = time.monotonic() + seconds
        while wanted not in self._unread:
            remaining = end - time.monotonic()
            assert remaining > 0, f"{wanted!r} never came, but {self._unread!r}"
            ready, _, _ = select.select([self._descriptor], [], [], remaining)
            if ready:
                drawn = os.read(self._descriptor, 65536).decode(errors="replace")
                self._unread = ESCAPES.sub("", self._unread + drawn)
        seen, _, self._unread = self._unread.partition(wanted)
        return seen + wanted

    def pause(self) -> None:
        """Take the time a person takes before the next key."""
        time.sleep(0.7)

    def rest(self) -> str:
        """Everything drawn until the program is gone."""
        drawn = self._unread.encode()
        # Linux reports the end of a pseudo terminal as an error.
        with suppress(OSError):
            while more := os.read(self._descriptor, 65536):
                drawn += more
        return ESCAPES.sub("", drawn.decode(errors="replace"))


@contextmanager
def terminal_of(
    code: str, environment: Mapping[str, str], folder: Path | None = None, status: int = 0
) -> Iterator[Terminal]:
    """A Python program at a terminal of its own; it must leave by itself with this status."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_CONTROL + code],
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        env=environment,
        cwd=folder,
    )
    os.close(its)
    try:
        yield Terminal(ours)
        assert process.wait(60) == status
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
