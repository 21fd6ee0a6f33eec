"""What is typed on the command line as the SQL value that its kind of argument takes."""

from __future__ import annotations

import csv
import re
from io import StringIO

from tanon_duck.kinds import Kind
from tanon_duck.quoting import literal

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
_NAMES = ("columns", "texts", "granularities")
_NUMBERS = {"positions": _INTEGER, "sizes": _INTEGER, "numbers": _NUMBER}


def is_listed(kind: Kind) -> bool:
    """Whether several values may be given, by commas or by repeating the option."""
    return kind.name in _NAMES or kind.name in _NUMBERS or kind.name == "expressions"


def sql_value(kind: Kind, typed: list[str]) -> str:
    """The SQL value of an argument; ValueError with what is allowed for a wrong one."""
    if kind.name in _NAMES:
        return _list_of_texts(split_list(typed))
    if kind.name == "expressions":
        # A condition may hold commas of its own.
        return _list_of_texts(typed)
    if kind.name in _NUMBERS:
        numbers = [_number(text.strip(), _NUMBERS[kind.name], kind) for text in split_list(typed)]
        return f"[{', '.join(numbers)}]"
    (text,) = typed
    match kind.name:
        case "column" | "text" | "choice" | "granularity":
            return literal(text)
        case "integer":
            return _number(text, _INTEGER, kind)
        case "number":
            return _number(text, _NUMBER, kind)
    return any_value(text)


def typed_list(kind: Kind, values: list[str]) -> list[str]:
    """The opposite: how a list is typed, as one value of the option or as several."""
    return values if kind.name == "expressions" else [join_list(values)]


def _list_of_texts(texts: list[str]) -> str:
    return f"[{', '.join(map(literal, texts))}]" + ("" if texts else "::varchar[]")


def any_value(text: str) -> str:
    """SQL where it looks like a SQL value: a number, a list, a struct, a quoted text; else text."""
    if _NUMBER.fullmatch(text) or text.lower() in ("null", "true", "false"):
        return text
    pairs = {("[", "]"), ("{", "}"), ("'", "'")}
    if len(text) > 1 and (text[0], text[-1]) in pairs:
        return text
    return literal(text)


def split_list(typed: list[str]) -> list[str]:
    """The values between commas; double quotes keep a comma, as in CSV."""
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


def _number(text: str, pattern: re.Pattern[str], kind: Kind) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(f"must be {kind.allowed}, got {text!r}")
    return text
