"""Find mistakes in private macros and in calls of them, with file and line."""

import re
from collections.abc import Collection, Iterator, Mapping

import duckdb

from tanon_duck import quoting
from tanon_duck.errors import nearest

_MADE = re.compile(r"create or replace macro tanon\.(_\w+)\s*\(")
_CALL = re.compile(r"(?<!macro )tanon\.(_\w+)\(")
_COMMENT = re.compile(r"('(?:[^']|'')*')|--[^\n]*")


def without_comments(text: str) -> str:
    """Return SQL without its comments; each line keeps its number."""
    return _COMMENT.sub(lambda found: found[1] or "", text)


def syntax_errors(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the first syntax error of each text, as DuckDB reports it."""
    with duckdb.connect() as scratch:
        for name, text in texts.items():
            try:
                scratch.extract_statements(text)
            except duckdb.ParserException as error:
                said, _, shown = str(error).partition("\n")
                line = re.search(r"^LINE (\d+):", shown, re.MULTILINE)
                yield f"{name}:{line[1] if line else 1}: {said.removeprefix('Parser Error: ')}"


def mistakes_in_headers(texts: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    """Yield each call in a header of a private macro that does not exist."""
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if not line.startswith("--"):
                break
            for macro in _CALL.findall(line):
                if macro not in known:
                    yield _unknown(f"{name}:{number}", macro, known)


def _unknown(place: str, macro: str, known: Collection[str]) -> str:
    return f"{place}: there is no macro tanon.{macro}{nearest(macro, known)}"


def mistakes(texts: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    """Yield each call of a macro that does not exist, or that takes another number of arguments.

    ``texts`` have no comments. ``known`` are the names of all private macros.
    """
    takes = _parameters(texts.values())
    for name, text in texts.items():
        for call in _CALL.finditer(text):
            place = f"{name}:{text.count(chr(10), 0, call.start()) + 1}"
            if call[1] not in known:
                yield _unknown(place, call[1], known)
            elif not _is_in_string(text, call.start()) and call[1] in takes:
                given = len(quoting.arguments(text, call.end())[0])
                if given not in takes[call[1]]:
                    wanted = " or ".join(map(str, sorted(takes[call[1]])))
                    yield f"{place}: tanon.{call[1]} takes {wanted} arguments, got {given}"


def _parameters(texts: Collection[str]) -> dict[str, set[int]]:
    """Return the possible numbers of arguments of each macro; a macro can have several bodies."""
    found: dict[str, set[int]] = {}
    for text in texts:
        for made in _MADE.finditer(text):
            parameters = quoting.arguments(text, made.end())[0]
            if any(" " in parameter for parameter in parameters):  # typed, or with a default
                continue
            found.setdefault(made[1], set()).add(len(parameters))
    return found


def _is_in_string(text: str, at: int) -> bool:
    begun = text.rfind("create or replace macro", 0, at)
    return text.count("'", begun, at) % 2 == 1
