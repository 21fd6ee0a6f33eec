"""A process killed at 50 random moments leaves nothing half done."""

import shutil
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from publication.streams import BEGIN, published, whole
from waiting import LONGEST

import tanon_duck
from tanon_duck import TanonError, demo, publication

FIRST, LAST = date(2024, 3, 1), date(2024, 4, 11)
ROOT = Path(__file__).parents[2]


def test_killed_fifty_times_the_rows_are_those_of_one_run(tmp_path):
    path = tmp_path / "cases.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        publication(con, "flu", "cases", **BEGIN)
    script = Path(__file__).with_name("killed.py")
    ran = subprocess.run(
        [sys.executable, str(script), str(path), "50", "7"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert ran.returncode == 0, ran.stderr
    with tanon_duck.connect(path) as con:
        assert published(con) == whole(con)
        steps = con.execute(
            "select count(*), count(distinct snapshot) from flu.state_seen"
        ).fetchall()
        assert steps == [(42, 42)]
        assert publication(con, "flu").manifest()["records"] == 468


def opened_or_told(path):
    """Whether a file is refused for its log; then the message says the way on."""
    try:
        tanon_duck.connect(path).close()
    except TanonError as error:
        assert f"move {path}.wal away, and the file stands as at its" in str(error)
        return True
    return False


@pytest.mark.parametrize("zeros", [10, 1000, 9000])
def test_a_log_with_a_zeroed_tail_is_moved_away_and_nothing_is_released_otherwise(tmp_path, zeros):
    path, log = tmp_path / "cases.duckdb", tmp_path / "cases.duckdb.wal"
    after = tmp_path / "after.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        con.execute("checkpoint")
        # After few days some ages stand alone in what is released.
        stream = publication(con, "flu", "cases", **BEGIN, allow_identifying=["age"])
        for days in (7, 11, 17):
            stream.advance(FIRST + timedelta(days))
        released = stream.individuals().fetchall()
        shutil.copy(path, after)
        Path(f"{after}.wal").write_bytes(log.read_bytes()[:-zeros] + bytes(zeros))
    refused = opened_or_told(after)
    # Where whole entries are zeros, the log ends before them: an earlier state, and no error.
    assert refused or zeros > 10
    if refused:
        Path(f"{after}.wal").unlink()
    with tanon_duck.connect(after) as con:
        stream = publication(con, "flu")
        assert not refused or stream.manifest()["seen_upto"] is None
        stream.advance(FIRST + timedelta(17))
        assert stream.individuals().fetchall() == released
