"""A line on the terminal for whoever waits longer than two seconds: how many shards are done."""

import sys
import time
from typing import TextIO

_PATIENCE_SECONDS = 2.0


class Progress:
    """Written on a terminal only, over itself, and wiped away at the end."""

    def __init__(self, function: str, stages: int, terminal: TextIO | None = None) -> None:
        self._function, self._stages = function, stages
        self._terminal = terminal or sys.stderr
        self._began = time.monotonic()
        self._stage = self._done = self._of = self._drawn = 0

    def stage(self, shards: int) -> None:
        """Another stage has begun."""
        self._stage, self._done, self._of = self._stage + 1, -1, shards
        self.done()

    def done(self) -> None:
        """One more of its shards is done."""
        self._done += 1
        seconds = time.monotonic() - self._began
        if seconds < _PATIENCE_SECONDS or not self._terminal.isatty():
            return
        stage = f"stage {self._stage} of {max(self._stage, self._stages)}"
        self._write(f"{self._function}: {stage}, shard {self._done} of {self._of}, {seconds:.0f} s")

    def close(self) -> None:
        """Leave the line as it was."""
        if self._drawn:
            self._write("")
            self._terminal.write("\r")
            self._terminal.flush()

    def _write(self, text: str) -> None:
        self._terminal.write("\r" + text.ljust(self._drawn))
        self._terminal.flush()
        self._drawn = len(text)
