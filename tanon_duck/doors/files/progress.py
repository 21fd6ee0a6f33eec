"""A bar on the terminal for whoever waits longer than two seconds."""

from __future__ import annotations

import shutil
from typing import TextIO

import duckdb

_PATIENCE_SECONDS = 2.0
_LONGEST_BAR = 40


class ProgressBar:
    """Draws how far the running query is, on a terminal only, and wipes itself away."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, terminal: TextIO) -> None:
        self._connection = connection
        self._terminal = terminal
        self._drawn = 0
        self._furthest = 0.0
        # The engine reports only where it may; what it draws itself would spoil a result.
        connection.execute("set enable_progress_bar = true")
        connection.execute("set enable_progress_bar_print = false")

    def watch(self, seconds: float) -> None:
        """Draw the bar anew, if it is time."""
        if seconds < _PATIENCE_SECONDS or not self._terminal.isatty():
            return
        # A new statement begins at nothing again, and between statements there is no progress.
        self._furthest = max(self._connection.query_progress(), 0.0)
        self._draw(f"{_bar(self._furthest, _bar_width())} {self._furthest:3.0f} %  {seconds:.0f} s")

    def wipe(self) -> None:
        """Leave the line as it was."""
        if self._drawn:
            self._draw("")
            self._terminal.write("\r")
            self._terminal.flush()

    def _draw(self, text: str) -> None:
        self._terminal.write("\r" + text.ljust(self._drawn))
        self._terminal.flush()
        self._drawn = len(text)


def _bar_width() -> int:
    return max(min(_LONGEST_BAR, shutil.get_terminal_size().columns - 20), 1)


def _bar(percent: float, width: int) -> str:
    filled = round(width * percent / 100)
    return "█" * filled + "░" * (width - filled)
