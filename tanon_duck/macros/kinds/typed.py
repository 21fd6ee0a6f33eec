"""Convert typed words to SQL values."""

from __future__ import annotations

import csv
import re
from io import StringIO

from tanon_duck.quoting import literal

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
INTEGER = re.compile(r"[+-]?\d+")


def list_of_texts(texts: list[str]) -> str:
    """Return a SQL list of texts: ``['zip', 'sex']``."""
    return f"[{', '.join(map(literal, texts))}]" + ("" if texts else "::varchar[]")


def any_value(text: str) -> str:
    """Return a typed value as SQL: keep numbers, lists, structs and quoted texts, quote others."""
    if NUMBER.fullmatch(text) or text.lower() in ("null", "true", "false"):
        return text
    pairs = {("[", "]"), ("{", "}"), ("'", "'")}
    if len(text) > 1 and (text[0], text[-1]) in pairs:
        return text
    return literal(text)


def split_list(typed: list[str]) -> list[str]:
    """Split typed words at commas; double quotes protect a comma, as in CSV."""
    return [value for text in typed if text for value in _one_line(text)]


def _one_line(text: str) -> list[str]:
    # The reader takes lines; a name may hold line breaks where it is quoted.
    rows = list(csv.reader(StringIO(text, newline=""), strict=True))
    if len(rows) != 1:
        raise ValueError("a name with a line break needs double quotes around it")
    return rows[0]


def join_list(values: list[str]) -> str:
    """The opposite of `split_list`: one text for the command line."""
    return ",".join(
        '"' + value.replace('"', '""') + '"' if re.search(r'[,"\r\n]', value) else value
        for value in values
    )
