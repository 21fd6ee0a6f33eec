"""A process killed at 50 random moments leaves nothing half done."""

import subprocess
import sys
from pathlib import Path

from publication.streams import BEGIN, published, whole

import tanon_duck
from tanon_duck import demo, publication

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
        timeout=300,
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
