"""Find where one SQL statement ends and the next begins, the way DuckDB's own tokenizer does."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+ | --[^\r\n]*)
    | (?P<comment>/\*)
    | (?P<escape>[eE]')
    | (?P<string>')
    | (?P<identifier>")
    | (?P<dollar>\$ (?: (?: [^\W\d] | [^\x00-\x7f\s] ) (?: \w | [^\x00-\x7f\s] )* )? \$)
    | (?P<word>(?: [^\W\d] | [^\x00-\x7f\s] ) (?: [\w$] | [^\x00-\x7f\s] )*)
    | (?P<number>[0-9]+)
    | (?P<end>;)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# Possessive, so that a closing quote is never found inside a doubled one.
_CLOSING = {
    "escape": re.compile(r"(?:[^'\\]++|\\.|'')*+'", re.DOTALL),
    "string": re.compile(r"(?:[^']++|'')*+'"),
    "identifier": re.compile(r'(?:[^"]++|"")*+"'),
}
_COMMENT_MARK = re.compile(r"/\*|\*/")


@dataclass
class Opened:
    """A string, quoted name, dollar quote or comment whose end has not been seen yet."""

    kind: str
    mark: str
    start: int
    depth: int = 1

    def close(self, text: str, position: int) -> int | None:
        """Where it ends in the text, or None when the text runs out first."""
        if self.kind == "dollar":
            found = text.find(self.mark, position)
            return None if found < 0 else found + len(self.mark)
        if self.kind == "comment":
            return self._close_comment(text, position)
        match = _CLOSING[self.kind].match(text, position)
        return match.end() if match else None

    def _close_comment(self, text: str, position: int) -> int | None:
        for mark in _COMMENT_MARK.finditer(text, position):
            self.depth += 1 if mark.group() == "/*" else -1
            if self.depth == 0:
                return mark.end()
        return None


class StatementSplitter:
    """Takes text in pieces that end where a line ends, gives back each statement once whole."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._has_words = False
        self.opened: Opened | None = None

    @property
    def idle(self) -> bool:
        """Whether a new statement, or a dot command, could begin here."""
        return self.opened is None and not self._has_words

    def feed(self, text: str) -> list[str]:
        """The statements this piece completes, each with its semicolon."""
        complete: list[str] = []
        start = position = 0
        while position < len(text):
            ends_statement, position = self._step(text, position)
            if ends_statement:
                statement = "".join(self._pieces) + text[start:position]
                if self._has_words:
                    complete.append(statement.strip())
                self._pieces, self._has_words, start = [], False, position
        if start < len(text):
            self._pieces.append(text[start:])
        return complete

    def rest(self) -> str:
        """The unfinished statement, empty when only blanks and comments are left; starts anew."""
        text = "" if self.idle else "".join(self._pieces).strip()
        self._pieces, self._has_words, self.opened = [], False, None
        return text

    def _step(self, text: str, position: int) -> tuple[bool, int]:
        if self.opened is None:
            match = _TOKEN.match(text, position)
            assert match is not None, "every character is a token"
            kind = str(match.lastgroup)
            self._has_words |= kind not in ("blank", "comment", "end")
            if kind == "comment" or kind == "dollar" or kind in _CLOSING:
                self.opened = Opened(kind, match.group(), position)
            return kind == "end", match.end()
        end = self.opened.close(text, position)
        if end is None:
            return False, len(text)
        self.opened = None
        return False, end


def is_complete(text: str) -> bool:
    """Whether the text ends with a finished statement, so that Enter may run it."""
    splitter = StatementSplitter()
    splitter.feed(text)
    return splitter.idle


def opened_at_end(text: str) -> Opened | None:
    """What is still open at the end of the text: a string, a quoted name, a comment, or nothing."""
    splitter = StatementSplitter()
    splitter.feed(text)
    return splitter.opened
