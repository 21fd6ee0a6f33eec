"""The dot commands of the prompt."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol, TextIO

import duckdb

from tanon_duck.doors import preview
from tanon_duck.doors.interruptible import Result
from tanon_duck.doors.prompt.display import MODES, Look
from tanon_duck.doors.prompt.help_page import help_page
from tanon_duck.doors.prompt.messages import ShellError
from tanon_duck.doors.prompt.names import Function, functions_of, tables_of


class Sitting(Protocol):
    """What a command may use of the session in which it is typed."""

    connection: duckdb.DuckDBPyConnection
    output: TextIO
    look: Look

    def run_lines(self, lines: Iterable[str]) -> None: ...

    def run_statement(self, statement: str) -> None: ...

    def run(self, work: Callable[[], Result]) -> Result: ...


@dataclass(frozen=True)
class Command:
    """What a dot command takes, does, and is good for."""

    argument: str
    summary: str
    run: Callable[[Sitting, str], None]


def run_command(session: Sitting, line: str) -> None:
    """Carry out one line that begins with a dot."""
    name, _, argument = line[1:].rstrip("; ").partition(" ")
    command = COMMANDS.get(name)
    if command is None:
        raise ShellError(f".{name}: no such command{_nearest(name, COMMANDS)}, try .help")
    argument = argument.strip()
    if argument and not command.argument:
        raise ShellError(f".{name}: takes no argument, got {argument}")
    command.run(session, argument)
    session.output.flush()


def _help(session: Sitting, _argument: str) -> None:
    usages = {f".{name} {command.argument}".strip(): command for name, command in COMMANDS.items()}
    _two_columns(session, [(usage, command.summary) for usage, command in usages.items()])
    session.output.write("A statement runs when it ends with ; and Ctrl-C stops it.\n")


def _tables(session: Sitting, _argument: str) -> None:
    rows = session.connection.execute("select current_database(), current_schema()").fetchall()
    here = rows[0]
    described = []
    for table in tables_of(session.connection):
        parts = (table.database, table.schema, table.name)
        shown = table.name if parts[:2] == here else ".".join(parts)
        described.append((shown, f"{table.kind}, {table.columns} columns"))
    _two_columns(session, described)


def _functions(session: Sitting, argument: str) -> None:
    functions = functions_of(session.connection)
    if not argument:
        _two_columns(session, [(f"tanon.{f.name}", f.summary) for f in functions])
        return
    wanted = argument.lower().removeprefix("tanon.").split("(")[0]
    known = {function.name: function for function in functions}
    if wanted not in known:
        raise ShellError(f".functions: no function tanon.{wanted}{_nearest(wanted, known)}")
    session.output.write(help_page(known[wanted]) + "\n")


def _read(session: Sitting, argument: str) -> None:
    if not argument:
        raise ShellError(".read: which file?")
    path = Path(_unquoted(argument)).expanduser()
    # Line ends inside a string are data, so they stay as they are.
    with path.open(encoding="utf-8", newline="") as lines:
        session.run_lines(lines)


def _mode(session: Sitting, argument: str) -> None:
    if not argument:
        session.output.write(f"{session.look.mode} (one of {', '.join(MODES)})\n")
    elif argument in MODES:
        session.look.mode = argument
    else:
        raise ShellError(f".mode: must be one of {', '.join(MODES)}, got {argument}")


def _max_rows(session: Sitting, argument: str) -> None:
    if not argument:
        session.output.write(f"{session.look.max_rows}\n")
    elif argument.isascii() and argument.isdigit() and int(argument) > 0:
        session.look.max_rows = int(argument)
    else:
        raise ShellError(f".maxrows: must be a whole number above zero, got {argument}")


def _sql(session: Sitting, argument: str) -> None:
    text = preview.sql_of_call(_call(".sql", argument), session.connection)
    session.output.write(text + "\n")


def _steps(session: Sitting, argument: str) -> None:
    call = _call(".steps", argument)
    session.output.write(
        f"{session.run(lambda: preview.steps_of_call(session.connection, call))}\n"
    )


def _run(session: Sitting, argument: str) -> None:
    """Run what a query gives: in its column statement, or in its only one."""
    relation = session.connection.sql(_call(".run", argument))
    columns = relation.columns if relation is not None else []
    if relation is None or ("statement" not in columns and len(columns) != 1):
        raise ShellError(".run: a query with a column statement is wanted, as of tanon.declare")
    place = columns.index("statement") if "statement" in columns else 0
    rows = session.run(relation.fetchall)
    for row in rows:
        session.run_statement(str(row[place]))
    session.output.write(f"{len(rows)} statements\n")


def _call(command: str, argument: str) -> str:
    if not argument:
        raise ShellError(f"{command}: which call, such as from tanon.help()?")
    return argument


def _quit(_session: Sitting, _argument: str) -> None:
    raise EOFError("as if the input ended here")


def _two_columns(session: Sitting, rows: list[tuple[str, str]]) -> None:
    width = max((len(left) for left, _ in rows), default=0)
    for left, right in rows:
        session.output.write(f"{left:<{width}}  {right}".rstrip() + "\n")


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text


def _nearest(name: str, known: dict[str, Command] | dict[str, Function]) -> str:
    close = get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


COMMANDS: dict[str, Command] = {
    "help": Command("", "this list", _help),
    "tables": Command("", "the tables and views of this database", _tables),
    "functions": Command("[NAME]", "the functions of tanon, or the help of one", _functions),
    "read": Command("FILE", "run the statements of a file", _read),
    "sql": Command("CALL", "the SQL that a call of a function will run", _sql),
    "steps": Command("CALL", "run a call step by step: rows and seconds of each", _steps),
    "run": Command("QUERY", "run the statements that a query gives, as of tanon.declare", _run),
    "mode": Command("[MODE]", "how results look: " + ", ".join(MODES), _mode),
    "maxrows": Command("[N]", "how many rows a box shows", _max_rows),
    "quit": Command("", "leave (also Ctrl-D)", _quit),
    "exit": Command("", "leave", _quit),
}
