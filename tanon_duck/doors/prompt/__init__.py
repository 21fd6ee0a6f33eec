"""The prompt of `tanon-duck shell`, over any DuckDB connection."""

from __future__ import annotations

import os
import shutil
import sys
from io import StringIO
from pathlib import Path
from typing import TextIO

import duckdb

from tanon_duck.doors.prompt.display import Look
from tanon_duck.doors.prompt.execution import names_come_from_sql_alone
from tanon_duck.doors.prompt.history import history_path, prepare_history
from tanon_duck.doors.prompt.messages import readable
from tanon_duck.doors.prompt.prompting import Prompt, make_prompt
from tanon_duck.doors.prompt.session import Session
from tanon_duck.doors.prompt.statements import StatementSplitter

__all__ = ["run_shell"]


def run_shell(
    connection: duckdb.DuckDBPyConnection,
    *,
    input: TextIO | None = None,
    output: TextIO | None = None,
    errors: TextIO | None = None,
    history: Path | None = None,
    mode: str = "box",
    max_rows: int = 40,
    banner: str = "",
) -> int:
    """Answer what is typed, or run what is piped in; the exit status to leave with."""
    source, target = input or sys.stdin, output or sys.stdout
    complaints = errors or sys.stderr
    look = Look(mode, max_rows, _width_of(target))
    session = Session(connection, target, look)
    try:
        with names_come_from_sql_alone(connection):
            if not source.isatty():
                return _run_script(session, source, complaints)
            remembered = prepare_history(history or history_path())
            prompt = make_prompt(source, target, session.names, remembered)
            if banner:
                target.write(banner.rstrip("\n") + "\n")
            return _converse(session, prompt, complaints)
    finally:
        session.close()


def _run_script(session: Session, lines: TextIO, errors: TextIO) -> int:
    """Statement after statement until the first that fails."""
    try:
        session.run_lines(lines)
    except EOFError:
        return 0
    except BrokenPipeError:
        # Whoever read our output has left; nothing more can be said to them, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Exception, KeyboardInterrupt) as error:
        session.output.flush()
        errors.write(readable(error) + "\n")
        return 1
    return 0


def _converse(session: Session, prompt: Prompt, errors: TextIO) -> int:
    """Ask and answer until the user leaves."""
    splitter = StatementSplitter()
    while True:
        try:
            text = prompt.ask(splitter.idle)
            for line in StringIO(text, newline="\n"):
                session.run_line(line, splitter)
        except KeyboardInterrupt:
            splitter.rest()
        except EOFError:
            return 0
        except Exception as error:
            splitter.rest()
            # The progress bar of a query that was stopped still stands in the line.
            errors.write(("\r\x1b[K" if errors.isatty() else "") + readable(error) + "\n")
            errors.flush()


def _width_of(output: TextIO) -> int | None:
    """The terminal's width; elsewhere a box is as wide as its columns."""
    return shutil.get_terminal_size().columns if output.isatty() else 1_000_000
