"""Files that are made from the SQL files once: by a wheel, or by a checkout on first use."""

import duckdb
import pytest

from tanon_duck.interfaces import built_files


@pytest.fixture
def forgotten():
    """A process that has looked for no file yet."""
    for each in (built_files.file, built_files._folder):
        each.cache_clear()
    yield
    for each in (built_files.file, built_files._folder):
        each.cache_clear()


def test_a_checkout_makes_a_file_once(tmp_path, monkeypatch, forgotten):
    made = []
    monkeypatch.setattr(built_files, "_PACKAGE", _package(tmp_path))
    monkeypatch.setitem(
        built_files._MAKERS, built_files.SCRIPT, lambda path: made.append(path.write_text("x"))
    )
    path = built_files.file(built_files.SCRIPT)
    built_files.file.cache_clear()
    assert (built_files.file(built_files.SCRIPT), path.read_text(), len(made)) == (path, "x", 1)
    assert path.parent.parent == tmp_path / ".built"


def test_a_changed_sql_file_makes_a_new_file(tmp_path, monkeypatch, forgotten):
    monkeypatch.setattr(built_files, "_PACKAGE", _package(tmp_path))
    monkeypatch.setitem(built_files._MAKERS, built_files.SCRIPT, lambda path: path.write_text("x"))
    before = built_files.file(built_files.SCRIPT)
    (tmp_path / "sql" / "a.sql").write_text("select 2")
    for each in (built_files.file, built_files._folder):
        each.cache_clear()
    assert built_files.file(built_files.SCRIPT) != before


def test_without_a_place_a_process_makes_its_own(tmp_path, monkeypatch, forgotten):
    monkeypatch.setattr(built_files, "_PACKAGE", _package(tmp_path))
    monkeypatch.setitem(built_files._MAKERS, built_files.SCRIPT, lambda path: path.write_text("x"))
    (tmp_path / ".built").write_text("a file is in the way")
    path = built_files.file(built_files.SCRIPT)
    assert path.read_text() == "x" and tmp_path not in path.parents
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_wheel_brings_its_files(tmp_path, monkeypatch, forgotten):
    monkeypatch.setattr(built_files, "_PACKAGE", _package(tmp_path))
    (tmp_path / "tanon_duck" / "built").mkdir()
    path = tmp_path / "tanon_duck" / "built" / built_files.SCRIPT
    path.write_text("of the wheel")
    assert built_files.file(built_files.SCRIPT) == path


def test_another_database_named_tanon_is_refused(tmp_path):
    import tanon_duck

    with duckdb.connect() as con:
        con.execute("attach ':memory:' as tanon; create macro tanon.version() as 'theirs'")
        with pytest.raises(tanon_duck.TanonError, match="tanon"):
            tanon_duck.install(con)


def _package(folder):
    """A checkout with one SQL file and an empty compiler."""
    package = folder / "tanon_duck"
    (package / "macros").mkdir(parents=True)
    for name in ("errors.py", "quoting.py"):
        (package / name).write_text("")
    (folder / "sql").mkdir()
    (folder / "sql" / "a.sql").write_text("select 1")
    return package
