"""Read the blocks of a SQL file: steps, guards, pieces, uses and the query.

docs/sql-files.md describes the blocks of a file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tanon_duck.errors import TemplateError
from tanon_duck.quoting import without_comments

_HEAD = re.compile(
    r"(?P<kind>step|guard|piece|block) (?P<name>\w+)(?:\((?P<parameters>[\w, ]*)\))?"
    r"(?: on (?P<on>\w+))?(?P<modifiers>.*?)(?: when (?P<condition>.+))?"
)
_USE = re.compile(r"use (?P<name>\w+) = (?P<of>\w+)\((?P<given>[^()]*)\)")
_LET = re.compile(r"let (\w+) = (\w+)")
_OPENING = re.compile(r"(step|guard|piece|block|use|let) \w")
_CONTINUED = re.compile(r"--   +(\S.*)")
_SECTION = re.compile(r"-- (Yields|Reads|Takes): (.*)")


@dataclass(frozen=True)
class Step:
    """One block of a SQL file: kind, name, place and SQL text."""

    kind: str
    name: str
    place: str  # file:line
    body: str
    parameters: tuple[str, ...] = ()
    on: str = ""  # of a guard: the step that it protects; of a use: what it is made from
    modifiers: str = ""
    condition: str = ""
    lines: tuple[str, ...] = field(default=(), repr=False)  # as written, from ``place`` on

    def place_of(self, words: str) -> str:
        """Return the file:line of the first line with these words, else of the block."""
        first = re.escape(words.partition("\n")[0])
        within = re.compile(rf"(?<!\w){first}" if words[:1].isalnum() else first)
        file, _, line = self.place.partition(":")
        for number, written in enumerate(self.lines):
            if within.search(written.partition("--")[0]):
                return f"{file}:{int(line) + number}"
        return self.place

    @property
    def file(self) -> str:
        return self.place.partition(":")[0]

    @property
    def cte(self) -> str:
        return cte_name(self.name)

    @property
    def is_recursive(self) -> bool:
        return self.modifiers.startswith("recursive")


@dataclass(frozen=True)
class File:
    """A parsed SQL file: its declarations, its blocks, and the query of a function."""

    name: str
    blocks: tuple[Step, ...] = ()
    query: Step = Step("query", "", "", "")
    lets: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def cte_name(step: str) -> str:
    """Return the CTE name of a step: ``cells`` becomes ``tanon_cells``."""
    return f"tanon_{step}"


def read(name: str, text: str) -> File:
    """Return the blocks of a file; for a function also the query behind them."""
    lines = text.splitlines()
    says: dict[str, tuple[str, ...]] = {}
    lets: dict[str, str] = {}
    blocks: list[Step] = []
    at = 0
    while at < len(lines):
        line, place = lines[at], f"{name}:{at + 1}"
        if found := _SECTION.fullmatch(line):
            names = found[2]
            while at + 1 < len(lines) and (more := _CONTINUED.fullmatch(lines[at + 1])):
                names, at = f"{names} {more[1]}", at + 1
            words = tuple(name.strip() for name in names.split(","))
            says[found[1]] = says.get(found[1], ()) + words
        elif let := _LET.fullmatch(line):
            lets[let[1]] = let[2]
        elif _OPENING.match(line):
            block, at = _block(place, lines, at)
            blocks.append(block)
        elif line.strip() and not line.startswith("--"):
            break
        at += 1
    body = without_comments("\n".join(lines[at:]))
    query = Step("query", "", f"{name}:{at + 1}", body, lines=tuple(lines[at:]))
    return File(name, tuple(blocks), query, lets, says)


def _block(place: str, lines: list[str], at: int) -> tuple[Step, int]:
    """Parse the block that begins in line ``at``; return it with the index of its last line."""
    line = lines[at]
    while line.startswith("use ") and not line.endswith(")") and at + 1 < len(lines):
        at += 1
        line = f"{line} {lines[at].strip()}"
    if used := _USE.fullmatch(line):
        return Step("use", used["name"], place, used["given"], on=used["of"]), at
    head = _HEAD.fullmatch(line)
    if head is None:
        raise TemplateError(f"{place}: not the head of a block: {line!r}")
    end = at + 1
    while end < len(lines) and lines[end] != "end" and not _OPENING.match(lines[end]):
        end += 1
    if end == len(lines) or lines[end] != "end":
        raise TemplateError(f"{place}: {line!r} has no line `end`")
    body = without_comments("\n".join(lines[at + 1 : end]))
    parameters = tuple(p.strip() for p in (head["parameters"] or "").split(",") if p.strip())
    on, modifiers, condition = head["on"] or "", head["modifiers"].strip(), head["condition"] or ""
    written = tuple(lines[at:end])
    return (
        Step(
            head["kind"], head["name"], place, body, parameters, on, modifiers, condition, written
        ),
        end,
    )
