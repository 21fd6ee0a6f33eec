"""Parse a SQL body with placeholders into pieces (``text_tree``).

docs/sql-files.md describes the placeholders. An argument without braces, an unknown placeholder and
a placeholder inside quotes are errors when a body is rendered.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tanon_duck import quoting
from tanon_duck.errors import TemplateError, nearest
from tanon_duck.macros import text_tree
from tanon_duck.macros.header import Header
from tanon_duck.macros.kinds import Kind
from tanon_duck.macros.text_tree import Around, Either, Loop, Piece, Value
from tanon_duck.quoting import literal

_TOKEN = re.compile(
    r"\{if (?P<condition>[^{}]+)\}"
    r"|\{for (?P<variable>\w+) in (?P<list>[^{}]+?) joined by '(?P<separator>[^']*)'\}"
    r"|\{(?P<word>else|end)\}"
    r"|\{(?P<call>tanon\._\w+\((?:[^{}']|'[^']*')*\))\}"
    r"|\{(?P<before>,)?(?:(?P<prefix>\w+)\.)?(?P<name>\w+)"
    r"(?::(?P<form>\w+))?(?P<after>,)?\}"
)
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")


@dataclass
class _Block:
    """Pieces gathered so far inside one ``if`` branch, ``for`` loop or the whole body."""

    opening: re.Match[str] | None = None
    parts: list[Piece] = field(default_factory=list)
    then: Piece | None = None  # the first branch, once ``else`` has been met

    def piece(self) -> Piece:
        return text_tree.joined(self.parts)


class Template:
    """Parses one SQL body; its placeholders refer to the arguments of a header."""

    def __init__(
        self,
        function: str,
        header: Header,
        body: str,
        place_of: Callable[[str], str] | None = None,
        lets: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.function = function
        self.lets = lets
        self.place_of = place_of or (lambda words: f"tanon.{function}")
        self.header = header
        self.body = quoting.without_comments(body)
        self.loop_variables: list[str] = []

    def piece(self) -> Piece:
        """Return the body as a piece, with a value for each placeholder."""
        self._refuse_placeholders_in_quotes()
        blocks, end = [_Block()], 0
        for token in _TOKEN.finditer(self.body):
            self._text(blocks[-1], self.body[end : token.start()])
            end = token.end()
            self._token(blocks, token)
        self._text(blocks[-1], self.body[end:])
        if len(blocks) > 1:
            raise self._error("an {if} or {for} has no {end}")
        return blocks[0].piece()

    def _token(self, blocks: list[_Block], token: re.Match[str]) -> None:
        block = blocks[-1]
        if token["condition"] or token["variable"]:
            blocks.append(_Block(token))
            if token["variable"]:
                self.loop_variables.append(token["variable"])
        elif token["call"]:
            block.parts.append(Value(token["call"]))
        elif token["word"] == "else":
            block.then, block.parts = block.piece(), []
        elif token["word"] == "end":
            blocks.pop()
            if not blocks:
                raise self._error("an {end} closes nothing")
            blocks[-1].parts.append(self._closed(block))
        else:
            block.parts.append(self._placeholder(token))

    def _closed(self, block: _Block) -> Piece:
        opening = block.opening
        assert opening is not None
        if opening["variable"]:
            self.loop_variables.remove(opening["variable"])
            values = Value(opening["list"])
            return Loop(opening["variable"], values, block.piece(), opening["separator"])
        groups = ((Value(opening["condition"]),),)
        if block.then is None:
            return Either(groups, block.piece())
        return Either(groups, block.then, block.piece())

    def _placeholder(self, token: re.Match[str]) -> Piece:
        name, form = token["name"], token["form"]
        if name == "function":
            return Value(self._called())
        if name in self.loop_variables:
            return self._element(name, form, token[0])
        argument = self.header.argument(name)
        if argument is None:
            raise self._error(f"{{{name}}} is no argument{self._hint(name)}", token[0])
        value = Value(self._argument(name, argument.kind, form, token["prefix"] or ""))
        if not (token["before"] or token["after"]):
            return value
        before, after = (", " if token[side] else "" for side in ("before", "after"))
        return Around(value, before, after)

    def _called(self) -> str:
        """Return the name of the called function as a quoted SQL literal."""
        return literal(literal(f"tanon.{self.function}"))

    def _element(self, name: str, form: str | None, token: str) -> Value:
        if form not in (None, "name"):
            raise self._error(f"{token}: write {{tanon._{form}({name})}}", token)
        return Value(f"tanon._{'identifier' if form else 'text'}({name})")

    def _argument(self, name: str, kind: Kind, form: str | None, prefix: str) -> str:
        if form == "argument":
            return literal(literal(self.lets.get(name, name)))
        # The CTEs of a relation have the name that the function gives the argument.
        is_cte = kind.name == "relation" and form != "relation"
        x = self.lets.get(name, name) if is_cte else name
        if form is None:
            return kind.quoted(x, self._called() if kind.names_function else prefix)
        formed = kind.form(x, form, prefix)
        if formed is None:
            raise self._error(f"{{{name}:{form}}} is no form of a placeholder", f"{name}:{form}")
        return formed

    def _text(self, block: _Block, text: str) -> None:
        if not text:
            return
        bare = _QUOTED.sub("''", text)
        names = "|".join(argument.name for argument in self.header.arguments)
        word = rf"(?<![\w.])(?<!\bas )(?:{names})(?!\w|\s*:=|\s+by\b)"
        if names and (found := re.search(word, bare)):
            line = bare[bare.rfind("\n", 0, found.start()) + 1 :].partition("\n")[0].strip()
            said = f"the bare word {found[0]}: write {{{found[0]}}}"
            raise self._error(said, line if line in self.body else found[0])
        block.parts.append(text)

    def _refuse_placeholders_in_quotes(self) -> None:
        for quoted in _QUOTED.finditer(_TOKEN.sub(self._without_separator, self.body)):
            if _TOKEN.search(quoted[0]):
                raise self._error(f"a placeholder inside quotes: {quoted[0]}", quoted[0])

    @staticmethod
    def _without_separator(token: re.Match[str]) -> str:
        """Drop tokens that contain quotes themselves: conditions and separators."""
        return "" if token["condition"] or token["variable"] else token[0]

    def _hint(self, name: str) -> str:
        return nearest(name, [*self.loop_variables, *(a.name for a in self.header.arguments)])

    def _error(self, what: str, words: str = "\n") -> TemplateError:
        """Return an error with the line that contains the words."""
        return TemplateError(f"{self.place_of(words)}: {what}")
