"""tanon-duck explore: an address, a page behind it, an end at Ctrl-C, and not a byte written."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from waiting import LONGEST

from tanon_duck import cli

# Ctrl-C is heard even where those who run the tests ignore it, as jobs in the background do.
HEARING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tanon_duck.cli import main
sys.exit(main())
"""


@pytest.fixture
def visits(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    return tmp_path


def files(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_an_address_and_ends_when_it_is_told_to(visits, ends):
    steps = "attribute,level,value,generalized\nsex,1,f,*\nsex,1,m,*\n"
    (visits / "levels.csv").write_text(steps)
    before = files(visits)
    command = [sys.executable, "-c", HEARING, "explore", "visits.parquet", "--hierarchies",
               "levels.csv"]  # fmt: skip
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=visits, env=os.environ, **pipes) as running:
        address = running.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=LONGEST) as page:
            assert b"For the owner" in page.read()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(address.rsplit("/", 2)[0] + "/", timeout=LONGEST)
        question = urllib.request.Request(
            address + "columns", b"{}", {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(question, timeout=LONGEST) as answer:
            assert json.load(answer)["levels"] == [{"attribute": "sex", "level": 1, "values": 1}]
        running.send_signal(ends)
        _, said = running.communicate(timeout=LONGEST)
    assert running.returncode == 0 and "everybody who has this address can read the table" in said
    assert files(visits) == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nothing.parquet"], "there is no file nothing.parquet"),
        (["visits.docx"], "must end in one of"),
        (["visits.parquet", "--hierarchies", "none.csv"], "there is no file none.csv"),
        (["visits.parquet", "--roles", "none.toml"], "there is no file none.toml"),
    ],
)
def test_what_cannot_be_explored_is_said_at_once(visits, capsys, words, says):
    (visits / "visits.docx").write_text("a")
    assert cli.main(["explore", *words]) == 1
    assert says in capsys.readouterr().err


def test_a_database_asks_for_its_table(demo_con, tmp_path, capsys):
    path = tmp_path / "two.duckdb"
    demo_con.execute(f"attach '{path}' as two")
    demo_con.execute("create table two.visits as from visits")
    demo_con.execute("create table two.cases as from cases")
    demo_con.execute("detach two")
    assert cli.main(["explore", str(path)]) == 1
    assert "--table must name one of" in capsys.readouterr().err
