"""Show a result in one of the modes of the prompt."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from typing import TextIO

import duckdb
import pyarrow as pa

_BATCH_ROWS = 2048
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)")
Row = tuple[str | None, ...]


@dataclass
class Look:
    """How results are shown: the mode, and how much of a box fits."""

    mode: str = "box"
    max_rows: int = 40
    max_width: int | None = None


def show(relation: duckdb.DuckDBPyRelation, look: Look, output: TextIO) -> None:
    """Run the relation once and write its rows in the mode asked for."""
    MODES[look.mode](relation, look, output)
    output.flush()


def _box(relation: duckdb.DuckDBPyRelation, look: Look, output: TextIO) -> None:
    drawn = io.StringIO()
    with redirect_stdout(drawn):
        relation.show(max_rows=look.max_rows, max_width=look.max_width)
    output.write(drawn.getvalue().rstrip("\n") + "\n")


def _csv(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    output.write(",".join(map(_csv_cell, relation.columns)) + "\n")
    for row in _rows_as_text(relation, "cast(columns(*) as varchar)"):
        output.write(",".join(map(_csv_cell, row)) + "\n")


def _csv_cell(value: str | None) -> str:
    """Quoted only where needed; NULL is nothing at all, and so an empty text is quoted."""
    if value is None:
        return ""
    if value and not any(mark in value for mark in ',"\n\r') and value == value.strip():
        return value
    return '"' + value.replace('"', '""') + '"'


def _json(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    names = [json.dumps(name, ensure_ascii=False) for name in relation.columns]
    separator = "["
    for row in _rows_as_text(relation, "to_json(columns(*))"):
        values = ("null" if value is None else value for value in row)
        pairs = (f"{name}:{value}" for name, value in zip(names, values, strict=True))
        output.write(separator + "{" + ",".join(pairs) + "}")
        separator = ",\n"
    output.write("[]\n" if separator == "[" else "]\n")


def _markdown(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    rules = ["--:" if _is_numeric(kind) else "---" for kind in relation.types]
    output.write(_markdown_line(map(_markdown_cell, relation.columns)))
    output.write(_markdown_line(rules))
    for row in _rows_as_text(relation, "cast(columns(*) as varchar)"):
        output.write(_markdown_line(map(_markdown_cell, row)))


def _markdown_line(cells: Iterator[str] | list[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


def _markdown_cell(value: str | None) -> str:
    if value is None:
        return "NULL"
    return value.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def _line(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    names = relation.columns
    width = max(map(len, names))
    separator = ""
    for row in _rows_as_text(relation, "cast(columns(*) as varchar)"):
        output.write(separator)
        for name, value in zip(names, row, strict=True):
            output.write(f"{name:>{width}} = {'NULL' if value is None else value}\n")
        separator = "\n"


def _is_numeric(kind: object) -> bool:
    return _NUMERIC.fullmatch(str(kind)) is not None


def _rows_as_text(relation: duckdb.DuckDBPyRelation, projection: str) -> Iterator[Row]:
    """The rows, every value turned to text by the engine, a batch in memory at a time."""
    with closing(relation.project(projection).to_arrow_reader(_BATCH_ROWS)) as reader:
        for batch in _batches(reader):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:
            # What went wrong in the query reaches us dressed as an error of a file.
            raise duckdb.Error(str(error)) from error
        yield batch


MODES: dict[str, Callable[[duckdb.DuckDBPyRelation, Look, TextIO], None]] = {
    "box": _box,
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "line": _line,
}
