"""Nothing lies under NULL in what is written as Arrow, whatever the type and the depth."""

import duckdb
import pyarrow as pa
import pytest

from tanon_duck.interfaces.files.cleared_nulls import cleared
from tanon_duck.interfaces.files.outputs import Output

MARK = b"\x5e\xc2\xe7\x5e"


def cells(type_, marked, valid=b"\xff"):
    """Eight cells of a fixed width: the mark in some of them, zero in the others."""
    width = type_.bit_width // 8
    content = b"".join(MARK * (width // 4) if i in marked else bytes(width) for i in range(8))
    return pa.Array.from_buffers(type_, 8, [pa.py_buffer(valid), pa.py_buffer(content)])


def hidden(array):
    """How often the mark is found in a file of these cells, none of which shows it."""
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([array], ["x"])
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue().to_pybytes().count(MARK)


# Each second cell is NULL and has the mark under it; no cell is NULL, and the last four show it.
ODD, LAST = (1, 3, 5, 7), (4, 5, 6, 7)
LEAF = cells(pa.float64(), ODD, b"\x55")
SHOWN = cells(pa.float64(), LAST)
SECOND, LATE = pa.array([False, True]), pa.array([i in LAST for i in range(8)])
OFFSETS = pa.array([0, 4, 8], pa.int32())
NESTED = {
    "leaf": LEAF,
    "slice": LEAF.slice(1, 6),
    "short": cells(pa.int32(), ODD, b"\x55"),
    "decimal": cells(pa.decimal128(38, 3), ODD, b"\x55"),
    "list": pa.ListArray.from_arrays(OFFSETS, LEAF),
    "slice of a list": pa.ListArray.from_arrays(OFFSETS, LEAF).slice(1),
    "missing list": pa.ListArray.from_arrays(OFFSETS, SHOWN, mask=SECOND),
    "list of lists": pa.ListArray.from_arrays([0, 2], pa.ListArray.from_arrays(OFFSETS, LEAF)),
    "large list": pa.LargeListArray.from_arrays([0, 3, 8], LEAF),
    "array": pa.FixedSizeListArray.from_arrays(LEAF, 4),
    "missing array": pa.FixedSizeListArray.from_arrays(SHOWN, 4, mask=SECOND),
    "struct": pa.StructArray.from_arrays([LEAF], ["a"]),
    "missing struct": pa.StructArray.from_arrays([SHOWN], ["a"], mask=LATE),
    "map": pa.MapArray.from_arrays(OFFSETS, pa.array(range(8)), LEAF),
    "union": pa.UnionArray.from_sparse(pa.array([0] * 8, pa.int8()), [LEAF], ["a"]),
    "extension": pa.ExtensionArray.from_storage(pa.uuid(), cells(pa.binary(16), ODD, b"\x55")),
}


@pytest.mark.parametrize("name", NESTED)
def test_nothing_is_left_and_no_row_changes(name):
    array = NESTED[name]
    found = cleared(pa.record_batch([array], ["x"])).column(0)
    found.validate(full=True)
    assert found.type == array.type
    assert found.to_pylist() == array.to_pylist()
    assert hidden(array) > 0
    assert hidden(found) == 0


TYPES = (  # noqa: SIM905
    "boolean tinyint hugeint varchar blob date time timestamp interval uuid bit decimal(9,2) "
    "decimal(30,2) float integer[] varchar[][] integer[3] enum('a','b') timestamptz time_ns"
).split()


def test_all_types_of_the_engine_are_read_back(tmp_path):
    columns = [f"if(range % 3 = 0, null, null::{t}) as c{i}" for i, t in enumerate(TYPES)]
    columns += [
        "if(range % 2 = 0, {'a': range, 'b': [range, null]}, null) as s",
        "if(range % 2 = 0, map {range: 'x'}, null) as m",
        "if(range % 3 = 0, union_value(u := range), null) as u",
        "if(range % 2 = 0, 'text' || range, null) as t",
        "if(range % 2 = 0, ('text' || range)::blob, null) as b",
        "if(range % 2 = 0, range % 4 = 0, null) as p",
        "if(range % 2 = 0, ['a', 'b'][range % 2 + 1]::enum('a', 'b'), null) as e",
    ]
    sql = f"select {', '.join(columns)} from range(3000)"
    path = tmp_path / "o.arrow"
    with duckdb.connect() as con:
        Output(path, force=False).write(con, sql)
        plain = con.sql(sql).to_arrow_table()
    with pa.ipc.open_file(str(path)) as file:
        table = file.read_all()
    assert table.schema == plain.schema
    assert table.to_pylist() == plain.to_pylist()
