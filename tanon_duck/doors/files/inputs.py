"""Files as the tables that the functions read."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pyarrow as pa

from tanon_duck import errors
from tanon_duck.doors.files.formats import ENDINGS, format_of
from tanon_duck.errors import TanonError
from tanon_duck.quoting import identifier, literal

_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)")
Shape = dict[str, str]


def check_input(path: Path) -> None:
    """An error where there is no such file; ValueError where its name tells no format."""
    if format_of(path) is None:
        raise ValueError(f"{path} must end in one of {ENDINGS}")
    if not path.is_file():
        raise TanonError(errors.no_such_file(path))


def load(
    connection: duckdb.DuckDBPyConnection, name: str, paths: list[Path], as_text: list[str]
) -> None:
    """Make the files one temporary table, or view, of this name."""
    shapes, parts = [], []
    for number, path in enumerate(paths):
        part = f"{name} {number}"
        _load_one(connection, part, path, as_text)
        parts.append(part)
        shapes.append((path, _shape(connection, part)))
    _refuse_different_shapes(shapes)
    union = " union all by name ".join(f"from {identifier(part)}" for part in parts)
    connection.execute(f"create temp view {identifier(name)} as {union}")


def _load_one(
    connection: duckdb.DuckDBPyConnection, name: str, path: Path, as_text: list[str]
) -> None:
    found = format_of(path)
    assert found is not None, "checked when the command line was read"
    if not found.reader:
        connection.register(name, _arrow_table(path))
        return
    options = ""
    if found.name == "csv":
        types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in as_text)
        options = ", header = true" + (f", types = {{{types}}}" if types else "")
    reader = f"from {found.reader}({literal(_one_file(path))}{options})"
    # A text file would be parsed again at every read; Parquet is better read where it is needed.
    what = "view" if found.name == "parquet" else "table"
    connection.execute(f"create temp {what} {identifier(name)} as {reader}")


def _one_file(path: Path) -> str:
    """The path so that DuckDB takes it for one file, whatever it is called."""
    return re.sub(r"([\[*?])", r"[\1]", str(path.absolute()))


def _arrow_table(path: Path) -> pa.Table:
    """The table in an Arrow file, mapped into memory, or in an Arrow stream."""
    try:
        return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    except pa.ArrowInvalid:
        pass
    try:
        return pa.ipc.open_stream(pa.memory_map(str(path))).read_all()
    except pa.ArrowInvalid as error:
        raise TanonError(f"{path} holds no Arrow table: {error}") from None


def _shape(connection: duckdb.DuckDBPyConnection, name: str) -> Shape:
    rows = connection.execute(f"describe from {identifier(name)}").fetchall()
    return {column: kind for column, kind, *_ in rows}


def _refuse_different_shapes(shapes: list[tuple[Path, Shape]]) -> None:
    first_path, first = shapes[0]
    for path, shape in shapes[1:]:
        for column in [*first, *shape]:
            kinds = first.get(column), shape.get(column)
            if kinds[0] == kinds[1] or all(k and _NUMERIC.fullmatch(k) for k in kinds):
                continue
            here, there = (k or "missing" for k in kinds)
            raise TanonError(
                f"inputs must have the same columns: {column} is {here} in {first_path}, "
                f"{there} in {path}"
            )
