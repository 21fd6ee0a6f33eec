"""Write rows as text: as CSV, batch by batch, or in the box of DuckDB."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from typing import TextIO

import duckdb
import pyarrow as pa

_BATCH_ROWS = 2048


def write_csv(relation: duckdb.DuckDBPyRelation, output: TextIO) -> None:
    """Run the relation and write its rows as CSV, as they come."""
    texts = relation.project("cast(columns(*) as varchar)")
    # Whatever happens to those who read, the query is over afterwards and the connection is free.
    with closing(texts.to_arrow_reader(_BATCH_ROWS)) as reader:
        output.write(",".join(map(_csv_cell, relation.columns)) + "\n")
        for batch in batches(reader):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                output.write(",".join(map(_csv_cell, row)) + "\n")


def show_box(relation: duckdb.DuckDBPyRelation, output: TextIO, rows: int, width: int) -> None:
    """Draw at most ``rows`` rows in DuckDB's box, at most ``width`` letters wide."""
    drawn = io.StringIO()
    with redirect_stdout(drawn):
        relation.show(max_rows=rows, max_width=width)
    output.write(drawn.getvalue().rstrip("\n") + "\n")


def _csv_cell(value: str | None) -> str:
    """Return a CSV cell: NULL is empty, an empty text is ``""``, others have quotes if needed."""
    if value is None:
        return ""
    if value and not any(mark in value for mark in ',"\n\r') and value == value.strip():
        return value
    return '"' + value.replace('"', '""') + '"'


def batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a running query; raise its errors as DuckDB errors."""
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:
            # What went wrong in the query reaches us dressed as an error of a file.
            raise duckdb.Error(str(error)) from error
        yield batch
