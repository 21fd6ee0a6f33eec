"""Files as people have them: pipes, patterns, databases, encodings, and files that are none."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pytest

from tanon_duck import cli

CALL = ["--respondent=respondent", "--qi=zip"]
ANSWER = "gen_m,gen_s,groups,tuples,respondents\n1,3,2,3,3\n"
TABLE = "select * from (values (1, 'Zürich'), (2, 'Zürich'), (3, 'Bern')) t(respondent, zip)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def copied(name, options=""):
    with duckdb.connect() as con:
        con.execute(f"copy ({TABLE}) to '{name}' {options}")


def answer(capsys, *words):
    assert cli.main(["k_anonymity", *words, *CALL]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys, *words, status=2):
    try:
        found = cli.main(["k_anonymity", *words, *CALL])
    except SystemExit as left:
        found = left.code
    assert found == status
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    ["t.csv", "t.tsv", "t.json", "t.ndjson", "t.parquet", "t.csv.gz", "t.csv.zst", "t.arrow"],
)
def test_standard_input_in_every_format(folder, capsys, monkeypatch, name):
    copied("t.parquet")
    if name != "t.parquet":
        assert cli.main(["generalize", "t.parquet", "--ts=respondent", "--granularity=day"]) == 1
        with duckdb.connect() as con:
            from tanon_duck.interfaces.files.outputs import Output

            Output(folder / name, force=False).write(con, TABLE)
        capsys.readouterr()
    content = (folder / name).read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert answer(capsys, "-") == ANSWER


def test_standard_input_is_read_once_and_not_empty(folder, capsys, monkeypatch):
    assert "standard input is read once" in refused(capsys, "-", "-")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    assert "standard input is empty" in refused(capsys, "-")


@pytest.mark.parametrize("format", ["csv", "tsv", "json", "ndjson", "parquet", "arrow"])
def test_standard_output_in_every_format(folder, capfdbinary, format):
    copied("t.parquet")
    words = ["frequency_set", "t.parquet", *CALL, "--format", format]
    ran = subprocess.run([sys.executable, "-m", "tanon_duck", *words], capture_output=True)
    assert ran.returncode == 0, ran.stderr
    (folder / f"back.{format}").write_bytes(ran.stdout)
    with duckdb.connect() as con:
        from tanon_duck.interfaces.files.inputs import load

        load(con, "back", [folder / f"back.{format}"])
        rows = con.execute("from back order by all").fetchall()
    assert rows == [("Bern", 1, 1), ("Zürich", 2, 2)]


def test_quoted_patterns_and_hive_partitions(folder, capsys):
    copied("parts", "(format parquet, partition_by (zip))")
    assert answer(capsys, "parts/*/*.parquet") == ANSWER
    assert answer(capsys, "parts/**/*.parquet") == ANSWER
    assert "no file matches parts/*.csv" in refused(capsys, "parts/*.csv")


def test_databases(folder, capsys):
    for name in ("t.duckdb", "t.db"):
        with duckdb.connect(name) as con:
            con.execute(f"create table people as {TABLE}")
        assert answer(capsys, name) == ANSWER
    with duckdb.connect("t.duckdb") as con:
        con.execute("create schema other; create table other.more as from people")
    assert "--table must name one of t.duckdb: it has people, other.more" in refused(
        capsys, "t.duckdb"
    )
    assert answer(capsys, "t.duckdb", "--table=other.more") == ANSWER
    assert "there is no table peple in t.duckdb" in refused(capsys, "t.duckdb", "--table=peple")
    with pytest.raises(SystemExit):
        cli.main(["k_anonymity", "t.db", *CALL, "-o", "out.duckdb"])
    assert "out.duckdb must end in one of .parquet" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16"])
def test_encodings(folder, capsys, encoding):
    text = "respondent,zip\n1,Zürich\n2,Zürich\n3,Bern\n"
    (folder / "t.csv").write_bytes(text.encode(encoding))
    assert answer(capsys, "t.csv", f"--encoding={encoding}") == ANSWER


def test_a_wrong_encoding_is_named(folder, capsys):
    (folder / "t.csv").write_bytes("respondent,zip\n1,Zürich\n".encode("latin-1"))
    assert "t.csv is not text in utf-8: name its own, such as --encoding latin-1" in refused(
        capsys, "t.csv"
    )
    assert "t.csv is not text in ascii" in refused(capsys, "t.csv", "--encoding=ascii")
    assert "one that Python knows, got utf9" in refused(capsys, "t.csv", "--encoding=utf9")


def test_what_cannot_be_read_gets_a_sentence(folder, capsys):
    (folder / "empty.csv").touch()
    (folder / "loop.csv").symlink_to("loop.csv")
    (folder / "folder.csv").mkdir()
    os.mkfifo(folder / "pipe.csv")
    assert "pipe.csv is a pipe: read it as standard input, - < pipe.csv" in refused(
        capsys, "pipe.csv"
    )
    assert "empty.csv is empty" in refused(capsys, "empty.csv")
    assert "loop.csv is a link that leads back to itself" in refused(capsys, "loop.csv")
    assert "folder.csv is a folder" in refused(capsys, "folder.csv")
    assert "only local files are read" in refused(capsys, "s3://bucket/x.parquet")


def test_what_is_not_what_its_name_says_is_told_in_one_short_line(folder, capsys):
    copied("t.parquet")
    half = (folder / "t.parquet").read_bytes()
    (folder / "t.parquet").write_bytes(half[: len(half) // 2])
    (folder / "t.json").write_text('[{"respondent": 1, "zip": "Bern"}, {"ui')
    (folder / "t.csv").write_text("respondent,zip\n" + "secret" * 1_000_000)
    (folder / "u.csv").write_text("respondent,zip\n" + "1,2\n" * 30_000 + "Anna,Bern\n")
    for name, kind in (
        ("t.parquet", "parquet"),
        ("t.json", "json"),
        ("t.csv", "csv"),
        ("u.csv", "csv"),
    ):
        said = refused(capsys, name)
        assert said.startswith(f"tanon-duck: {name} cannot be read as {kind}: "), said
        assert len(said) < 400 and said.count("\n") == 1
        assert "secret" not in said and "Bern" not in said


@pytest.mark.parametrize("half", [8, 4000])
@pytest.mark.parametrize("writer", [pa.ipc.new_file, pa.ipc.new_stream])
def test_half_an_arrow_file_is_told_in_one_line(folder, capsys, half, writer):
    table = pa.table({"respondent": range(1000), "zip": range(1000)})
    with writer("t.arrow", table.schema) as out:
        out.write_table(table)
    (folder / "t.arrow").write_bytes((folder / "t.arrow").read_bytes()[:half])
    said = refused(capsys, "t.arrow")
    assert said.startswith("tanon-duck: t.arrow holds no Arrow table: ")
    assert said.count("\n") == 1


def test_a_text_is_no_arrow_file_however_long(folder, capsys):
    """Its first letters are no length of what follows: that would be read into memory."""
    with (folder / "t.arrow").open("wb") as file:
        file.write(b"respondent,zip")
        file.truncate(2_000_000_000)
    assert "t.arrow holds no Arrow table: it does not begin like one" in refused(capsys, "t.arrow")


@pytest.mark.parametrize("content", [b"respondent,zip\n1,2\n" * 500, bytes(9000)])
def test_what_is_no_database_is_told_in_one_line(folder, capsys, content):
    (folder / "t.duckdb").write_bytes(content)
    said = refused(capsys, "t.duckdb")
    assert said.startswith("tanon-duck: t.duckdb cannot be read as a DuckDB database: "), said
    assert len(said) < 400 and said.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever is root may read everything")
def test_a_file_that_may_not_be_read(folder, capsys):
    copied("t.csv")
    (folder / "t.csv").chmod(0)
    assert "t.csv may not be read by this user" in refused(capsys, "t.csv")


def test_the_input_is_never_the_output(folder, capsys):
    copied("t.csv")
    (folder / "same.csv").symlink_to("t.csv")
    os.link("t.csv", "hard.csv")
    before = (folder / "t.csv").read_bytes()
    for name in ("t.csv", "./t.csv", "same.csv", "hard.csv"):
        assert "OUTPUT must be another file than INPUT" in refused(
            capsys, "t.csv", "-o", name, "--force"
        )
    assert (folder / "t.csv").read_bytes() == before


def test_lists_mean_the_same_everywhere(folder, capsys):
    copied("t.csv")
    lists = (["--qi=zip,respondent"], ["--qi", "zip", "--qi", "respondent"])
    shown = []
    for words in lists:
        assert cli.main(["frequency_set", "t.csv", "--respondent=respondent", *words]) == 0
        shown.append(tuple(sorted(capsys.readouterr().out.splitlines())))
    assert len(shown[0]) == 4 and len(set(shown)) == 1
