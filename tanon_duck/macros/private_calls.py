"""Mistakes in calls among private macros, each with its file and line."""

import re
from collections.abc import Collection, Iterator, Mapping

from tanon_duck import quoting
from tanon_duck.errors import nearest

_MADE = re.compile(r"create or replace macro tanon\.(_\w+)\s*\(")
_CALL = re.compile(r"(?<!macro )tanon\.(_\w+)\(")
_COMMENT = re.compile(r"('(?:[^']|'')*')|--[^\n]*")


def mistakes(files: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    """Yield each call of a macro that does not exist, or that takes another number of arguments.

    ``known`` are the names of all private macros, those that Python writes among them.
    """
    # Lines stay where they are.
    texts = {name: _COMMENT.sub(lambda m: m[1] or "", text) for name, text in files.items()}
    takes = _parameters(texts.values())
    for name, text in texts.items():
        for call in _CALL.finditer(text):
            place = f"{name}:{text.count(chr(10), 0, call.start()) + 1}"
            if call[1] not in known:
                hint = nearest(call[1], known)
                yield f"{place}: there is no macro tanon.{call[1]}{hint}"
            elif not _is_in_string(text, call.start()) and call[1] in takes:
                given = len(quoting.arguments(text, call.end())[0])
                if given not in takes[call[1]]:
                    wanted = " or ".join(map(str, sorted(takes[call[1]])))
                    yield f"{place}: tanon.{call[1]} takes {wanted} arguments, got {given}"


def _parameters(texts: Collection[str]) -> dict[str, set[int]]:
    """How many arguments each macro takes; a file may hold several bodies of one macro."""
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
