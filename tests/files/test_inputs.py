"""Files of every format as tables."""

import duckdb
import pyarrow as pa
import pytest

from tanon_duck import cli
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.files.file_formats import format_of
from tanon_duck.interfaces.files.inputs import load
from tanon_duck.interfaces.files.staged_inputs import Reading

SQL = """
select i as n, 'é' || i as "a ""b", case when i % 3 = 0 then null else i / 7 end as x,
    date '2020-01-01' + i::integer as day, timestamp '2020-01-01 10:00' as at
from range(1, 2000) t(i)
"""
COPIED = {
    "t.parquet": "",
    "t.pq": "format parquet",
    "t.csv": "",
    "t.CSV": "format csv",
    "t.csv.gz": "",
    "t.tsv": "format csv, delimiter '\t'",
    "t.json": "array true",
    "t.ndjson": "format json",
    "t.jsonl.gz": "format json, compression gzip",
    "[a]*?.csv": "format csv",
    "o'x; drop.parquet": "",
}


def loaded(*paths, as_text=()):
    with duckdb.connect() as con:
        load(con, "source", list(paths), Reading(tuple(as_text)))
        return con.execute("from source order by all").fetchall()


@pytest.mark.parametrize("name", COPIED)
def test_every_format_duckdb_writes(con, tmp_path, name):
    path = tmp_path / name
    options = f"({COPIED[name]})" if COPIED[name] else ""
    con.execute(f"copy ({SQL}) to '{str(path).replace(chr(39), chr(39) * 2)}' {options}")
    assert loaded(path) == con.execute(f"{SQL} order by all").fetchall()


@pytest.mark.parametrize("name", ["t.arrow", "t.feather", "t.ipc"])
@pytest.mark.parametrize("writer", [pa.ipc.new_file, pa.ipc.new_stream])
def test_arrow_files_and_streams(con, tmp_path, name, writer):
    table = con.sql(SQL).to_arrow_table()
    with pa.OSFile(str(tmp_path / name), "wb") as file, writer(file, table.schema) as out:
        out.write_table(table)
    assert loaded(tmp_path / name) == con.execute(f"{SQL} order by all").fetchall()


def test_files_of_several_formats_are_one_table(con, tmp_path):
    con.execute(f"copy (select 1 as a, 'x' as b) to '{tmp_path}/1.csv'")
    con.execute(f"copy (select 'y' as b, 2 as a) to '{tmp_path}/2.parquet'")
    con.execute(f"copy (select 2.5 as a, 'z' as b) to '{tmp_path}/3.json'")
    paths = [tmp_path / name for name in ("1.csv", "2.parquet", "3.json")]
    assert loaded(*paths) == [(1, "x"), (2, "y"), (2.5, "z")]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("1 as a", "1 as b", "a is INTEGER in {0}, missing in {1}"),
        ("1 as a", "1 as a, 2 as b", "b is missing in {0}, INTEGER in {1}"),
        ("1 as a", "'x' as a", "a is INTEGER in {0}, VARCHAR in {1}"),
    ],
)
def test_files_that_do_not_fit_together_are_refused(con, tmp_path, first, second, message):
    paths = [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    for path, columns in zip(paths, (first, second), strict=True):
        con.execute(f"copy (select {columns}) to '{path}'")
    with pytest.raises(TanonError, match="inputs must have the same columns") as raised:
        loaded(*paths)
    assert message.format(*paths) in str(raised.value)


def test_codes_that_look_like_numbers_can_stay_text(tmp_path):
    paths = [tmp_path / "east.csv", tmp_path / "west.csv"]
    paths[0].write_text("zip,n\n01234,1\n00012,2\n")
    paths[1].write_text("zip,n\n81234,3\n")
    assert loaded(paths[0]) == [("00012", 2), ("01234", 1)]
    with pytest.raises(TanonError, match=r"zip is VARCHAR in .*east.csv, BIGINT in .*west.csv"):
        loaded(*paths)
    both = [("00012", 2), ("01234", 1), ("81234", 3)]
    assert loaded(*paths, as_text=["zip"]) == both


def test_a_table_of_nothing_but_text_keeps_its_first_line_as_names(tmp_path):
    path = tmp_path / "t.csv"
    for text, rows in (("a,b\nx,y\n", [("x", "y")]), ("a,b\n", []), ("1,2\n3,4\n", [(3, 4)])):
        path.write_text(text)
        with duckdb.connect() as con:
            load(con, "source", [path])
            assert con.sql("from source").columns == text.split("\n")[0].split(",")
            assert con.execute("from source").fetchall() == rows


@pytest.mark.parametrize("content", [b"A", b"not an arrow file at all"])
def test_a_broken_arrow_file_is_named(tmp_path, content, capsys):
    path = tmp_path / "t.arrow"
    path.write_bytes(content)
    assert cli.main(["frequency_set", str(path), "--respondent=a", "--qi=b"]) == 1
    assert f"{path} holds no Arrow table" in capsys.readouterr().err


def test_a_calendar_or_a_release_is_a_second_file(demo_con, tmp_path, capsys):
    """The costs of reposition may stand in a table, a calendar always does."""
    cases, costs = tmp_path / "cases.parquet", tmp_path / "costs.csv"
    demo_con.execute(f"copy cases to '{cases}'")
    demo_con.execute(
        f"copy (select range as distance, 3 * range as cost from range(5)) to '{costs}'"
    )
    words = ["publish_stream", str(cases), "--ts=day", "--sensitive=disease", "--l=2", "--w=4"]
    words += ["--respondent=person", "--result=summary"]
    assert cli.main([*words, f"--move-cost={costs}"]) == 0
    from_file = capsys.readouterr().out
    assert cli.main([*words, "--move-cost=3*d"]) == 0
    assert capsys.readouterr().out == from_file
    calendar = tmp_path / "terms.csv"
    calendar.write_text(
        "granularity,granule,label,starts,ends\n"
        "term,1,spring,2020-01-01,2020-07-01\nterm,2,autumn,2020-07-01,2035-01-01\n"
    )
    words = ["frequency_set", str(cases), "--respondent=record", "--qi=disease", "--ts=day"]
    columns = [c for c, *_ in demo_con.execute("describe cases").fetchall()]
    words[2] = f"--respondent={columns[0]}"
    assert cli.main([*words, "--granularity=term", f"--calendar={calendar}"]) == 0
    assert "autumn" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["t", "t.txt", "t.gz", "t.parquet.gz", ".csv.", "csv"])
def test_a_name_that_tells_no_format(tmp_path, name):
    assert format_of(tmp_path / name) is None
