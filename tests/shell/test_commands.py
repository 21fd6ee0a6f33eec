"""The dot commands."""

from __future__ import annotations

import pytest
from shell.sitting import ask, values

from tanon_duck.interfaces.sql_prompt import COMMANDS


def test_help_names_every_command() -> None:
    output = ask(".help").output
    assert all(name in output for name in COMMANDS)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (".hlep", ".hlep: no such command; did you mean '.help'?, try .help"),
        (".sql", ".sql must be followed by CALL, got ''"),
        (".help me", ".help must be followed by nothing, got 'me'"),
        (".run select 1, 2", ".run: a query with a column statement is wanted"),
    ],
)
def test_a_wrong_command_says_what_is_allowed(line: str, message: str) -> None:
    answer = ask(line)
    assert answer.status == 1
    assert message in answer.errors
    assert answer.errors.count("\n") == 1


def test_run_runs_the_statements_that_a_query_returns() -> None:
    answer = ask(".run select 'select ' || range || ' as a' from range(2)\nselect 7 as b;")
    assert values(answer) == ["0", "1", "7"]
    assert "2 statements\n" in answer.output


@pytest.mark.parametrize("word", [".quit", "  .quit  ", ".quit;", "-- a comment\n.quit"])
def test_quit_leaves_with_zero(word: str) -> None:
    assert ask(f"{word}\nselect 1;") == ask("")


def test_a_dot_inside_a_statement_is_no_command() -> None:
    assert ask("select 1\n.5 as a;\n").errors != ""
    assert values(ask("select\n.5::double as a;\n")) == ["0.5"]
    assert values(ask("select '\n.quit\n' as a;\n")) == ["\\n.quit\\n"]
    assert values(ask("/*\n.quit\n*/ select 3 as a;\n")) == ["3"]
