"""One sitting at the prompt: the connection, how results look, and what to do with each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO, cast

import duckdb

from tanon_duck.doors.explained import explained
from tanon_duck.doors.interruptible import InterruptibleRunner, Result
from tanon_duck.doors.progress import BelowBar, ProgressBar
from tanon_duck.doors.prompt.commands import run_command
from tanon_duck.doors.prompt.display import Look
from tanon_duck.doors.prompt.execution import run_statement
from tanon_duck.doors.prompt.messages import ShellError
from tanon_duck.doors.prompt.names import KnownNames
from tanon_duck.doors.prompt.statements import StatementSplitter
from tanon_duck.errors import TanonError

_DEEPEST_READ = 16


class Session:
    """Carries out statements and dot commands; raises on the first that fails."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, output: TextIO, look: Look) -> None:
        self.connection = connection
        self.output = output
        self.look = look
        self.names = KnownNames(connection)
        self._runner = InterruptibleRunner(connection)
        self._bar = ProgressBar(connection, output) if output.isatty() else None
        self._depth = 0

    def run_lines(self, lines: Iterable[str]) -> None:
        """Run a whole text, line by line; a last statement needs no semicolon."""
        if self._depth >= _DEEPEST_READ:
            raise ShellError(f".read: files read each other more than {_DEEPEST_READ} deep")
        self._depth += 1
        try:
            splitter = StatementSplitter()
            for line in lines:
                self.run_line(line, splitter)
            if rest := splitter.rest():
                self.run_statement(rest)
        finally:
            self._depth -= 1

    def run_line(self, line: str, splitter: StatementSplitter) -> None:
        """Run the dot command on this line, or the statements it completes."""
        if splitter.idle and line.lstrip().startswith("."):
            run_command(self, line.strip())
            return
        for statement in splitter.feed(line):
            self.run_statement(statement)

    def run_statement(self, statement: str) -> None:
        """Run one statement in the worker, so that Ctrl-C reaches it."""
        statement.encode()  # Python stands in for bytes that are no text; DuckDB takes none of it
        self.names.forget()
        try:
            self.run(lambda: run_statement(self.connection, statement, self.look, self._below()))
        except duckdb.Error as error:
            if told := explained(error, statement):
                raise TanonError(told) from None
            raise

    def run(self, work: Callable[[], Result]) -> Result:
        """Do something in the worker, so that Ctrl-C reaches it."""
        if self._bar is None or not self._bar.begin():
            return self._runner.run(work)
        try:
            return self._runner.run(work, self._bar.watch)
        finally:
            self._bar.wipe()

    def _below(self) -> TextIO:
        if self._bar is None:
            return self.output
        return cast(TextIO, BelowBar(self.output, self._bar.wipe))

    def close(self) -> None:
        """Let the worker thread go."""
        self._runner.close()
        if self._bar is not None:
            self._bar.close()
