"""What a killed run leaves is for its owner alone, and the next run in its place takes it away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from interfaces.killed_runs import RUNS
from waiting import LONGEST

import tanon_duck
from tanon_duck import demo
from tanon_duck.interfaces import spill_folder, temporary_folders
from tanon_duck.interfaces.temporary_folders import workshop

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder that holds one folder for each run, with what it left."""
    folder = tmp_path_factory.mktemp("killed")
    begun = folder / "begun"
    for place in (begun, begun / "tmp", begun / "parts"):
        place.mkdir()
    with tanon_duck.connect(begun / "demo.duckdb") as con:
        demo.create_tables(con)
        for table in ("visits", "cases"):
            con.execute(f"copy {table} to '{begun}/{table}.parquet'")
    ran = subprocess.run(
        [sys.executable, Path(__file__).with_name("killed_runs.py"), folder],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert ran.returncode == 0, ran.stderr
    return folder


def ours(place):
    return {path for path in place.rglob("*tanon-duck-*") if path.is_dir()}


@pytest.mark.parametrize("name", RUNS)
def test_it_is_for_its_owner_and_goes_with_the_next_run(killed, name):
    place = killed / name
    left = ours(place)
    assert left
    assert {path.stat().st_mode & 0o777 for path in left} == {0o700}
    files = {p.name for p in place.rglob("*") if not any(q in left for q in (p, *p.parents))}
    begun = {p.name for p in (killed / "begun").rglob("*")}
    assert files - begun <= {"demo.duckdb.wal"}
    temporary_folders.remove_left_over(place / "tmp", spill_folder.PREFIX)
    for where in (place, place / "parts"):
        with workshop(where):
            pass
    assert ours(place) == set()


def test_the_folder_of_a_living_run_stays(tmp_path):
    with workshop(tmp_path) as one, workshop(tmp_path) as other:
        assert one != other and one.is_dir() and other.is_dir()
        assert one.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_what_was_taken_away_by_half_goes_with_the_next_run(tmp_path, monkeypatch):
    """The lock goes last, so that the rest is still known for ours."""
    folder, lock = temporary_folders.locked_folder(tmp_path, temporary_folders.PREFIX)
    lock.close()
    for name in ("a", "z"):
        (folder / name).write_text("rows of people")
    unlink = Path.unlink

    def killed(path):
        unlink(path)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            temporary_folders.remove(folder)
    assert len(list(folder.iterdir())) == 2
    with workshop(tmp_path):
        assert not folder.exists()


def left_over(place, prefix):
    """A folder as a killed run leaves it."""
    folder, lock = temporary_folders.locked_folder(place, prefix)
    lock.close()
    (folder / "rows").write_text("of people")
    return folder


@pytest.mark.parametrize("prefix", [temporary_folders.PREFIX, spill_folder.PREFIX])
def test_what_is_not_ours_stays(tmp_path, prefix):
    control = left_over(tmp_path, prefix)
    temporary_folders.remove_left_over(tmp_path, prefix)
    assert not control.exists()
    (tmp_path / f"{prefix}nolock00").mkdir(mode=0o700)
    (tmp_path / f"{prefix}linklink").symlink_to(tmp_path)
    left_over(tmp_path, prefix).rename(tmp_path / f"{prefix}my own notes")
    left_over(tmp_path, prefix).chmod(0o755)
    for text in ("", "of another program"):
        folder = left_over(tmp_path, prefix)
        (folder / temporary_folders._LOCK).rename(folder / "lock")
        if text:
            (folder / temporary_folders._LOCK).write_text(text)
    os.mkfifo(hanging := left_over(tmp_path, prefix) / "fifo")
    hanging.rename(hanging.with_name(temporary_folders._LOCK))
    before = sorted(tmp_path.rglob("*"))
    temporary_folders.remove_left_over(tmp_path, prefix)
    assert sorted(tmp_path.rglob("*")) == before
