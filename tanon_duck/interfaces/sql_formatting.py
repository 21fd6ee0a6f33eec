"""Format SQL for reading: single blanks, lines that fit a screen, no ``system.main.``.

Only white space between tokens changes. Quoted texts and comments stay.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 160
_BROKEN_WIDTH = 100  # of a line that had to be broken
# DuckDB's own functions are called with their catalogue in front, which is in the way here.
_TOKEN = re.compile(
    r"(?P<catalogue>(?<![\w.\"])system\.main\.)"
    r"|--[^\n]*|/\*.*?\*/|(?P<dollars>\$\w*\$).*?(?P=dollars)"
    r"|[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|\S",
    re.S,
)
# A line is best broken behind a comma, or in front of one of these.
_BREAK_BEFORE = frozenset(
    (
        "and",
        "or",
        "else",
        "when",
        "then",
        "from",
        "where",
        "group",
        "order",
        "having",
        "union",
        "join",
    )
)


@dataclass
class _Line:
    """The tokens of one line, each with whether a blank stands in front and how deep it is."""

    indent: str = ""
    tokens: list[tuple[str, bool, int]] = field(default_factory=list)

    def text(self) -> str:
        joined = "".join(f" {token}" if blank else token for token, blank, _ in self.tokens)
        return f"{self.indent}{joined.lstrip(' ')}"


def readable(sql: str) -> str:
    """Return the SQL in readable lines."""
    short = _TOKEN.sub(lambda token: "" if token["catalogue"] else token[0], sql)
    lines = [shown for line in _lines(short) for shown in _break_line(line)]
    return "\n".join(line for line in lines if line)


def _lines(sql: str) -> Iterator[_Line]:
    line, end, depth = _Line(), 0, 0
    for token in _TOKEN.finditer(sql):
        gap = sql[end : token.start()]
        if "\n" in gap or not end:
            yield line
            line = _Line(gap.rpartition("\n")[2])
        end = token.end()
        depth -= token[0] in (")", "]", "}")
        line.tokens.append((token[0], bool(gap), depth))
        depth += token[0] in ("(", "[", "{")
    yield line


def _break_line(line: _Line) -> Iterator[str]:
    """Yield the line, or several lines if it is longer than ``LONGEST``."""
    indent = line.indent + "    "
    while len(line.text()) > LONGEST and (place := _break_position(line)):
        yield _Line(line.indent, line.tokens[:place]).text()
        line = _Line(indent, line.tokens[place:])
    yield line.text()


def _break_position(line: _Line) -> int:
    """Return the index of the token before which to break a line; 0 if no place is possible.

    Prefer places behind a comma or before a keyword, then those outside of parentheses.
    """
    width, best, found = len(line.indent), (0, 0, 0), 0
    for place, (token, blank, depth) in enumerate(line.tokens):
        before = line.tokens[place - 1][0] if place else ""
        if place and (blank or before == "(") and (width <= _BROKEN_WIDTH or not found):
            is_good = before == "," or token.lower() in _BREAK_BEFORE
            worth = (is_good + blank, -depth, place)
            if not found or worth > best:
                best, found = worth, place
        width += len(token) + blank
    return found
