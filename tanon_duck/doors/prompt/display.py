"""Show a result in one of the modes of the prompt."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TextIO

import duckdb

from tanon_duck.doors.text_rows import rows_as_text, write_csv

_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)")


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
    write_csv(relation, output)


def _json(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    names = [json.dumps(name, ensure_ascii=False) for name in relation.columns]
    separator = "["
    with rows_as_text(relation, "to_json(columns(*))") as rows:
        for row in rows:
            values = ("null" if value is None else value for value in row)
            pairs = (f"{name}:{value}" for name, value in zip(names, values, strict=True))
            output.write(separator + "{" + ",".join(pairs) + "}")
            separator = ",\n"
    output.write("[]\n" if separator == "[" else "]\n")


def _markdown(relation: duckdb.DuckDBPyRelation, _look: Look, output: TextIO) -> None:
    rules = ["--:" if _is_numeric(kind) else "---" for kind in relation.types]
    output.write(_markdown_line(map(_markdown_cell, relation.columns)))
    output.write(_markdown_line(rules))
    with rows_as_text(relation, "cast(columns(*) as varchar)") as rows:
        for row in rows:
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
    with rows_as_text(relation, "cast(columns(*) as varchar)") as rows:
        for row in rows:
            output.write(separator)
            for name, value in zip(names, row, strict=True):
                output.write(f"{name:>{width}} = {'NULL' if value is None else value}\n")
            separator = "\n"


def _is_numeric(kind: object) -> bool:
    return _NUMERIC.fullmatch(str(kind)) is not None


MODES: dict[str, Callable[[duckdb.DuckDBPyRelation, Look, TextIO], None]] = {
    "box": _box,
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "line": _line,
}
