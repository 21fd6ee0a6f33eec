"""Find mistakes in private macros and in headers, with file and line."""

import re
from collections.abc import Iterator

from tanon_duck.errors import TemplateError
from tanon_duck.macros import private_calls, private_values
from tanon_duck.macros.catalog import file_text, files_below, library, presets, sql_root


def in_macros() -> Iterator[str]:
    """Yield messages for wrong private macros, and for headers that call unknown ones."""
    operators = file_text("private/operators.sql")
    values = {
        name: " ".join(str(v).split("\n"))
        for name, v in private_values.of_package(presets(), operators).items()
    }
    private = {
        name: private_values.filled(name, private_calls.without_comments(text), values)
        for name, text in _texts_below("private").items()
    }
    known = library().macros
    yield from private_calls.syntax_errors(private)
    yield from private_calls.mistakes(private, known)
    headers = _texts_below("functions") | _texts_below("arguments")
    yield from private_calls.mistakes_in_headers(headers, known)


def _texts_below(folder: str) -> dict[str, str]:
    """Return the texts of all SQL files below a folder of ``sql``, by file name."""
    paths = sorted(files_below(sql_root() / folder))
    return {f"sql/{folder}/{path}": file_text(f"{folder}/{path}") for path in paths}


def located(statement: str, error: Exception) -> TemplateError:
    """Return the error of a statement that DuckDB refuses, with the file and line of its macro."""
    if faults := list(in_macros()):  # their lines are more exact
        return TemplateError("\n".join(faults))
    said = str(error).partition("\n")[0]
    head = re.match(r"create or replace macro (tanon\.\w+)\(", statement)
    for name, text in _texts_below("private").items():
        if head and (begin := text.find(head[0])) >= 0:
            return TemplateError(f"{name}:{text.count(chr(10), 0, begin) + 1}: {said}")
    return TemplateError(f"{head[1]}: {said}" if head else said)
