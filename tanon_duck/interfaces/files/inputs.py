"""Load files as the tables that functions read."""

from __future__ import annotations

import errno
import glob
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa

from tanon_duck import errors
from tanon_duck.errors import DataError, TanonError
from tanon_duck.interfaces.files.file_formats import ENDINGS, format_of
from tanon_duck.interfaces.files.staged_inputs import STDIN, Reading
from tanon_duck.macros.header import Argument, Header
from tanon_duck.quoting import identifier, literal

_TABLES = """
from (
    select schema_name, table_name, database_name from duckdb_tables() where not internal
    union all
    select schema_name, view_name, database_name from duckdb_views() where not internal
)
select schema_name, table_name where database_name = $alias and schema_name != 'tanon'
order by all asc nulls last
"""
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)")
_ARROW_FILE, _ARROW_STREAM = b"ARROW1", b"\xff\xff\xff\xff"
_AS_IT_IS = Reading()
Shape = dict[str, str]


def paths_named(text: str) -> list[Path]:
    """Return the files that a word names: one path, or all matches of a pattern."""
    if "://" in text:
        raise ValueError(f"{text} is on another machine: only local files are read")
    path = Path(text)
    if path == STDIN or os.path.lexists(path) or not glob.has_magic(text):
        return [path]
    found = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - may begin with a slash
    if not found:
        raise TanonError(f"no file matches {text}")
    return [Path(name) for name in found]


def check_input(path: Path) -> None:
    """Raise if the file cannot be read; raise ValueError if its format is unknown."""
    if path == STDIN:
        return
    if format_of(path) is None:
        raise ValueError(f"{path} must end in one of {ENDINGS}")
    try:
        if not path.stat().st_size and path.is_file():
            raise TanonError(errors.empty_file(path))
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise TanonError(errors.circular_link(path)) from None
        raise TanonError(errors.no_such_file(path)) from None
    if path.is_dir():
        raise TanonError(f"{path} is a folder: name its files, or a pattern such as {path}/*")
    if path.is_fifo():  # it may never say a word, and can be read once
        raise TanonError(f"{path} is a pipe: read it as standard input, - < {path}")
    if not os.access(path, os.R_OK):
        raise TanonError(f"{path} may not be read by this user")


def files_as_sql(paths: list[Path]) -> str:
    """Return the SQL that reads files by name, several files as one table."""
    files = [identifier(str(path)) for path in paths]
    return files[0] if len(files) == 1 else f"(from {' union all by name from '.join(files)})"


def load(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    paths: list[Path],
    reading: Reading = _AS_IT_IS,
) -> None:
    """Load files, and create one temporary view over them under this name."""
    shapes, parts = [], []
    for number, path in enumerate(paths):
        part = f"{name} {number}"
        _load_one(connection, part, path, reading)
        parts.append(part)
        shapes.append((path, _shape(connection, part)))
    _refuse_different_shapes(shapes)
    union = " union all by name ".join(f"from {identifier(part)}" for part in parts)
    connection.execute(f"create temp view {identifier(name)} as {union}")


def _load_one(
    connection: duckdb.DuckDBPyConnection, name: str, path: Path, reading: Reading
) -> None:
    found = format_of(path)
    assert found is not None, "checked when the command line was read"
    if found.name == "arrow":
        connection.register(name, _arrow_table(path))
        return
    if found.name == "duckdb":
        table = database_table(connection, path, reading)
        connection.execute(f"create temp view {identifier(name)} as from {table}")
        return
    options = ""
    if found.name == "csv":
        types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in reading.as_text)
        options = ", header = true" + (f", types = {{{types}}}" if types else "")
    reader = f"from {found.reader}({literal(_without_patterns(path))}{options})"
    # A text file would be parsed again at every read; Parquet is better read where it is needed.
    what = "view" if found.name == "parquet" else "table"
    try:
        connection.execute(f"create temp {what} {identifier(name)} as {reader}")
    except duckdb.Error as error:
        if "encoded" in str(error) and found.name == "csv":
            setting = reading.setting("encoding", "latin-1")
            raise TanonError(errors.not_in_encoding(path, "utf-8", setting)) from None
        if isinstance(error, duckdb.OutOfMemoryException | duckdb.InterruptException):
            raise
        raise _unreadable(path, found.name, error) from None


def database_table(connection: duckdb.DuckDBPyConnection, path: Path, reading: Reading) -> str:
    """Return the SQL name of a table in a database file, attached for reading.

    The table is the one that ``reading`` names, or the only one of the file.
    """
    table = reading.table
    alias = f"file {path.absolute()}"
    attached = "from duckdb_databases() where database_name = $alias"
    if not connection.execute(attached, {"alias": alias}).fetchall():
        try:
            connection.execute(
                f"attach {literal(str(path.absolute()))} as {identifier(alias)} (read_only)"
            )
        except duckdb.Error as error:
            raise _unreadable(path, "a DuckDB database", error) from None
    rows = connection.execute(_TABLES, {"alias": alias}).fetchall()
    known = {
        name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in rows
    }
    if not table and len(known) == 1:
        table = next(iter(known))
    if table not in known:
        named = f"{reading.setting('table')} must name one of {path}"
        wanted = f"there is no table {table} in {path}" if table else named
        raise TanonError(f"{wanted}: it has {', '.join(known) or 'none'}")
    return ".".join(map(identifier, (alias, *known[table])))


def _without_patterns(path: Path) -> str:
    """Escape pattern characters in a path, so that DuckDB reads exactly this file."""
    return re.sub(r"([\[*?])", r"[\1]", str(path.absolute()))


def _arrow_table(path: Path) -> pa.Table:
    """Read the table of an Arrow file or an Arrow stream; map the file into memory."""
    with path.open("rb") as file:
        start = file.read(len(_ARROW_FILE))
    # Arrow takes the first bytes of anything else for a length, and reads as much.
    if start != _ARROW_FILE and not start.startswith(_ARROW_STREAM):
        raise TanonError(f"{path} holds no Arrow table: it does not begin like one")
    opened = pa.ipc.open_file if start == _ARROW_FILE else pa.ipc.open_stream
    try:
        return opened(pa.memory_map(str(path))).read_all()
    except (pa.ArrowException, OSError) as error:
        message = f"{path} holds no Arrow table"
        raise DataError(f"{message}: {errors.one_line(error)}", message) from None


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


def _unreadable(path: Path, kind: str, error: BaseException) -> DataError:
    """Return the error for a file that is not what its name says, without its lines: people."""
    said = str(error).split("\n\nLINE ")[0].partition(": ")[2].splitlines()
    reasons = [
        line.strip(" .") for line in said if line.strip() and not line.startswith("Original Line")
    ]
    message = f"{path} cannot be read as {kind}"
    return DataError(f"{message}: {'; '.join(reasons[:2])[:300]}", message)


def read_lists(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    header: Header,
    values: Mapping[str, str],
    as_text: Collection[str],
) -> None:
    """Turn texts into lists in the columns of a loaded view of which the function takes lists.

    CSV has no lists, so that what was written as one comes back as its text.
    """
    rows = connection.execute(f"describe from {identifier(relation)}").fetchall()
    kept = {name.lower() for name in as_text}
    texts = {n.lower(): n for n, kind, *_ in rows if kind == "VARCHAR" and n.lower() not in kept}
    wanted = {
        texts[name.lower()]: kind
        for name, kind in _list_columns(header, relation, values)
        if name.lower() in texts and _are_lists(connection, relation, texts[name.lower()], kind)
    }
    if not wanted:
        return
    lists = ", ".join(f"{identifier(n)}::{kind} as {identifier(n)}" for n, kind in wanted.items())
    texts_of = f"{relation} as text"
    connection.execute(f"alter view {identifier(relation)} rename to {identifier(texts_of)}")
    connection.execute(
        f"create temp view {identifier(relation)} as "
        f"select * replace ({lists}) from {identifier(texts_of)}"
    )


def _list_columns(
    header: Header, relation: str, values: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the columns of a relation that may contain lists, with the list type."""
    for argument in header.arguments:
        kind = argument.kind
        if argument.name == relation:
            yield from ((n, type) for n, type in kind.columns if type.endswith("[]"))
        elif kind.list_type and kind.is_column_of(relation):
            yield from ((n, kind.list_type) for n in _given_columns(argument, values))


def _given_columns(argument: Argument, values: Mapping[str, str]) -> list[str]:
    """Return the column names in the given argument, or in its default."""
    text = values.get(argument.name, argument.default)
    found = re.findall(r"'((?:[^']|'')*)'", text)
    return [name.replace("''", "'") for name in found]


def _are_lists(
    connection: duckdb.DuckDBPyConnection, relation: str, column: str, kind: str
) -> bool:
    """Return whether a text column has values and each can be cast to the list type."""
    shown, in_brackets = identifier(column), literal(r"(?s)\s*\[.*\]\s*")
    rows = connection.execute(
        f"select count({shown}) > 0 and bool_and({shown} is null or coalesce("
        f"regexp_full_match({shown}, {in_brackets}) "
        f"and try_cast({shown} as {kind}) is not null, false)) from {identifier(relation)}"
    ).fetchall()  # all of them: the connection is busy until the last one is fetched
    return bool(rows[0][0])
