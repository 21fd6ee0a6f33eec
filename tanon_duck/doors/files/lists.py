"""Lists in text files: CSV has no lists, so what was written as one comes back as its text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import duckdb

from tanon_duck.macros.header import Argument, Header
from tanon_duck.quoting import identifier, literal


def read_lists(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    header: Header,
    values: Mapping[str, str],
    as_text: Collection[str],
) -> None:
    """Make lists of the texts in the columns of a loaded view of which the function takes lists."""
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
    """The columns of the relation that may be lists, and of what."""
    for argument in header.arguments:
        kind = argument.kind
        if argument.name == relation:
            yield from ((n, type) for n, type in kind.columns if type.endswith("[]"))
        elif kind.list_type and kind.is_column_of(relation):
            yield from ((n, kind.list_type) for n in _names(argument, values))


def _names(argument: Argument, values: Mapping[str, str]) -> list[str]:
    """The columns given, or the default, as SQL literals of one text or of several."""
    text = values.get(argument.name, argument.default)
    found = re.findall(r"'((?:[^']|'')*)'", text)
    return [name.replace("''", "'") for name in found]


def _are_lists(
    connection: duckdb.DuckDBPyConnection, relation: str, column: str, kind: str
) -> bool:
    """Whether every text that is there can be read as such a list, and at least one is."""
    shown, in_brackets = identifier(column), literal(r"(?s)\s*\[.*\]\s*")
    rows = connection.execute(
        f"select count({shown}) > 0 and bool_and({shown} is null or coalesce("
        f"regexp_full_match({shown}, {in_brackets}) "
        f"and try_cast({shown} as {kind}) is not null, false)) from {identifier(relation)}"
    ).fetchall()  # all of them: the connection is busy until the last one is fetched
    return bool(rows[0][0])
