"""A small database for the prompt, and ways to talk to the prompt over it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
from waiting import LONGEST

from tanon_duck.interfaces.sql_prompt import run_shell

# Stands in for the installed catalog, so that these tests need nothing but the prompt.
PREPARATION = """
create schema tanon;
create macro tanon.frequency_set(source, respondent, qi := ['q']) as table from query_table(source);
comment on macro table tanon.frequency_set is 'Counts people per group.\n\nsource  a table';
create macro tanon.checked(k) as table
    from query(if(k < 2, error('tanon.checked: k must be at least 2, got ' || k), 'select 1 as a'));
comment on macro table tanon.checked is 'Wants a k.';
create macro tanon._private(x) as x;
create table visits (patient integer, "a ""b" varchar, zip varchar);
insert into visits values (1, 'x', '39100'), (2, null, '39012'), (3, '', '39100');
"""
PROGRAM = f"""
import sys
import duckdb
from tanon_duck.interfaces.sql_prompt import run_shell
with duckdb.connect() as connection:
    connection.execute({PREPARATION!r})
    status = run_shell(connection, banner="Welcome.")
sys.exit(status)
"""


@dataclass(frozen=True)
class Answer:
    """What came back from the prompt."""

    status: int
    output: str
    errors: str


def ask(text: str, connection: duckdb.DuckDBPyConnection | None = None) -> Answer:
    """Run the text through the prompt in this process, as if it was piped in."""
    output, errors = io.StringIO(), io.StringIO()
    with duckdb.connect() as own:
        if connection is None:
            own.execute(PREPARATION)
        status = run_shell(connection or own, input=io.StringIO(text), output=output, errors=errors)
    return Answer(status, output.getvalue(), errors.getvalue())


def values(answer: Answer) -> list[str]:
    """The values in the boxes of an answer, of results of one column and one row each."""
    rows = [line for line in answer.output.splitlines() if line.startswith("│")]
    return [row.strip("│").strip() for row in rows[2::3]]


def pipe(text: str) -> Answer:
    """Run the text through the prompt in a process of its own."""
    done = subprocess.run(
        program(),
        input=text,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        env=environment(None),
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def program() -> list[str]:
    """The command that starts the prompt."""
    return [sys.executable, "-c", PROGRAM]


def environment(history: Path | None) -> dict[str, str]:
    """A terminal that asks nothing of its reader, and a history of its own."""
    here = Path(__file__).resolve().parents[2]
    return os.environ | {
        "PYTHONPATH": str(here),
        "TANON_DUCK_HISTORY": str(history or ""),
        "TERM": "xterm",
        "COLUMNS": "100",
        "LINES": "40",
    }
