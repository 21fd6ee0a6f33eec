"""What no database can be opened at is told in a sentence of ours, by every door."""

import pytest

import tanon_duck
from tanon_duck import TanonError, cli

DOORS = {
    "connect": tanon_duck.connect,
    "install": lambda path: run("install", path),
    "uninstall": lambda path: run("uninstall", path),
}


def run(*arguments):
    """The command line; what it says is raised."""
    if cli.main([str(a) for a in arguments]) != 0:
        raise TanonError("see what it said")


def said_by(door, path, capsys):
    with pytest.raises(TanonError) as raised:
        DOORS[door](path)
    return capsys.readouterr().err or str(raised.value)


@pytest.mark.parametrize("door", DOORS)
def test_a_folder_and_a_file_of_something_else(tmp_path, capsys, door):
    said = said_by(door, tmp_path, capsys)
    assert f"tanon_duck.{door}: database must be a file, got the folder {tmp_path}" in said
    other = tmp_path / "other.duckdb"
    other.write_text("this is a letter")
    said = said_by(door, other, capsys)
    assert f"{other} is not a DuckDB database: nothing can be kept in it" in said
    assert other.read_text() == "this is a letter"


@pytest.mark.parametrize("door", ["connect", "install"])
def test_a_folder_that_is_not_there(tmp_path, capsys, door):
    path = tmp_path / "none" / "x.duckdb"
    said = said_by(door, path, capsys)
    assert f"tanon_duck.{door}: database must be in a folder that is there, got {path}" in said
