"""Statements piped into the prompt."""

from __future__ import annotations

import subprocess
from pathlib import Path

import duckdb
import pytest
from shell.sitting import ask, environment, pipe, program


def test_statements_run_one_after_the_other_and_leave_with_zero() -> None:
    answer = pipe(".mode csv\nselect 1 as a;select\n 2 as\n b;\nselect 3 as c")
    assert (answer.status, answer.output, answer.errors) == (0, "a\n1\nb\n2\nc\n3\n", "")


def test_the_first_error_ends_it_with_one_and_the_message_on_stderr() -> None:
    answer = pipe(".mode csv\nselect 1 as a;\nfrom nowhere;\nselect 2 as b;\n")
    assert (answer.status, answer.output) == (1, "a\n1\n")
    assert answer.errors.startswith("Catalog Error: Table with name nowhere does not exist!")
    assert "Traceback" not in answer.errors


def test_an_error_of_tanon_is_one_clean_line() -> None:
    answer = pipe("from tanon.checked(1);")
    assert answer.status == 1
    assert answer.errors == "tanon.checked: k must be at least 2, got 1\n"


def test_an_error_inside_a_python_function_is_one_clean_line() -> None:
    def fails(_values: object) -> object:
        raise ValueError("tanon.sax: level must be between 2 and 10, got 1\nand a second line")

    with duckdb.connect() as connection:
        connection.create_function("fails", fails, ["BIGINT"], "BIGINT", type="arrow")
        answer = ask("select fails(1);", connection)
    assert answer.errors == "tanon.sax: level must be between 2 and 10, got 1\n"


@pytest.mark.parametrize(
    "statement",
    [
        "create table t as select 1 as a",
        "insert into visits values (4, 'y', '1')",
        "update visits set zip = '2'",
        "delete from visits",
        "create macro twice(x) as (2 * x)",
        "begin; insert into visits values (5, 'z', '3'); rollback",
        "begin; commit",
        "set threads = 1",
        "set variable x = 3",
        "attach ':memory:' as other",
        "checkpoint",
        "prepare p as select 1",
        "drop table visits",
    ],
)
def test_statements_that_only_report_success_are_silent(statement: str) -> None:
    answer = ask(statement + ";")
    assert (answer.status, answer.output, answer.errors) == (0, "", "")


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("insert into visits values (4, 'y', '1') returning patient", "patient\n4\n"),
        ("insert into visits values (4, 'y', '1') returning 7::bigint as \"Count\"", "Count\n7\n"),
        ('select true as "Success"', "Success\ntrue\n"),
        ('select 3::bigint as "Count"', "Count\n3\n"),
        ("pragma table_info('visits')", "cid,name,"),
        ("describe visits", "column_name,"),
        ("show tables", "name\nvisits\n"),
        ("values (1)", "col0\n1\n"),
        ("call pragma_version()", "library_version,"),
        (
            "begin; update visits set zip = 'q'; from visits select distinct zip; rollback",
            "zip\nq\n",
        ),
    ],
)
def test_statements_that_return_rows_show_them(statement: str, shown: str) -> None:
    answer = ask(f".mode csv\n{statement};")
    assert answer.errors == ""
    assert answer.output.startswith(shown)


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
    process.stdin.write(b".mode csv\nfrom range(1000000);\n")
    process.stdin.close()
    assert process.stdout.readline() == b"range\n"
    process.stdout.close()
    assert process.wait(60) == 1
    complaints = process.stderr.read()
    process.stderr.close()
    assert complaints == b""


@pytest.mark.parametrize("mode", ["utf-8:strict", "utf-8:surrogateescape"])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "latin.sql"
    path.write_bytes("select 'café';\n".encode("latin-1"))
    for text in (path.read_bytes(), f".read {path}\n".encode()):
        done = subprocess.run(
            program(),
            input=text,
            capture_output=True,
            timeout=60,
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
