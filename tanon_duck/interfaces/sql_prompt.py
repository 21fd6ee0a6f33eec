"""The prompt of `tanon-duck shell`, over any DuckDB connection."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO, TypeVar, cast

import duckdb

from tanon_duck.errors import TanonError, nearest, one_line
from tanon_duck.interfaces import call_sql
from tanon_duck.interfaces.call_errors import explained
from tanon_duck.interfaces.interruptible_query import InterruptibleRunner
from tanon_duck.interfaces.progress_bar import BelowBar, ProgressBar
from tanon_duck.interfaces.text_rows import show_box

Result = TypeVar("Result")
FIRST, NEXT = "tanon> ", "  ...> "
HISTORY = "TANON_DUCK_HISTORY"
_ROWS, _ROWS_OF_HELP = 40, 1000
_HELP = re.compile(r"\s*from\s+tanon\.help\s*\(", re.I)


def run_shell(
    connection: duckdb.DuckDBPyConnection,
    *,
    input: TextIO | None = None,
    output: TextIO | None = None,
    errors: TextIO | None = None,
    banner: str = "",
) -> int:
    """Run typed statements one by one, or run a text up to its first error.

    Return the exit status.
    """
    source, complaints = input or sys.stdin, errors or sys.stderr
    session = Session(connection, output or sys.stdout)
    try:
        with _without_python_variables(connection):
            if not source.isatty():
                return _run_text(session, source, complaints)
            with _history():
                return _run_interactively(session, complaints, banner)
    finally:
        session.close()


class Session:
    """Runs the statements and the dot commands of one connection, and writes their results."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, output: TextIO) -> None:
        self.connection, self.output = connection, output
        self._pending = ""
        self._width = shutil.get_terminal_size().columns if output.isatty() else 1_000_000
        self._runner = InterruptibleRunner(connection)
        self._bar = ProgressBar(connection, output) if output.isatty() else None

    @property
    def is_idle(self) -> bool:
        """Return whether no statement is incomplete, so that a dot command can begin."""
        after = f"{self._pending}\n."
        words = [at for at, kind in duckdb.tokenize(after) if kind != duckdb.token_type.comment]
        return words == [len(after.encode()) - 1]

    def run_lines(self, lines: Iterable[str]) -> None:
        """Run a whole text; a last statement needs no semicolon."""
        for line in lines:
            self.run_line(line)
        if not self.is_idle:
            self._run_statement(self._pending)

    def run_line(self, line: str) -> None:
        """Run the dot command on this line, or the statements that this line completes."""
        line.encode()  # Python keeps bytes that are no text as surrogates, which DuckDB refuses
        if line.lstrip().startswith(".") and self.is_idle:
            self._run_command(line.strip().rstrip("; "))
            return
        self._pending += line
        text = self._pending.encode()
        begun = 0
        for at, kind in duckdb.tokenize(self._pending) if ";" in line else ():
            if kind == duckdb.token_type.operator and text[at : at + 1] == b";":
                self._pending = text[at + 1 :].decode()
                self._run_statement(text[begun : at + 1].decode())
                begun = at + 1

    def discard_statement(self) -> None:
        """Drop the statement that has no semicolon yet."""
        self._pending = ""

    def close(self) -> None:
        """End the worker thread."""
        self._runner.close()
        if self._bar is not None:
            self._bar.close()

    def run(self, work: Callable[[], Result]) -> Result:
        """Do the work in the worker thread, so that Ctrl-C stops it."""
        if self._bar is None or not self._bar.begin():
            return self._runner.run(work)
        try:
            return self._runner.run(work, self._bar.watch)
        finally:
            self._bar.wipe()

    def _run_statement(self, text: str) -> None:
        try:
            self.run(lambda: self._show(text))
        except duckdb.Error as error:
            if explanation := explained(error, text):
                raise TanonError(explanation) from None
            raise

    def _show(self, text: str) -> None:
        output = cast(TextIO, BelowBar(self.output, self._bar.wipe)) if self._bar else self.output
        rows = _ROWS_OF_HELP if _HELP.match(text) else _ROWS
        for statement in self.connection.extract_statements(text):
            relation = self.connection.sql(statement)
            if relation is None or _only_reports_success(statement, relation):
                continue
            if statement.type == duckdb.StatementType.EXPLAIN:
                output.write("".join(f"{plan}\n" for _key, plan in relation.fetchall()))
            else:
                show_box(relation, output, rows, self._width)
        output.flush()

    def _run_command(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        if name not in COMMANDS:
            raise TanonError(f"{name}: no such command{nearest(name, COMMANDS)}, try .help")
        wanted, _summary, run = COMMANDS[name]
        if bool(wanted) != bool(argument.strip()):
            raise TanonError(f"{name} must be followed by {wanted or 'nothing'}, got {argument!r}")
        run(self, argument.strip())
        self.output.flush()


def _run_text(session: Session, lines: TextIO, errors: TextIO) -> int:
    """Run statement after statement until the first that fails."""
    try:
        session.run_lines(lines)
    except EOFError:
        return 0
    except BrokenPipeError:
        # Nobody reads our output any more, not even what is flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Exception, KeyboardInterrupt) as error:
        session.output.flush()
        errors.write(_error_line(error) + "\n")
        return 1
    return 0


def _run_interactively(session: Session, errors: TextIO, banner: str) -> int:
    """Read and run statements until the user quits."""
    session.output.write(banner + "\n")
    while True:
        try:
            session.run_line(input(FIRST if session.is_idle else NEXT) + "\n")
        except KeyboardInterrupt:
            session.discard_statement()
            session.output.write("\n")
        except EOFError:
            session.output.write("\n")
            return 0
        except Exception as error:
            session.discard_statement()
            errors.write(_error_line(error) + "\n")
            errors.flush()


def _error_line(error: BaseException) -> str:
    """Return an error as one line."""
    if isinstance(error, UnicodeError):
        return "statements must be text in UTF-8, got other bytes"
    return one_line(error) or type(error).__name__


def _only_reports_success(statement: duckdb.Statement, relation: duckdb.DuckDBPyRelation) -> bool:
    """Return whether the rows are DuckDB's own report and not rows that the statement asked for."""
    shape = list(zip(relation.columns, map(str, relation.types), strict=True))
    reports = ([("Success", "BOOLEAN")], [("Count", "BIGINT")])
    return statement.type != duckdb.StatementType.SELECT and shape in reports


@contextmanager
def _without_python_variables(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Keep DuckDB from looking a misspelt table up among the variables of this program."""
    setting = "python_enable_replacements"
    before = connection.execute(f"select current_setting('{setting}')").fetchall()[0][0]
    connection.execute(f"set {setting} = false")
    try:
        yield
    finally:
        # In a transaction that the user left broken, DuckDB refuses even a setting.
        try:
            connection.execute(f"set {setting} = {bool(before)}")
        except duckdb.Error:
            connection.execute("rollback")
            connection.execute(f"set {setting} = {bool(before)}")


@contextmanager
def _history() -> Iterator[None]:
    """Read the lines of earlier sessions, and write those of this one, if that is possible."""
    state = os.environ.get("XDG_STATE_HOME", str(Path.home() / ".local" / "state"))
    path = Path(os.environ.get(HISTORY, Path(state, "tanon-duck", "history")))
    try:
        import readline  # some Pythons come without; input() then has no history

        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # statements can name people: nobody else may read them
        readline.read_history_file(path)
    except (ImportError, OSError):
        yield
        return
    try:
        yield
    finally:
        readline.set_history_length(1000)
        with suppress(OSError):
            readline.write_history_file(path)


def _help(session: Session, _argument: str) -> None:
    lines = {f"{name} {wanted}".strip(): summary for name, (wanted, summary, _) in COMMANDS.items()}
    session.output.write("".join(f"{usage:<12}  {summary}\n" for usage, summary in lines.items()))
    session.output.write("A statement runs when it ends with ; and Ctrl-C stops it.\n")


def _sql(session: Session, call: str) -> None:
    session.output.write(call_sql.sql_of_call(call, session.connection) + "\n")


def _steps(session: Session, call: str) -> None:
    steps = session.run(lambda: call_sql.steps_of_call(session.connection, call))
    session.output.write(f"{steps}\n")


def _run(session: Session, query: str) -> None:
    """Run the statements that a query returns: its column statement, or its only column."""
    relation = session.connection.sql(query)
    columns = relation.columns if relation is not None else []
    if relation is None or ("statement" not in columns and len(columns) != 1):
        raise TanonError(".run: a query with a column statement is wanted, as of tanon.set_roles")
    place = columns.index("statement") if "statement" in columns else 0
    rows = session.run(relation.fetchall)
    for row in rows:
        session.run_lines([f"{row[place]};"])
    session.output.write(f"{len(rows)} statements\n")


def _quit(_session: Session, _argument: str) -> None:
    raise EOFError


# The name of a command, its argument, what it does, and the function.
COMMANDS: dict[str, tuple[str, str, Callable[[Session, str], None]]] = {
    ".help": ("", "this list; from tanon.help() lists the functions", _help),
    ".sql": ("CALL", "the SQL that a call of a function will run", _sql),
    ".steps": ("CALL", "run a call step by step: rows and seconds of each", _steps),
    ".run": ("QUERY", "run the statements that a query returns, as of tanon.set_roles", _run),
    ".quit": ("", "leave (also Ctrl-D)", _quit),
}
