"""What could come next in a half-typed statement; knows nothing of terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tanon_duck.doors.prompt.commands import COMMANDS
from tanon_duck.doors.prompt.names import Names
from tanon_duck.doors.prompt.statements import opened_at_end

_WORD = re.compile(r"[\w.$]*$")
_OPEN_CALL = re.compile(r"\btanon\.(\w+)\s*\([^()]*$", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class Suggestion:
    """A text that would replace the last `length` characters typed."""

    text: str
    length: int
    about: str


def suggest(typed: str, names: Names) -> list[Suggestion]:
    """The suggestions for what was typed so far, the likeliest first."""
    if typed.startswith("."):
        return _commands(typed)
    opened = opened_at_end(typed)
    if opened is None:
        # Inside a line comment even a quote opens nothing.
        in_comment = opened_at_end(typed + "'") is None
        return [] if in_comment else _in_the_open(typed, names)
    if opened.kind not in ("string", "identifier"):
        return []
    mark = opened.mark
    begun = typed[opened.start + 1 :].replace(mark * 2, mark)
    length = len(typed) - opened.start
    return [
        Suggestion(mark + name.replace(mark, mark * 2) + mark, length, about)
        for name, about in _matching(_tables_and_columns(names), begun)
    ]


def _in_the_open(typed: str, names: Names) -> list[Suggestion]:
    match = _WORD.search(typed)
    word = match.group() if match else ""
    qualifier, dot, begun = word.rpartition(".")
    if dot and qualifier.lower() == "tanon":
        return _functions(names, begun, len(word))
    if dot:
        table = qualifier.rpartition(".")[2]
        pairs = names.columns.get(table) or [c for cs in names.columns.values() for c in cs]
        found = _matching(pairs, begun)
        return [Suggestion(quoted(name, names), len(begun), about) for name, about in found]
    arguments = _arguments(typed, names)
    offered = _matching(((f"{a} := ", "argument") for a in arguments), word)
    quotable = _matching(_tables_and_columns(names), word)
    suggestions = [Suggestion(text, len(word), about) for text, about in offered]
    suggestions += [Suggestion(quoted(name, names), len(word), about) for name, about in quotable]
    if word:
        suggestions += _functions(names, word, len(word))
        if "tanon".startswith(word.lower()):
            suggestions.append(Suggestion("tanon.", len(word), "schema"))
        suggestions += _keywords(names, word)
    return suggestions


def quoted(name: str, names: Names) -> str:
    """The name as SQL wants it outside of quotes."""
    if _PLAIN_NAME.fullmatch(name) and name not in names.keywords:
        return name
    return '"' + name.replace('"', '""') + '"'


def _functions(names: Names, begun: str, length: int) -> list[Suggestion]:
    described = ((function.name, function.summary) for function in names.functions)
    found = _matching(described, begun)
    return [Suggestion(f"tanon.{name}(", length, about) for name, about in found]


def _keywords(names: Names, word: str) -> list[Suggestion]:
    found = _matching(((keyword, "keyword") for keyword in names.keywords), word)
    change = str.upper if word.isupper() else str.lower
    return [Suggestion(change(keyword), len(word), about) for keyword, about in found]


def _arguments(typed: str, names: Names) -> tuple[str, ...]:
    call = _OPEN_CALL.search(typed)
    if call is None:
        return ()
    wanted = call.group(1).lower()
    return next((f.parameters for f in names.functions if f.name == wanted), ())


def _tables_and_columns(names: Names) -> Iterator[tuple[str, str]]:
    yield from ((table, "table") for table in names.tables)
    seen = set(names.tables)
    for table, columns in names.columns.items():
        for column, kind in columns:
            if column not in seen:
                seen.add(column)
                yield column, f"{kind} in {table}"


def _matching(pairs: Iterable[tuple[str, str]], begun: str) -> list[tuple[str, str]]:
    wanted = begun.lower()
    return [(name, about) for name, about in pairs if name.lower().startswith(wanted)]


def _commands(typed: str) -> list[Suggestion]:
    if " " in typed:
        return []
    pairs = ((f".{name}", command.summary) for name, command in COMMANDS.items())
    return [Suggestion(text, len(typed), about) for text, about in _matching(pairs, typed)]
