"""What does not fit in memory: nobody else reads it, and nothing of it stays."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tanon_duck import cli, connect
from tanon_duck.interfaces import spill_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
SPILL = (
    "set memory_limit = '80MB'; set threads = 1; set preserve_insertion_order = false; "
    "create table t as select repeat('x', 50) || i as a from range(1500000) as r(i)"
)


def folder_of(con):
    return Path(con.execute("select current_setting('temp_directory')").fetchall()[0][0])


def test_only_the_owner_may_read_it():
    with connect() as con:
        con.execute(SPILL)
        folder = folder_of(con)
        assert list(folder.iterdir())
        assert folder.parent.stat().st_mode & 0o777 == 0o700
        assert folder.parent.parent == Path(tempfile.gettempdir())
    assert not folder.exists()


def test_databases_do_not_share_a_folder_and_connections_to_one_do(tmp_path):
    with connect() as one, connect() as other:
        assert folder_of(one) != folder_of(other)
    with connect(tmp_path / "a.duckdb") as one, connect(tmp_path / "a.duckdb") as other:
        assert folder_of(one) == folder_of(other)


def test_the_choice_of_the_caller_stands(tmp_path):
    with connect(config={"temp_directory": str(tmp_path / "mine")}) as con:
        assert folder_of(con) == tmp_path / "mine"


def start(root, code, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", f"import tanon_duck\ncon = tanon_duck.connect()\n{code}"],
        env={**os.environ, "TMPDIR": str(root), **environment},
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def test_a_folder_that_was_removed_is_made_again(tmp_path):
    """Cleaners of temporary files remove what nobody has read for days."""
    (tmp_path / "t.csv").write_text("a\n1\n")
    with connect() as con:
        shutil.rmtree(spill_folder.private_folder())
        words = ["frequency_set", str(tmp_path / "t.csv"), "--respondent=a", "--qi=a", "--quiet"]
        assert cli.main(words) == 0
        con.execute(SPILL)
        assert folder_of(con).parent == spill_folder.private_folder()
        assert spill_folder.private_folder().stat().st_mode & 0o777 == 0o700


def test_left_over_folders_go_and_those_of_living_processes_stay(tmp_path):
    wait = f"con.execute({SPILL!r}); print('ready', flush=True); input()"
    living, killed = start(tmp_path, wait), start(tmp_path, wait)
    for process in (living, killed):
        assert process.stdout.readline() == "ready\n"
    assert len(list(tmp_path.iterdir())) == 2
    killed.kill()
    killed.communicate()
    (tmp_path / "tanon-duck-spill-link").symlink_to(tmp_path.parent)
    (tmp_path / "tanon-duck-spill-other").mkdir()
    third = start(tmp_path, "")
    third.communicate()
    assert third.returncode == 0
    left = {path.name for path in tmp_path.iterdir()}
    assert len(left) == 3
    assert {"tanon-duck-spill-link", "tanon-duck-spill-other"} < left
    living.communicate("\n")
    assert {path.name for path in tmp_path.iterdir()} == left & {
        "tanon-duck-spill-link",
        "tanon-duck-spill-other",
    }


def test_what_the_command_line_writes_is_for_its_owner(tmp_path, capsys):
    usual = os.umask(0o022)
    try:
        assert cli.main(["demo", "-o", str(tmp_path / "demo.duckdb")]) == 0
        assert cli.main(["script", "-o", str(tmp_path / "tanon.sql")]) == 0
        (tmp_path / "own").write_text("")
    finally:
        os.umask(usual)
    capsys.readouterr()
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"demo.duckdb": 0o600, "tanon.sql": 0o600, "own": 0o644}


def test_a_demo_that_is_killed_leaves_no_database_of_its_name(tmp_path):
    target = tmp_path / "demo.duckdb"
    command = [sys.executable, "-m", "tanon_duck", "demo", "-o", str(target)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    running.stdout.readline()
    running.kill()
    running.communicate()
    assert not target.exists()
    assert cli.main(["demo", "-o", str(target)]) == 0
