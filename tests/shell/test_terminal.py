"""The prompt at a terminal."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shell.sitting import PROGRAM, environment
from terminals import CTRL_C, CTRL_D, UP, Terminal, terminal_of

PROMPT = "tanon>"
WITH_PYTHON_FUNCTIONS = """
import sys, tanon_duck
from tanon_duck.interfaces.sql_prompt import run_shell
with tanon_duck.connect() as connection:
    sys.exit(run_shell(connection, banner="Welcome."))
"""
LONG = "select count(*) from range(100000000000);\r"


@contextmanager
def prompt(history: Path | None = None, *, program: str = PROGRAM) -> Iterator[Terminal]:
    """A prompt that has shown itself."""
    with terminal_of(program, environment(history)) as terminal:
        terminal.expect("Welcome.")
        terminal.expect(PROMPT)
        yield terminal


def test_a_statement_over_several_lines_runs_at_its_semicolon() -> None:
    with prompt() as terminal:
        terminal.type("select 40 + 2 as answer,\r")
        terminal.expect("...>")
        terminal.type("'a;b' as text;\r")
        assert "│     42 │ a;b     │" in terminal.expect("└")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


def test_ctrl_c_stops_a_query_and_keeps_the_prompt() -> None:
    with prompt() as terminal:
        terminal.type(LONG)
        terminal.expect("range(100000000000);")
        terminal.pause()
        terminal.type(CTRL_C)
        terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type("select 'still' || 'here' as a;\r")
        terminal.expect("stillhere")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_ctrl_c_at_the_prompt_clears_the_line_and_ctrl_d_leaves() -> None:
    with prompt() as terminal:
        terminal.type("select nonsense")
        terminal.expect("nonsense")
        terminal.pause()
        terminal.type(CTRL_C)
        terminal.expect(PROMPT)
        terminal.type("select 'a' || 'b' as c;\r")
        assert "Error" not in terminal.expect("│ ab")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_the_bar_is_drawn_while_a_python_function_runs() -> None:
    """The engine draws none where all its threads wait for Python."""
    with prompt(program=WITH_PYTHON_FUNCTIONS) as terminal:
        terminal.type("create table b as select i as transaction, unnest([j for j in range(26)\r")
        terminal.type("if hash(i * 41 + j) % 10 < 6]) as item from range(20000) t(i);\r")
        terminal.expect(";")
        terminal.expect(PROMPT)
        terminal.type("from tanon.frequent_itemsets('b', 'transaction', 'item', 50);\r")
        terminal.expect("0 %  3 s")
        terminal.type(CTRL_C)
        terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type("set enable_progress_bar = false;\r")
        terminal.expect(PROMPT)
        terminal.type("from tanon.frequent_itemsets('b', 'transaction', 'item', 50);\r")
        terminal.expect("50);")
        time.sleep(4)
        terminal.type(CTRL_C)
        assert "%" not in terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_ctrl_c_forgets_a_statement_begun_on_an_earlier_line() -> None:
    with prompt() as terminal:
        terminal.type("select nonsense\r")
        terminal.expect("...>")
        terminal.pause()
        terminal.type(CTRL_C)
        terminal.expect(PROMPT)
        terminal.type("select 'a' || 'b' as c;\r")
        assert "Error" not in terminal.expect("│ ab")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_an_error_is_one_line_and_the_prompt_goes_on() -> None:
    with prompt() as terminal:
        terminal.type("from tanon.checked(1);\r")
        seen = terminal.expect("got 1\r\n") + terminal.expect(PROMPT)
        assert "tanon.checked: k must be at least 2" in seen
        assert "Invalid Input" not in seen
        assert "Traceback" not in seen
        terminal.type(".nonsense\r")
        terminal.expect("no such command")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


def test_history_outlives_the_prompt(tmp_path: Path) -> None:
    history = tmp_path / "new" / "history"
    with prompt(history) as terminal:
        terminal.type("select 'first' || 'line' as a;\r")
        terminal.expect("firstline")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")
    assert history.read_text().splitlines() == ["select 'first' || 'line' as a;", ".quit"]
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    with prompt(history) as terminal:
        terminal.type(UP)
        terminal.expect(".quit")
        terminal.type(UP)
        terminal.expect("'line' as a;")
        terminal.type("\r")
        terminal.expect("firstline")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_a_history_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with prompt(blocked / "history") as terminal:
        terminal.type("select 'an' || 'swer' as a;\r")
        terminal.expect("answer")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_nothing_is_left_on_the_screen_at_the_end() -> None:
    with prompt() as terminal:
        terminal.type(".quit\r")
        rest = terminal.rest()
        assert ".quit" in rest
        assert "leaked" not in rest
        assert "Traceback" not in rest
