"""The kept file of functions: made once, used by all, never trusted when it is not ours."""

import hashlib
import os
import subprocess
import sys

import duckdb
import pytest

from tanon_duck import connect
from tanon_duck.doors import kept_catalog


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder, and a process that has not looked for one yet."""
    monkeypatch.setenv("TANON_DUCK_CACHE", str(tmp_path / "cache"))
    kept_catalog.file.cache_clear()
    yield tmp_path / "cache"
    kept_catalog.file.cache_clear()


def attached():
    with connect() as con:
        rows = con.execute("select count(*) > 4 from tanon.granularities()").fetchall()
        assert rows == [(True,)]
        query = "select path from duckdb_databases() where database_name = 'tanon'"
        return con.execute(query).fetchall()[0][0]


def test_made_once_and_attached(folder):
    path = attached()
    (kept,) = folder.iterdir()
    assert path == str(kept)
    made = kept.stat()
    kept_catalog.file.cache_clear()
    assert attached() == path
    assert kept.stat() == made


def test_every_process_finds_the_same_file(folder):
    code = "import tanon_duck; tanon_duck.connect().close()"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=True)
    assert len(list(folder.iterdir())) == 1


def test_a_file_that_newer_versions_have_dropped_is_made_again(folder):
    attached()
    (kept,) = folder.iterdir()
    kept.unlink()
    assert attached() is not None
    assert len(list(folder.iterdir())) == 1


def test_without_a_place_the_functions_are_made_in_memory(folder, monkeypatch):
    monkeypatch.setenv("TANON_DUCK_CACHE", "")
    assert attached() is None
    folder.write_text("a file where the folder should be")
    monkeypatch.setenv("TANON_DUCK_CACHE", str(folder))
    kept_catalog.file.cache_clear()
    assert attached() is None


def test_without_access_to_files_the_functions_are_made_in_memory(folder):
    with connect(config={"enable_external_access": False}) as con:
        assert con.execute("select count(*) > 4 from tanon.help()").fetchall() == [(True,)]


def test_a_broken_file_is_no_obstacle(folder):
    attached()
    (kept,) = folder.iterdir()
    kept.write_bytes(b"not a database")
    assert attached() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
def test_a_file_that_others_may_write_is_made_anew(folder):
    attached()
    (kept,) = folder.iterdir()
    kept.chmod(0o666)
    kept_catalog.file.cache_clear()
    path = attached()
    (kept,) = folder.iterdir()
    assert path == str(kept)
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", ["empty", "truncated", "changed"])
def test_a_damaged_file_is_made_anew(folder, damage):
    attached()
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    kept.write_bytes({"empty": b"", "truncated": whole[:middle], "changed": changed}[damage])
    kept_catalog.file.cache_clear()
    path = attached()
    (kept,) = folder.iterdir()
    assert path == str(kept)


def test_control_a_link_to_a_forged_file_would_be_run(folder, tmp_path):
    forged = forge(tmp_path)
    with connect(config={}) as con:
        con.execute("detach tanon")
        con.execute(f"attach '{forged}' as tanon (read_only)")
        assert con.execute("from tanon.help()").fetchall() == [("forged",)]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
def test_in_a_folder_of_all_nothing_is_run(folder, tmp_path):
    """A link under the very name that is looked for, to a file of ours with other macros."""
    attached()
    (kept,) = folder.iterdir()
    forged = forge(tmp_path)
    kept.unlink()
    kept.symlink_to(forged)
    kept_catalog.file.cache_clear()
    path = attached()  # made anew: the link is gone
    (kept,) = folder.iterdir()
    assert path == str(kept)
    assert not kept.is_symlink()
    kept.unlink()
    kept.symlink_to(forged)
    folder.chmod(0o777)
    kept_catalog.file.cache_clear()
    assert attached() is None
    assert kept.is_symlink()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this system")
def test_a_folder_that_others_can_put_another_for_is_not_used(folder, tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("TANON_DUCK_CACHE", str(tmp_path / "open" / "cache"))
    assert attached() is None
    (tmp_path / "open").chmod(0o755)
    kept_catalog.file.cache_clear()
    assert attached() is not None
    (tmp_path / "link").symlink_to(tmp_path / "open" / "cache")
    monkeypatch.setenv("TANON_DUCK_CACHE", str(tmp_path / "link"))
    kept_catalog.file.cache_clear()
    assert attached() is None


def forge(folder):
    path = folder / "forged.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("create macro help() as table select 'forged' as name")
    return path


def keep_old(folder, number, suffix=""):
    """A file as another version of the package wrote it, with its note."""
    folder.mkdir(mode=0o700, exist_ok=True)
    content = f"old {number}".encode()
    digest = hashlib.sha256(content).hexdigest()[:32]
    old = folder / f"0.0.{number}-{number:016x}-functions-{digest}{suffix}.duckdb"
    old.write_bytes(content)
    old.with_name(f"{old.stem}.attached.file.txt").write_text("0" * 64)
    for path in (old, old.with_name(f"{old.stem}.attached.file.txt")):
        path.chmod(0o600)
        os.utime(path, (number, number))
    return old


def test_files_of_old_versions_are_dropped(folder):
    old = [keep_old(folder, number) for number in range(20)]
    attached()
    assert [path.exists() for path in old] == [False] * 11 + [True] * 9
    left = {path.name.split(".duckdb")[0].split(".attached")[0] for path in folder.iterdir()}
    assert len(left) == 10
    assert len([path for path in folder.iterdir() if path.suffix == ".txt"]) == 9


def test_files_of_others_stay(folder):
    """Databases of the user, even some with names like ours, and the files beside them."""
    names = [f"patients{number}.duckdb" for number in range(12)]
    names += [f"0.1.0-{n:016x}-functions-{'0' * 32}.duckdb" for n in range(12)]
    folder.mkdir(mode=0o700)
    for name in names:
        with duckdb.connect(str(folder / name)) as con:
            con.execute("create table t as select 1 as a")
        (folder / name).with_suffix(".csv").write_text("a")
    for number in range(12):
        keep_old(folder, number, suffix="-copy")
    (folder / f"{kept_catalog._stem('functions')}-mine.duckdb").write_text("mine")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    control = [keep_old(folder, number) for number in range(20)]
    attached()
    assert sum(path.exists() for path in control) == 9
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.name in before}
    assert after == before
