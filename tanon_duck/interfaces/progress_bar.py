"""Draw a progress bar for queries of more than two seconds, on a terminal."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

import duckdb

from tanon_duck.interfaces.interruptible_query import InterruptibleRunner, Result

PATIENCE_SECONDS = 2.0
_LONGEST_BAR = 40


class Line:
    """A line of a terminal that each text overwrites. Without a terminal it writes nothing."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal, self._drawn = terminal, 0

    @property
    def is_shown(self) -> bool:
        """Return whether the output is a terminal."""
        return self._terminal.isatty()

    def draw(self, text: str) -> None:
        """Replace the line by this text."""
        if not self.is_shown:
            return
        self._terminal.write("\r" + text.ljust(self._drawn))
        self._terminal.flush()
        self._drawn = len(text)

    def wipe(self) -> None:
        """Empty the line."""
        if self._drawn:
            self.draw("")
            self._terminal.write("\r")
            self._terminal.flush()


class ProgressBar:
    """Draws the progress of the running query on a terminal, and erases itself at the end.

    The waiting thread draws. So the bar moves while a Python function blocks DuckDB.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, terminal: TextIO) -> None:
        self._connection = connection
        self._line = Line(terminal)
        self._furthest = 0.0
        self._drawing, self._is_over = threading.Lock(), False
        # The engine reports only where it may; what it draws itself would spoil a result.
        connection.execute("set enable_progress_bar = true")
        connection.execute("set enable_progress_bar_print = false")

    def watch(self, seconds: float) -> None:
        """Draw the bar anew, if it is time."""
        if seconds < PATIENCE_SECONDS or not self._line.is_shown:
            return
        # A new statement begins at nothing again, and between statements there is no progress.
        self._furthest = max(self._connection.query_progress(), 0.0)
        bar = f"{_bar(self._furthest, _bar_width())} {self._furthest:3.0f} %  {seconds:.0f} s"
        with self._drawing:
            if not self._is_over:
                self._line.draw(bar)

    def begin(self) -> bool:
        """Draw again from now on, unless somebody has turned the engine's bar off."""
        setting = "select current_setting('enable_progress_bar')"
        with suppress(duckdb.Error):  # a transaction that is broken answers nothing
            self._is_over = self._connection.execute(setting).fetchall() != [(True,)]
        return not self._is_over

    def close(self) -> None:
        """Let the engine draw again."""
        self._connection.execute("set enable_progress_bar_print = true")

    def wipe(self) -> None:
        """Empty the line, and stop drawing."""
        with self._drawing:
            self._is_over = True
            self._line.wipe()


class BelowBar:
    """An output stream that erases the bar before it writes."""

    def __init__(self, output: TextIO, wipe: Callable[[], None]) -> None:
        self._output, self._wipe = output, wipe
        self.flush = output.flush

    def write(self, text: str) -> int:
        """Erase the bar, then write the text."""
        self._wipe()
        return self._output.write(text)


def run_with_bar(
    connection: duckdb.DuckDBPyConnection, work: Callable[[], Result], quiet: bool
) -> Result:
    """Return the result of work that Ctrl-C stops; draw the bar unless it is to be quiet."""
    runner, bar = InterruptibleRunner(connection), ProgressBar(connection, sys.stderr)
    try:
        return runner.run(work, (lambda _seconds: None) if quiet else bar.watch)
    finally:
        bar.wipe()
        runner.close()


def _bar_width() -> int:
    return max(min(_LONGEST_BAR, shutil.get_terminal_size().columns - 20), 1)


def _bar(percent: float, width: int) -> str:
    filled = round(width * percent / 100)
    return "█" * filled + "░" * (width - filled)
