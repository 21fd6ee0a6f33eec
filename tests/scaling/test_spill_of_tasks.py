"""Rows that do not fit into a task of Spark lie on the disks of Spark, which removes them."""

import os
import subprocess
import sys

CODE = """
from tanon_duck.interfaces import spill_folder as spill
from tanon_duck.scaling import databases
with databases.cursor({}, {}):
    print(len(spill._made))
    input()
databases.close()
"""


def test_in_a_task_of_spark_it_lies_on_the_disks_of_spark(tmp_path):
    (tmp_path / "local").mkdir()
    where = {"SPARK_LOCAL_DIRS": f"{tmp_path / 'missing'},{tmp_path / 'local'}"}
    process = subprocess.Popen(
        [sys.executable, "-c", CODE],
        env={**os.environ, "TMPDIR": str(tmp_path), **where},
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["local"]
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "local").iterdir()] == [0o700]
    process.communicate("\n")
    assert list((tmp_path / "local").iterdir()) == []
