"""Results as files: whole or not at all, and never over another file unless told so."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from waiting import LONGEST

from tanon_duck import cli
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.files.outputs import Output

SQL = 'select range as n, [range, null] as l, \'x,\' || range as "a ""b" from range(3000)'


def write(path, sql=SQL, force=False):
    with duckdb.connect() as con:
        Output(path, force).write(con, sql)


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("o.parquet", "read_parquet"),
        ("o.json", "read_json"),
        ("o.ndjson", "read_json"),
        ("o.json.gz", "read_json"),
    ],
)
def test_every_format_is_read_back(con, tmp_path, name, reader):
    write(tmp_path / name)
    read = con.execute(f"from {reader}('{tmp_path / name}') order by n").fetchall()
    assert read == con.execute(SQL).fetchall()


@pytest.mark.parametrize("name", ["o.csv", "o.tsv", "o.csv.gz"])
def test_csv_is_read_back(con, tmp_path, name):
    sql = SQL.replace("[range, null] as l, ", "")
    write(tmp_path / name, sql)
    assert (
        con.execute(f"from '{tmp_path / name}' order by n").fetchall()
        == con.execute(sql).fetchall()
    )


def test_json_is_one_array_and_ndjson_is_lines(tmp_path):
    import json

    write(tmp_path / "o.json", "from range(3) t(i)")
    assert json.loads((tmp_path / "o.json").read_text()) == [{"i": 0}, {"i": 1}, {"i": 2}]
    write(tmp_path / "o.jsonl", "from range(3) t(i)")
    assert (tmp_path / "o.jsonl").read_text().splitlines() == ['{"i":0}', '{"i":1}', '{"i":2}']


def test_arrow_is_read_back(con, tmp_path):
    write(tmp_path / "o.arrow")
    with pa.ipc.open_file(str(tmp_path / "o.arrow")) as file:
        assert file.read_all().equals(con.sql(SQL).to_arrow_table())


@pytest.mark.parametrize("name", ["o.parquet", "o.csv", "o.json", "o.arrow"])
def test_a_failure_leaves_nothing_behind(tmp_path, name):
    late = "select if(range = 900000, error('too late'), range) as n from range(1000000)"
    with pytest.raises(duckdb.Error, match="too late"):
        write(tmp_path / name, late)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).write_text("precious")
    with pytest.raises(duckdb.Error, match="too late"):
        write(tmp_path / name, late, force=True)
    assert (tmp_path / name).read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["o.parquet", "o.arrow"])
def test_a_file_is_replaced_only_by_force(tmp_path, name, capsys):
    path = tmp_path / name
    path.write_text("precious")
    assert cli.main(["version", "-o", str(path)]) == 1
    assert "exists already, and is left as it is; --force replaces it" in capsys.readouterr().err
    assert path.read_text() == "precious"
    assert cli.main(["version", "-o", str(path), "--force"]) == 0
    assert path.read_bytes() != b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_appears_meanwhile_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "o.parquet"
    output = Output(path, force=False)
    output.check()
    path.write_text("precious")
    with duckdb.connect() as con, pytest.raises(TanonError, match="exists already"):
        output.write(con, SQL)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_system_without_links_works_too(tmp_path, monkeypatch):
    def refuse(*_names):
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "o.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["o.parquet"]
    with pytest.raises(TanonError, match="exists already"):
        write(tmp_path / "o.parquet")


def test_force_through_a_symbolic_link_replaces_what_it_points_to(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write(tmp_path / "link.csv", "select 1 as a", force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "a\n1\n"


def test_a_folder_is_no_output(tmp_path, capsys):
    (tmp_path / "o.csv").mkdir()
    assert cli.main(["version", "-o", str(tmp_path / "o.csv"), "--force"]) == 1
    assert "is a folder" in capsys.readouterr().err


def run(*words, **options):
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen(
        [sys.executable, "-m", "tanon_duck", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(root)},
        **options,
    )


def test_a_reader_that_leaves_early_is_no_failure(con, tmp_path):
    con.execute(f"copy (select range as a from range(300000)) to '{tmp_path}/t.parquet'")
    process = run("frequency_set", f"{tmp_path}/t.parquet", "--respondent=a", "--qi=a")
    assert process.stdout.readline() == b"a,frequency,tuples\n"
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_the_folder_is_left_as_it_was(con, tmp_path):
    """No spill folder, no history, no temporary file."""
    con.execute(f"copy (select range as a, range as b from range(300)) to '{tmp_path}/t.parquet'")
    process = run("k_anonymity", "t.parquet", "--respondent=a", "--qi=b", cwd=tmp_path)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, out, err) == (
        0,
        b"gen_m,gen_s,groups,tuples,respondents\n1,300,300,300,300\n",
        b"",
    )
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


@pytest.mark.parametrize("force", [False, True])
def test_a_link_to_itself_is_refused_before_any_work(tmp_path, force):
    loop = tmp_path / "loop.csv"
    loop.symlink_to("loop.csv")
    with pytest.raises(TanonError, match=r"loop\.csv is a link that leads back to itself"):
        Output(loop, force).check()
    assert loop.is_symlink()


@pytest.mark.parametrize("command", ["demo", "script"])
def test_so_it_is_by_commands_that_read_nothing(tmp_path, capsys, command):
    loop = tmp_path / "loop.duckdb"
    loop.symlink_to("loop.duckdb")
    assert cli.main([command, "-o", str(loop)]) == 1
    assert "loop.duckdb is a link that leads back to itself" in capsys.readouterr().err
