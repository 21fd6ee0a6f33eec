"""The dot commands."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from shell.sitting import ask

from tanon_duck.doors.prompt.commands import COMMANDS


def test_help_names_every_command() -> None:
    output = ask(".help").output
    assert all(f".{name}" in output for name in COMMANDS)


def test_tables_lists_tables_and_views_and_where_they_are() -> None:
    answer = ask(
        "create view v as from visits; create schema s; create table s.t (a int);\n.tables"
    )
    assert answer.output.splitlines() == [
        "v           view, 3 columns",
        "visits      table, 3 columns",
        "memory.s.t  table, 1 columns",
    ]


def test_functions_lists_them_with_their_first_line() -> None:
    assert ask(".functions").output.splitlines() == [
        "tanon.checked        Wants a k.",
        "tanon.frequency_set  Counts people per group.",
    ]


@pytest.mark.parametrize(
    "name", ["frequency_set", "tanon.frequency_set", "TANON.Frequency_Set", "frequency_set;"]
)
def test_functions_shows_the_help_of_one(name: str) -> None:
    assert ask(f".functions {name}").output == (
        "tanon.frequency_set(source, uid, qi)\n\nCounts people per group.\n\nsource  a table\n"
    )


def test_the_help_of_a_real_function_has_its_parts(con: duckdb.DuckDBPyConnection) -> None:
    page = ask(".functions frequency_set", con).output
    assert page.startswith("tanon.frequency_set(source, uid := NULL, qi := ")
    for part in ("Arguments:\nsource ", "Result:\n", "frequency ", "Details:\n", "Example:\n"):
        assert part in page
    for label in ("Argument: ", "Signature: ", "Topic: "):
        assert label not in page


def test_mode_changes_how_results_look() -> None:
    assert ask(".mode json\nselect 1 as a;").output == '[{"a":1}]\n'
    assert ask(".mode").output == "box (one of box, csv, json, markdown, line)\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (".mode pie", ".mode: must be one of box, csv, json, markdown, line, got pie"),
        (".maxrows none", ".maxrows: must be a whole number above zero, got none"),
        (".maxrows 0", ".maxrows: must be a whole number above zero, got 0"),
        (".tabels", ".tabels: no such command (did you mean tables?), try .help"),
        (".functions freqency_set", "(did you mean frequency_set?)"),
        (".read", ".read: which file?"),
        (".read /nowhere/x.sql", "/nowhere/x.sql: No such file or directory"),
        (".tables visits", ".tables: takes no argument, got visits"),
    ],
)
def test_a_wrong_command_says_what_is_allowed(line: str, message: str) -> None:
    answer = ask(line)
    assert answer.status == 1
    assert message in answer.errors
    assert answer.errors.count("\n") == 1


def test_read_runs_a_file_with_commands_and_no_last_semicolon(tmp_path: Path) -> None:
    script = tmp_path / "a file.sql"
    script.write_bytes(b".mode csv\r\nselect\r\n 1 as a;\r\nselect length('x\r\ny') as b")
    assert ask(f".read '{script}'\nselect 2 as c;").output == "a\n1\nb\n4\nc\n2\n"


def test_read_stops_at_the_first_error(tmp_path: Path) -> None:
    script = tmp_path / "fails.sql"
    script.write_text(".mode csv\nselect 1 as a;\nfrom nowhere;\nselect 2 as b;\n")
    answer = ask(f".read {script}\nselect 3 as c;")
    assert (answer.status, answer.output) == (1, "a\n1\n")


def test_a_file_that_reads_itself_ends(tmp_path: Path) -> None:
    script = tmp_path / "self.sql"
    script.write_text(f".read {script}\n")
    assert "files read each other" in ask(f".read {script}").errors


@pytest.mark.parametrize("word", [".quit", ".exit", "  .quit  ", ".quit;"])
def test_quit_leaves_with_zero(word: str) -> None:
    assert ask(f".mode csv\n{word}\nselect 1;") == ask("")


def test_a_dot_inside_a_statement_is_no_command() -> None:
    assert ask(".mode csv\nselect 1\n.5 as a;\n").errors != ""
    assert ask(".mode csv\nselect\n.5::double as a;\n").output == "a\n0.5\n"
    assert ask(".mode csv\nselect '\n.quit\n' as a;\n").output == 'a\n"\n.quit\n"\n'
