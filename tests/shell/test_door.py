"""`tanon-duck shell FILE`: the real command over a real file."""

import hashlib
import subprocess
import sys

import pytest
from shell.sitting import environment
from waiting import LONGEST

import tanon_duck
from tanon_duck import demo
from tanon_duck.macros import catalog


def shell(text, *arguments):
    """What the command answers to piped text."""
    command = [sys.executable, "-m", "tanon_duck", "shell", *map(str, arguments)]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=LONGEST, env=environment(None)
    )


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("shell") / "a hospital.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    return path


def test_every_example_runs_in_the_prompt_and_leaves_the_file_as_it_was(database):
    before = hashlib.sha256(database.read_bytes()).hexdigest()
    examples = [function.header.example.rstrip("; \n") for function in catalog.functions().values()]
    ran = shell(";\n".join(examples) + ";\n", database)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert hashlib.sha256(database.read_bytes()).hexdigest() == before


def test_the_prompt_gives_the_rows_of_the_python_door(database, demo_con):
    call = (
        "from tanon.frequency_set('visits', respondent := 'patient', qi := ['zip', 'sex']) "
        "order by all"
    )
    ran = shell(f"{call};", database)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("│")][2:]
    found = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]
    assert found == [[*map(str, row)] for row in demo_con.execute(call).fetchall()]


def test_an_error_is_one_line_and_the_status_one(database):
    ran = shell(
        "from tanon.k_anonymity('visits', respondent := 'patient', qi := ['zpi']);", database
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        "tanon.k_anonymity: qi must be columns of source, none twice, got 'zpi'; "
        "did you mean zip?\n"
    )


def test_read_only_keeps_its_word(database):
    ran = shell("create table t (a int);", "--read-only", database)
    assert ran.returncode == 1
    assert "read-only" in ran.stderr


def test_without_a_file_it_works_in_memory():
    assert "│     7 │" in shell("create table t as select 7 as a; from t;").stdout
