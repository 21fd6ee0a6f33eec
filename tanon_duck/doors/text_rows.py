"""Rows whose values the engine turned to text, read a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TextIO

import duckdb
import pyarrow as pa

_BATCH_ROWS = 2048
Row = tuple[str | None, ...]


def write_csv(relation: duckdb.DuckDBPyRelation, output: TextIO) -> None:
    """Run the relation and write its rows as CSV, as they come."""
    with rows_as_text(relation, "cast(columns(*) as varchar)") as rows:
        output.write(",".join(map(_csv_cell, relation.columns)) + "\n")
        for row in rows:
            output.write(",".join(map(_csv_cell, row)) + "\n")


def _csv_cell(value: str | None) -> str:
    """Quoted only where needed; NULL is nothing at all, and so an empty text is quoted."""
    if value is None:
        return ""
    if value and not any(mark in value for mark in ',"\n\r') and value == value.strip():
        return value
    return '"' + value.replace('"', '""') + '"'


@contextmanager
def rows_as_text(relation: duckdb.DuckDBPyRelation, projection: str) -> Iterator[Iterator[Row]]:
    """The rows of the relation under a projection that makes every value a text.

    Whatever happens to those who read, the query is over afterwards and the connection is free.
    """
    with closing(relation.project(projection).to_arrow_reader(_BATCH_ROWS)) as reader:
        yield _rows(reader)


def _rows(reader: pa.RecordBatchReader) -> Iterator[Row]:
    for batch in batches(reader):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """The batches of a query that is still running, its errors as errors of DuckDB."""
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:
            # What went wrong in the query reaches us dressed as an error of a file.
            raise duckdb.Error(str(error)) from error
        yield batch
