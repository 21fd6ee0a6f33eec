"""Statements piped into the prompt."""

from __future__ import annotations

import subprocess

import duckdb
import pytest
from shell.sitting import ask, environment, pipe, program, values
from waiting import LONGEST


def test_statements_run_one_after_the_other_and_leave_with_zero() -> None:
    answer = pipe("select 1 as a;select\n 2 as\n b;\nselect 3 as c")
    assert (answer.status, values(answer), answer.errors) == (0, ["1", "2", "3"], "")


def test_the_first_error_ends_it_with_one_and_the_message_on_stderr() -> None:
    answer = pipe("select 1 as a;\nfrom nowhere;\nselect 2 as b;\n")
    assert (answer.status, values(answer)) == (1, ["1"])
    assert answer.errors.startswith("Catalog Error: Table with name nowhere does not exist!")
    assert "Traceback" not in answer.errors


def test_an_error_of_tanon_is_one_clean_line() -> None:
    answer = pipe("from tanon.checked(1);")
    assert answer.status == 1
    assert answer.errors == "tanon.checked: k must be at least 2, got 1\n"


def test_a_plan_is_shown_as_a_plan() -> None:
    assert "visits" in ask("explain from visits;").output
    assert "explain_value" not in ask("explain from visits;").output


def test_names_of_the_program_itself_are_not_tables() -> None:
    for name in ("text", "statement", "connection", "relation", "output", "duckdb"):
        answer = ask(f"from {name};")
        assert answer.errors.startswith(f"Catalog Error: Table with name {name} does not exist!")


def test_the_connection_is_handed_back_as_it_was() -> None:
    with duckdb.connect() as connection:
        ask("begin; from nowhere;", connection)
        rows = connection.execute("select current_setting('python_enable_replacements')").fetchall()
        assert rows == [(True,)]
        assert connection.execute("select 1").fetchall() == [(1,)]


def test_a_reader_that_leaves_early_ends_it_quietly() -> None:
    process = subprocess.Popen(
        program(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(None),
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"select 1 as a;" * 10000)
    process.stdin.close()
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 1
    complaints = process.stderr.read()
    process.stderr.close()
    assert complaints == b""


@pytest.mark.parametrize("mode", ["utf-8:strict", "utf-8:surrogateescape"])
def test_bytes_that_are_no_text_are_refused(mode: str) -> None:
    done = subprocess.run(
        program(),
        input="select 'café';\n".encode("latin-1"),
        capture_output=True,
        timeout=LONGEST,
        env=environment(None) | {"PYTHONIOENCODING": mode},
    )
    assert done.returncode == 1
    assert done.stderr == b"statements must be text in UTF-8, got other bytes\n"


def test_an_empty_input_is_fine() -> None:
    assert ask("").status == 0
    assert ask("-- only a comment\n").output == ""


def test_a_text_that_never_closes_is_an_error() -> None:
    answer = ask("select 'abc")
    assert answer.status == 1
    assert "unterminated" in answer.errors


def test_semicolons_in_strings_and_comments_end_nothing() -> None:
    text = """select ';
    ' as a; -- ;
    /* ; */ select $x$;$x$ as ";"; select e'\\';' as c
    """
    assert values(ask(text)) == [";\\n", ";", "';"]
