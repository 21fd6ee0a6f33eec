"""Write results to files: complete or not at all; replace a file only with ``--force``."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from tanon_duck import errors
from tanon_duck.errors import TanonError
from tanon_duck.interfaces import spill_folder
from tanon_duck.interfaces.copy_to_file import copy
from tanon_duck.interfaces.files.cleared_nulls import cleared
from tanon_duck.interfaces.files.file_formats import WRITTEN_ENDINGS, compression_of, format_of
from tanon_duck.interfaces.temporary_folders import workshop
from tanon_duck.interfaces.text_rows import batches, write_csv
from tanon_duck.quoting import identifier

_BATCH_ROWS = 100_000
_RESULT = "tanon_result"
_ZONED = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS")


@dataclass(frozen=True)
class Output:
    """The target of a result: a file, or standard output if ``path`` is None."""

    path: Path | None
    force: bool
    format: str = "csv"  # of standard output

    def check(self) -> None:
        """Raise before any query if the file cannot be written or its format is unknown."""
        if self.path is None:
            return
        found = format_of(self.path)
        if found is None or not found.is_written:
            raise ValueError(f"{self.path} must end in one of {WRITTEN_ENDINGS}, or be -")
        if not self.path.parent.is_dir():
            raise TanonError(f"there is no folder {self.path.parent}")
        self._refuse_to_overwrite()

    def write(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Run the query and write its rows."""
        if self.path is None:
            self._stream(connection, sql)
            return
        with half_written(self.path, None if self.force else self._refuse_to_overwrite) as path:
            _write_file(connection, sql, path, self.path)

    def refuse_inputs(self, paths: Iterable[Path]) -> None:
        """Raise ValueError if the output is one of the inputs, also with ``--force``."""
        if self.path is None or not self.path.exists():
            return
        for path in paths:
            if path.exists() and path.samefile(self.path):
                raise ValueError(f"OUTPUT must be another file than INPUT, got {self.path}")

    def _stream(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Write the rows to standard output; refuse binary formats on a terminal."""
        if self.format == "csv":
            write_csv(connection.sql(_in_utc(connection, sql)), sys.stdout)
            sys.stdout.flush()
            return
        if sys.stdout.isatty() and self.format in ("parquet", "arrow"):
            raise TanonError(f"{self.format} is not for a terminal: name a file with -o")
        with tempfile.TemporaryDirectory(dir=spill_folder.private_folder()) as folder:
            path = Path(folder, f"result.{self.format}")
            _write_file(connection, sql, path, path)
            with path.open("rb") as file:
                sys.stdout.flush()
                shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()

    def _refuse_to_overwrite(self) -> None:
        assert self.path is not None
        _refuse_loop(self.path)
        if self.path.is_dir():
            raise TanonError(f"{self.path} is a folder")
        if self.path.exists() and not self.force:
            raise TanonError(errors.file_exists(self.path) + "; --force replaces it")


@contextmanager
def half_written(named: Path, refuse: Callable[[], None] | None = None) -> Iterator[Path]:
    """Yield a temporary path; move it to ``named`` at the end, or delete it after an error.

    With ``refuse``, the file must be new: if it exists at the end, call ``refuse``, which raises.
    """
    _refuse_loop(named)
    target = named.resolve()
    with workshop(target.parent) as folder:
        path = folder / target.name
        yield path
        if refuse is None:
            path.replace(target)
        else:
            _move_to_new(path, target, refuse)


def _refuse_loop(path: Path) -> None:
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise TanonError(errors.circular_link(path)) from None


def _move_to_new(path: Path, target: Path, refuse: Callable[[], None]) -> None:
    """A link fails where a file appeared meanwhile; some file systems have no links."""
    try:
        os.link(path, target)
    except FileExistsError:
        refuse()
    except OSError:
        refuse()
        path.rename(target)


def put_together(parts: Sequence[Path], targets: Sequence[Path], force: bool) -> None:
    """Move files that belong together to their targets; without ``force``, undo after an error."""
    if force:
        for target in targets[1:]:
            target.unlink(missing_ok=True)
    for place, (part, target) in enumerate(zip(parts, targets, strict=True)):
        try:
            _put(part, target, force)
        except OSError:
            if not force:
                for put in targets[:place]:
                    put.unlink()
            raise


def _put(part: Path, target: Path, force: bool) -> None:
    """A link fails where a file appeared meanwhile; some file systems have no links."""
    if force:
        part.replace(target)
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:
        part.rename(target)


def _write_file(connection: duckdb.DuckDBPyConnection, sql: str, path: Path, named: Path) -> None:
    found = format_of(named)
    if found is not None and not found.options:
        write_arrow(connection.sql(sql), path)
        return
    # COPY of a query that fails halfway never returns in DuckDB 2.0.0; COPY of a table does.
    connection.execute(f"create or replace temp table {_RESULT} as {sql}")
    write_table(connection, _RESULT, path, named)


def write_table(connection: duckdb.DuckDBPyConnection, table: str, path: Path, named: Path) -> None:
    """Write the rows of a table to ``path`` in the format of the name ``named``."""
    found = format_of(named)
    assert found is not None, "checked when the command line was read"
    if not found.options:
        write_arrow(connection.sql(f"from {table}"), path)
        return
    compression = compression_of(named)
    options = found.options + (f", compression {compression}" if compression else "")
    rows = f"from {table}"
    if found.name in ("csv", "json"):
        rows = _in_utc(connection, rows)
    copy(connection, rows, str(path), options)


def _in_utc(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """Cast TIMESTAMP WITH TIME ZONE to text in UTC; DuckDB would use the setting TimeZone."""
    rows = connection.sql(sql)
    columns = zip(rows.columns, rows.types, strict=True)
    zoned = [identifier(name) for name, type in columns if str(type) in _ZONED]
    if not zoned:
        return sql
    texts = ", ".join(f"tanon._value_text({name}) as {name}" for name in zoned)
    return f"select * replace ({texts}) from ({sql})"


def write_arrow(relation: duckdb.DuckDBPyRelation, path: Path) -> None:
    """Run the relation and write its rows as an Arrow file, with empty bytes behind NULL."""
    reader = relation.to_arrow_reader(_BATCH_ROWS)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, reader.schema) as writer:
        try:
            for batch in batches(reader):
                writer.write_batch(cleared(batch))
        finally:
            with suppress(duckdb.Error):
                reader.close()
