"""The prompt at a terminal, with and without the extra."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from shell.sitting import PROGRAM, WITHOUT_EXTRA, environment
from terminals import CTRL_C, CTRL_D, TAB, UP, Terminal, terminal_of

PROMPT = "tanon>"
WITH_PYTHON_FUNCTIONS = """
import sys, tanon_duck
from tanon_duck.doors.prompt import run_shell
with tanon_duck.connect() as connection:
    sys.exit(run_shell(connection, banner="Welcome."))
"""
LONG = "select count(*) from range(100000000000);\r"


@contextmanager
def prompt(
    history: Path | None = None, *, extra: bool = True, program: str = PROGRAM
) -> Iterator[Terminal]:
    """A prompt that has shown itself."""
    code = program if extra else WITHOUT_EXTRA + program
    with terminal_of(code, environment(history)) as terminal:
        terminal.expect("Welcome.")
        terminal.expect(PROMPT)
        yield terminal


@pytest.mark.parametrize("extra", [True, False])
def test_a_statement_over_several_lines_runs_at_its_semicolon(extra: bool) -> None:
    with prompt(extra=extra) as terminal:
        terminal.type("select 40 + 2 as answer,\r")
        terminal.expect("...>")
        terminal.type("'a;b' as text;\r")
        assert "│     42 │ a;b     │" in terminal.expect("└")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


@pytest.mark.parametrize("extra", [True, False])
def test_ctrl_c_stops_a_query_and_keeps_the_prompt(extra: bool) -> None:
    with prompt(extra=extra) as terminal:
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


@pytest.mark.parametrize("extra", [True, False])
def test_ctrl_c_at_the_prompt_clears_the_line_and_ctrl_d_leaves(extra: bool) -> None:
    with prompt(extra=extra) as terminal:
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
    with prompt(extra=False, program=WITH_PYTHON_FUNCTIONS) as terminal:
        terminal.type("create table b as select i as tid, unnest([j for j in range(26)\r")
        terminal.type("if hash(i * 41 + j) % 10 < 6]) as item from range(20000) t(i);\r")
        terminal.expect(";")
        terminal.expect(PROMPT)
        terminal.type("from tanon.frequent_itemsets('b', 'tid', 'item', 50);\r")
        terminal.expect("0 %  3 s")
        terminal.type(CTRL_C)
        terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type("set enable_progress_bar = false;\r")
        terminal.expect(PROMPT)
        terminal.type("from tanon.frequent_itemsets('b', 'tid', 'item', 50);\r")
        terminal.expect("50);")
        time.sleep(4)
        terminal.type(CTRL_C)
        assert "%" not in terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_ctrl_c_stops_rows_that_keep_coming() -> None:
    with prompt(extra=False) as terminal:
        terminal.type(".mode csv\r")
        terminal.expect(PROMPT)
        terminal.type("from range(1000000000);\r")
        terminal.expect("\n5000\r")
        terminal.type(CTRL_C)
        assert "Error" not in terminal.expect("Interrupted")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


def test_ctrl_c_forgets_a_statement_begun_on_an_earlier_line() -> None:
    with prompt(extra=False) as terminal:
        terminal.type("select nonsense\r")
        terminal.expect("...>")
        terminal.pause()
        terminal.type(CTRL_C)
        terminal.expect(PROMPT)
        terminal.type("select 'a' || 'b' as c;\r")
        assert "Error" not in terminal.expect("│ ab")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


@pytest.mark.parametrize("extra", [True, False])
def test_an_error_is_one_line_and_the_prompt_goes_on(extra: bool) -> None:
    with prompt(extra=extra) as terminal:
        terminal.type("from tanon.checked(1);\r")
        seen = terminal.expect("got 1\r\n") + terminal.expect(PROMPT)
        assert "tanon.checked: k must be at least 2" in seen
        assert "Invalid Input" not in seen
        assert "Traceback" not in seen
        terminal.type(".nonsense\r")
        terminal.expect("no such command")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


def test_tab_completes_functions_tables_columns_and_arguments() -> None:
    with prompt() as terminal:
        for keys, drawn in (
            ("from tanon.fr" + TAB, "equency_set("),
            ("'vis" + TAB, "visits'"),
            (", ui" + TAB, "uid :="),
            ("'pat" + TAB, "patient'"),
            (");\r", "39100"),
        ):
            terminal.type(keys)
            terminal.expect(drawn)
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


def test_tab_knows_a_table_made_a_moment_ago() -> None:
    with prompt() as terminal:
        terminal.type("create table quokkas (weight int); select 'is' || 'made' as it;\r")
        terminal.expect("ismade")
        terminal.expect(PROMPT)
        terminal.type("from quok" + TAB)
        terminal.expect("quokkas")
        terminal.type(" select wei" + TAB)
        terminal.expect("weight")
        terminal.type(";\r")
        terminal.expect("0 rows")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")


def test_history_outlives_the_prompt(tmp_path: Path) -> None:
    history = tmp_path / "history"
    with prompt(history) as terminal:
        terminal.type("select 'first' ||\r 'line' as a;\r")
        terminal.expect("firstline")
        terminal.expect(PROMPT)
        terminal.type(".quit\r")
    assert "+select 'first' ||\n+ 'line' as a;\n" in history.read_text()
    with prompt(history) as terminal:
        terminal.type(UP)
        terminal.expect(".quit")
        terminal.type(UP)
        terminal.expect("'line' as a;")
        terminal.type("\r")
        terminal.expect("firstline")
        terminal.expect(PROMPT)
        terminal.type(CTRL_D)


@pytest.mark.parametrize("extra", [True, False])
def test_nothing_is_left_on_the_screen_at_the_end(extra: bool) -> None:
    with prompt(extra=extra) as terminal:
        terminal.type(".quit\r")
        rest = terminal.rest()
        assert ".quit" in rest
        assert "leaked" not in rest
        assert "Traceback" not in rest
