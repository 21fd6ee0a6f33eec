"""A bar on the terminal for whoever waits longer than two seconds."""

from __future__ import annotations

import shutil
from typing import TextIO

import duckdb

PATIENCE_SECONDS = 2.0
_LONGEST_BAR = 40


class Line:
    """A line of a terminal that is written over itself; nothing where there is no terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal, self._drawn = terminal, 0

    @property
    def is_shown(self) -> bool:
        """Whether there is a terminal."""
        return self._terminal.isatty()

    def draw(self, text: str) -> None:
        """Put this text in its place."""
        if not self.is_shown:
            return
        self._terminal.write("\r" + text.ljust(self._drawn))
        self._terminal.flush()
        self._drawn = len(text)

    def wipe(self) -> None:
        """Leave the line as it was."""
        if self._drawn:
            self.draw("")
            self._terminal.write("\r")
            self._terminal.flush()


class ProgressBar:
    """Draws how far the running query is, on a terminal only, and wipes itself away."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, terminal: TextIO) -> None:
        self._connection = connection
        self._line = Line(terminal)
        self._furthest = 0.0
        # The engine reports only where it may; what it draws itself would spoil a result.
        connection.execute("set enable_progress_bar = true")
        connection.execute("set enable_progress_bar_print = false")

    def watch(self, seconds: float) -> None:
        """Draw the bar anew, if it is time."""
        if seconds < PATIENCE_SECONDS or not self._line.is_shown:
            return
        # A new statement begins at nothing again, and between statements there is no progress.
        self._furthest = max(self._connection.query_progress(), 0.0)
        self._line.draw(
            f"{_bar(self._furthest, _bar_width())} {self._furthest:3.0f} %  {seconds:.0f} s"
        )

    def wipe(self) -> None:
        """Leave the line as it was."""
        self._line.wipe()


def _bar_width() -> int:
    return max(min(_LONGEST_BAR, shutil.get_terminal_size().columns - 20), 1)


def _bar(percent: float, width: int) -> str:
    filled = round(width * percent / 100)
    return "█" * filled + "░" * (width - filled)
