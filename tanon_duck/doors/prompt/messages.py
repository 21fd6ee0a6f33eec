"""Turn any error into what a person at a prompt should read."""

from __future__ import annotations

import re

import duckdb

from tanon_duck.errors import TanonError

_FROM_TANON = re.compile(r"tanon(?:\.\w+|-duck)?: [^\n]*")

# What stands in front of a statement, and of its further lines.
FIRST = "tanon> "
NEXT = "  ...> "


class ShellError(TanonError):
    """A dot command that cannot be carried out; its text is the whole message."""


def readable(error: BaseException) -> str:
    """One clean line for errors of tanon, the engine's own words for errors of the engine."""
    text = str(error).strip()
    ours = _FROM_TANON.search(text)
    if ours:
        return ours.group()
    if isinstance(error, duckdb.Error) and text.startswith("INTERRUPT Error"):
        return "Interrupted"
    if isinstance(error, (duckdb.Error, TanonError)):
        return text
    if isinstance(error, UnicodeError):
        return "statements must be text in UTF-8, got other bytes"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
