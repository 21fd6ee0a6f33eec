"""Runs of the command line that are killed at a moment of theirs; run by test_unfinished.py.

    python killed_runs.py FOLDER

Nothing is open in this process when it forks. A child that comes to the moment says so, and is
killed there.
"""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tanon_duck import cli
from tanon_duck.interfaces.files import outputs, release_folder
from tanon_duck.publishing import delivering, pair
from tanon_duck.scaling import folders

QUERY = ["frequency_set", "visits.parquet", "--respondent=patient", "--qi=zip"]
RELEASE = [
    "publish_table_pair",
    "cases.parquet",
    "--sensitive=disease",
    "--qi=age",
    "--l=2",
    "--respondent=person",
]
STREAM = [
    "stream",
    "demo.duckdb",
    "flu",
    "--source=cases",
    "--respondent=person",
    "--ts=day",
    "--sensitive=disease",
]
STREAM += ["--qi=age", "--l=2", "--w=4", "--upto=2024-04-11", "--finish"]
# At what moment, of which call.
RUNS = {
    "a result": (outputs, "_move_to_new", [*QUERY, "-o", "out.csv"]),
    "a result that is piped": (shutil, "copyfileobj", [*QUERY, "--format=parquet"]),
    "what is piped in": (shutil, "copyfileobj", [QUERY[0], "-", *QUERY[2:]]),
    "a result with its manifest": (
        release_folder,
        "put_together",
        [*RELEASE, "--result=values", "-o", "out.csv"],
    ),
    "two tables": (
        pair,
        "put_together",
        [*STREAM, "--individuals", "people.csv", "--values", "values.csv"],
    ),
    "a delivery": (delivering, "_flush_to_disk", [*STREAM, "--deliver", "parts"]),
    "a folder of shards": (folders, "_take_place", None),
    "a database": (outputs, "_move_to_new", ["demo", "-o", "new.duckdb"]),
    "a script": (Path, "replace", ["script", "-o", "tanon.sql"]),
}


def run_and_wait(say: int, name: str) -> None:
    """In a child: come to the moment, and stay there."""
    where, moment, words = RUNS[name]

    def wait(*_: object, **__: object) -> None:
        os.write(say, b"here")
        signal.pause()

    setattr(where, moment, wait)
    if words is None:
        with folders.whole("release") as folder:
            (folder / "rows.csv").write_text("rows of people")
    else:
        cli.main(words)


def kill(name: str) -> bytes:
    """What a child has said before it is killed."""
    heard, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            run_and_wait(say, name)
        finally:
            os._exit(1)
    os.close(say)
    said = os.read(heard, 4)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(heard)
    return said


def main(folder: Path) -> None:
    for name in RUNS:
        shutil.copytree(folder / "begun", folder / name)
        os.chdir(folder / name)
        tempfile.tempdir = str(folder / name / "tmp")
        with (folder / "begun" / "visits.parquet").open("rb") as given:
            os.dup2(given.fileno(), 0)
        assert kill(name) == b"here", name


if __name__ == "__main__":
    main(Path(sys.argv[1]))
