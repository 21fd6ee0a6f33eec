"""Parquet files that tasks read by themselves: each row once, as DuckDB has it, or a refusal."""

import os
from itertools import pairwise

import pyarrow as pa
import pytest

from tanon_duck.errors import TanonError
from tanon_duck.scaling import parquet
from tanon_duck.scaling.shard import ROWS, add

EXOTIC = """select i as "a b", uuid() as u, time '12:00:01.5' + interval (i) minute as t,
    ('12:00:00+0' || i % 5)::timetz as tz, timestamp_ns '2024-01-01 00:00:00.123456789' as ns,
    timestamptz '2024-01-01 00:00:00+00' as zoned, interval (i) day as long, (i * 7)::ubigint as ub,
    {'u': uuid(), 'l': [i, null]} as s, map {'k': i} as m, 'x'::blob as bytes,
    ['nan'::double, -0.0, null, 0.0][i % 4 + 1] as d, (i / 7)::decimal(30, 5) as exact
    from range(200) as t(i)"""


class Rows:
    """What is used of a DataFrame, its tasks run where they are made."""

    def __init__(self, partitions):
        self.partitions = partitions

    def mapInArrow(self, each, schema):  # noqa: N802
        return [list(each(iter(batches))) for batches in self.partitions]


class Session:
    """What is used of a session."""

    def range(self, begin, end, step, partitions):
        assert (begin, step, end) == (0, 1, partitions)
        return Rows([[pa.record_batch([pa.array([n])], ["id"])] for n in range(end)])


def tasks_of(source):
    """The rows that each task read."""
    return [
        sum(batch.num_rows for batch in batches) for batches in source.mapInArrow(iter, "unread")
    ]


@pytest.fixture
def folder(con, tmp_path):
    """Three files: of many row groups, of one, and of none."""
    for name, rows in (("a", 7000), ("b", 10), ("c", 0)):
        con.execute(
            f"copy (select i, '{name}' as f from range({rows}) as t(i)) to "
            f"'{tmp_path}/{name}.parquet' (row_group_size 2048)"
        )
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "_temporary/half.parquet").write_bytes(b"")
    return tmp_path


@pytest.mark.parametrize("rows", [1, 3000, 10_000])
def test_every_row_is_read_by_one_task(con, folder, monkeypatch, rows):
    monkeypatch.setattr(parquet, "ROWS_OF_A_TASK", rows)
    source = parquet.named(Session(), folder, ROWS)
    assert source.tasks == {1: 7010, 3000: 2, 10_000: 1}[rows]
    found = source.mapInArrow(iter, "unread")
    assert len(found) == {1: 5, 3000: 2, 10_000: 1}[rows]  # row groups are not taken apart
    con.register("found", pa.Table.from_batches([b for task in found for b in task]))
    wanted = con.sql(f"from '{folder}/*.parquet' order by all").fetchall()
    assert con.sql("from found order by all").fetchall() == wanted
    for task in found:  # in the order of the files, so that a task opens few of them
        firsts = [batch.column("f")[0].as_py() for batch in task]
        assert all(one <= other for one, other in pairwise(firsts))


def test_types_are_those_that_duckdb_reads(con, tmp_path):
    file = tmp_path / "exotic.parquet"
    con.execute(f"copy ({EXOTIC}) to '{file}' (row_group_size 50)")
    source = parquet.named(Session(), file, ROWS)
    con.execute(source.create)
    for batches in source.mapInArrow(iter, "unread"):
        add(con, ROWS, pa.Table.from_batches(batches))
    described = "select column_name, column_type from (describe from {})"
    read = con.sql(described.format(f"'{file}'")).fetchall()
    assert con.sql(described.format(ROWS)).fetchall() == read
    spelt = "select columns(*)::varchar from {}"
    one, other = spelt.format(f"'{file}'"), spelt.format(ROWS)
    assert (
        con.sql(f"({one} except all {other}) union all ({other} except all {one})").fetchall() == []
    )


def test_only_columns_that_are_wanted_are_read(folder):
    source = parquet.named(Session(), [folder / "a.parquet"], ROWS).select("f")
    ((batch, *_),) = source.mapInArrow(iter, "unread")
    assert batch.schema.names == ["f"]
    assert source.toArrow().shape == (7000, 1)


def test_a_file_that_changes_is_refused(con, folder):
    source = parquet.named(Session(), folder, ROWS)
    file = folder / "b.parquet"
    os.utime(file, ns=(1, file.stat().st_mtime_ns + 1))
    with pytest.raises(
        TanonError, match=r"paths must be files that stay as they are, got .*b\.par"
    ):
        tasks_of(source)
    file.unlink()
    with pytest.raises(TanonError, match="files that every executor sees"):
        tasks_of(source)


def test_a_file_that_changes_while_it_is_read_is_refused(folder):
    source = parquet.named(Session(), folder / "a.parquet", ROWS)
    file = folder / "a.parquet"

    def meddling(batches):
        for batch in batches:
            os.utime(file, ns=(1, 1))
            yield batch

    with pytest.raises(TanonError, match="stay as they are"):
        source.mapInArrow(meddling, "unread")


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (
            "nothing/*.parquet",
            "paths must be Parquet files, patterns or folders of them, got",
        ),
        ("s3://bucket/x.parquet", "elsewhere read a DataFrame, got 's3://bucket/x.parquet'"),
        ("other.parquet", "paths must be Parquet files, got"),
        ("year=2024", "paths must be free of folders whose names are columns"),
        (["a.parquet", "wide.parquet"], "paths must be files of the same columns and types, got"),
        ("numbered.parquet", "paths must be Parquet files, got"),
    ],
)
def test_what_cannot_be_read_alike_by_every_task_is_refused(con, folder, monkeypatch, paths, said):
    monkeypatch.chdir(folder)
    (folder / "other.parquet").write_text("no Parquet")
    (folder / "year=2024").mkdir()
    con.execute("copy (select 1 as i) to 'year=2024/a.parquet'")
    con.execute("copy (select 1::bigint as i, 'a' as f, 2 as more) to 'wide.parquet'")
    con.execute("copy (select 1 as file_row_number) to 'numbered.parquet'")
    with pytest.raises(TanonError) as raised:
        parquet.named(Session(), paths, ROWS)
    assert str(raised.value).startswith("tanon.spark: paths must be")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
