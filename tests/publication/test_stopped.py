"""A process that ends inside any of its writes leaves the step before or the step after."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import LONGEST

KILLS = int(os.environ.get("TANON_TEST_KILLS", "15"))
DAYS = 14 if KILLS < 100 else 3  # of a step
HERE = Path(__file__).parent
COMPILER = shutil.which("cc")


@pytest.mark.skipif(
    COMPILER is None or sys.platform != "linux", reason="needs a C compiler and the libc of Linux"
)
def test_ended_inside_its_writes_the_rows_are_those_of_one_run(tmp_path):
    hook = tmp_path / "stop.so"
    source = HERE / "stop_at_write.c"
    subprocess.run(
        [COMPILER, "-shared", "-fPIC", "-o", hook, source, "-ldl"], check=True, timeout=LONGEST
    )
    ran = subprocess.run(
        [sys.executable, HERE / "stopped.py", tmp_path, str(KILLS), "7", str(DAYS)],
        capture_output=True,
        text=True,
        timeout=LONGEST + 10 * KILLS,
        env={**os.environ, "LD_PRELOAD": str(hook), "PYTHONPATH": str(HERE.parents[1])},
    )
    assert ran.returncode == 0, ran.stderr
    assert f"'killed': {KILLS}" in ran.stdout
