"""Every block of the documents runs: Python, SQL on the demo tables, and shell commands.

A block ``sh checkout`` runs in a copy of the checkout, as a contributor would, one after the other.
All blocks ``sh whole`` of a document run there as one. Lines ``#> `` show the output of a block.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from waiting import LONGEST

import tanon_duck
from tanon_duck import demo, errors

# What the command line says beside a result: whom it is for, what stayed home.
NOTES = re.compile(
    r"^(\S+: for the owner, not for release|columns not in the release: .*|tanon-duck: warning: .*"
    r"|tanon-duck: \w+: does not hold: .*"
    r"|tanon-duck: The promise holds: .*)\n",
    re.M,
)
ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(document):
    """Return the blocks of a document: kind, tag and text."""
    text = document.read_text()
    blocks = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", text, re.M | re.S)
    whole = "".join(text for _, tag, text in blocks if tag == "whole")
    return [b for b in blocks if b[1] != "whole"] + [("sh", "checkout", whole)] * bool(whole)


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
BY_KIND = {kind: [b for b in BLOCKS if b[0] == kind] for kind in ("sql", "python", "sh")}


def first_line(block):
    return block[2].splitlines()[0][:60]


def statements(text):
    """The statements of a block, each with the comment lines that follow it: what it answers."""
    for found in re.finditer(r"(.*?);\s*\n((?:-- [^\n]*\n)*)", text, re.S):
        yield found[1].strip(), [line[3:] for line in found[2].splitlines()]


def test_every_block_is_of_a_kind_that_is_run():
    assert {kind for kind, *_ in BLOCKS} <= set(BY_KIND)


@pytest.mark.parametrize("block", [b for b in BY_KIND["sql"] if not b[1]], ids=first_line)
def test_sql(demo_con, block):
    ran = 0
    for statement, answer in statements(block[2]):
        rows = demo_con.execute(statement).fetchall()
        if answer:
            assert [str(row) for row in rows] == answer
        ran += 1
    assert ran == block[2].count(";\n")


@pytest.mark.parametrize("block", [b for b in BY_KIND["sql"] if b[1] == "error"], ids=first_line)
def test_sql_that_is_refused(demo_con, block):
    for statement, answer in statements(block[2]):
        with pytest.raises(duckdb.Error) as raised:
            demo_con.execute(statement).fetchall()
        assert errors.one_line(raised.value) == " ".join(answer)


@pytest.mark.parametrize("block", [b for b in BY_KIND["python"] if not b[1]], ids=first_line)
def test_python(tmp_path, block):
    code = block[2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert ran.stderr == ""
    printed = re.findall(r"^# (.*)$", code, re.M)
    assert ran.stdout.splitlines() == printed


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what a contributor works on."""
    copy = tmp_path_factory.mktemp("work") / "checkout"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.svg", "results.json")
    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


def without_set_up(blocks):
    return [block for block in blocks if "python3 -m venv" not in block[2]]


@pytest.mark.parametrize(
    "block", without_set_up(b for b in BY_KIND["sh"] if not b[1]), ids=first_line
)
def test_shell(tmp_path, block):
    """As typed, in an empty folder, with the commands of this environment on the path."""
    run_shell(tmp_path, tmp_path, block)


@pytest.mark.parametrize(
    "block", without_set_up(b for b in BY_KIND["sh"] if b[1] == "checkout"), ids=first_line
)
def test_shell_in_a_checkout(tmp_path, checkout, block):
    """Blocks read the demo that the first one makes; here each may come first."""
    made = checkout / "demo.duckdb"
    if "-o demo.duckdb" in block[2]:
        made.unlink(missing_ok=True)
    elif not made.exists():
        with tanon_duck.connect(made) as con:
            demo.create_tables(con)
    run_shell(tmp_path, checkout, block, PYTHONPATH=str(checkout))


def run_shell(tmp_path, folder, block, **environment):
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "tanon-duck"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tanon_duck "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join(
        [str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block[2]],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PATH": path} | environment,
        timeout=LONGEST,
    )
    assert (ran.returncode, NOTES.sub("", ran.stderr)) == (0, ""), ran.stdout
    shown = re.findall(r"^#> (.*)$", block[2], re.M)
    assert not shown or ran.stdout.splitlines() == shown


def test_the_set_up_commands_are_the_two_that_ci_runs():
    set_up = [b[2] for b in BY_KIND["sh"] if "python3 -m venv" in b[2] and not b[1]]
    assert len(set_up) == 2
    assert all(len(text.splitlines()) == 1 for text in set_up)


def test_the_changelog_is_kept_in_its_form():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"^## (.*)$", text, re.M)[0] == "[Unreleased]"
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", text, re.M)) <= kinds
    assert re.findall(r"^- (?!\*\*[^*]+:\*\* ).*$", text, re.M) == []
