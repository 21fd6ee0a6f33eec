"""Parse the header comment of a function's file: arguments, checks, results, example."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tanon_duck.errors import TemplateError
from tanon_duck.macros import kinds
from tanon_duck.macros.kinds import Kind

_SECTION = re.compile(
    r"(Arguments|Checks|Result|Result \w+|Returns|For|Promises|Warnings|Holds|Example):(?: (.*))?"
)
_USES = re.compile(r"uses (\w+)")
RELEASE = "release"  # the value of the argument `result` that a plain `Result:` describes
_HOLDS = re.compile(r"(?P<what>no rows|\w+)(?:, (?P<figure>\w+) (?P<sign>>=|<=) (?P<bound>\w+))?")
# Whom a result is for: others, to whom it may be released; the owner, who sees more than may
# leave; anybody, as it is made of what is released or public.
AUDIENCES = ("others", "the owner", "anybody")
# What a column of a relation can be declared to be, once (docs/decisions/where-roles-live.md).
ROLES = ("respondent", "quasi-identifier", "time", "sensitive", "keep", "drop")
# What an argument takes that a call leaves out: ``column as respondent`` the columns of that role,
# ``granularities as generalized time`` how they may be generalized.
GENERALIZED = "generalized "
_ROLE = rf"(?:{GENERALIZED})?(?:{'|'.join(ROLES)})"
# ``column as sensitive where limits`` takes it only where limits are given.
_TAKEN = re.compile(
    rf"(?P<kind>.*) as (?P<roles>{_ROLE}(?: and {_ROLE})*)(?: where (?P<where>\w+))?"
)


@dataclass(frozen=True)
class Argument:
    """One argument: its kind, its default as SQL (empty: it must be given), its meaning."""

    name: str
    kind: Kind
    default: str
    meaning: str
    roles: tuple[str, ...] = ()  # of the columns that it takes where a call leaves it out
    where: str = ""  # the argument without which it takes none

    @property
    def words(self) -> str:
        """Return the kind, and the role that supplies an omitted argument."""
        words = " as ".join(filter(None, [self.kind.words, " and ".join(self.roles)]))
        return " where ".join(filter(None, [words, self.where]))

    @property
    def relation(self) -> str:
        """Return the relation argument whose roles supply this argument."""
        return self.kind.relation.split(" and ")[0] or "source"

    @property
    def is_optional(self) -> bool:
        return self.default.upper() == "NULL"

    @property
    def cte_name(self) -> str:
        """Return the CTE name of a relation argument."""
        return kinds.cte_name(self.name)


@dataclass(frozen=True)
class Check:
    """A condition between arguments that must hold; ``allowed`` is what the message says.

    ``<names> among <known>`` holds where names are known, however their letters are written; the
    message tells the first that is not, and the nearest.
    """

    argument: str
    condition: str
    allowed: str

    @property
    def among(self) -> tuple[str, str] | None:
        """Return the names and the known names of a condition with ``among``, else None."""
        names, among, known = self.condition.partition(" among ")
        return (names, known) if among else None


@dataclass(frozen=True)
class Result:
    """One column of the result; a name such as ``source.*`` or ``{qi}`` stands for the user's."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Answer:
    """One result of a function: its columns and its audience.

    ``name`` is the value of the argument ``result``; it is empty for a function without one.
    """

    name: str
    columns: tuple[Result, ...]
    audience: str  # one of AUDIENCES

    def added_columns(self) -> list[str]:
        """List the columns with fixed names, which the function adds."""
        return [r.name for r in self.columns if re.fullmatch(r"\w+", r.name)]

    def passed_columns(self) -> list[str]:
        """List the columns that come from the source: ``source.*`` or argument names."""
        return [r.name.strip("{}") for r in self.columns if not re.fullmatch(r"\w+", r.name)]


@dataclass(frozen=True)
class Holds:
    """When the promise of a check holds: it has no rows, or a truth value is true in all of them.

    ``figure`` is the column that says how far off it is, ``bound`` the argument that it is held to.
    """

    column: str  # empty: it holds where there are no rows
    figure: str = ""
    sign: str = ""  # >= or <=
    bound: str = ""


@dataclass(frozen=True)
class Header:
    """A parsed header comment."""

    summary: str
    details: str
    arguments: tuple[Argument, ...]
    checks: tuple[Check, ...]
    answers: tuple[Answer, ...]  # one for each value of the argument ``result``; the first leads
    returns: str  # the type of a scalar function, empty for a table function
    example: str
    holds: Holds | None = None  # of a check: what it promises
    promises: str = ""  # of what is for others: the call of a check, its release left out
    warnings: tuple[str, ...] = ()  # of some: calls that tell what its owner should know

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)

    def relations(self) -> list[Argument]:
        return [a for a in self.arguments if a.kind.name == "relation"]

    def answer(self, result: object = None) -> Answer:
        """Find the answer to a value of the argument ``result``; without one, the first."""
        return next((a for a in self.answers if a.name == result), self.answers[0])

    def held_to(self) -> list[str]:
        """Return the arguments of which a check needs at least one as its bound."""
        column = self.holds.column if self.holds else ""
        told = next((r.meaning for r in self.answer().columns if r.name == column), "")
        found = re.match(r"\(with ([^)]*)\)", told)
        return re.split(", | or ", found[1]) if found else []

    def signature(self, types: Mapping[str, str] = MappingProxyType({})) -> str:
        """The arguments as a user types them, with the types of some.

        What a role can stand for may be left out, and so must be what comes behind it.
        """
        first = next((i for i, a in enumerate(self.arguments) if a.roles), len(self.arguments))
        shown = []
        for place, a in enumerate(self.arguments):
            default = "NULL" if a.roles else a.default or ("NULL" if place > first else "")
            parts = (a.name, types.get(a.name), default and f":= {default}")
            shown.append(" ".join(filter(None, parts)))
        return ", ".join(shown)


def split(text: str) -> tuple[str, str]:
    """Split a file into the header comment without dashes, and the body."""
    lines = text.splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return "\n".join(line[3:] for line in lines[:end]), "\n".join(lines[end:]).strip()


def parse(comment: str, text_of: Callable[[str], str] = str) -> Header:
    """Return the header that a comment describes.

    A row ``uses time`` of ``Arguments`` or ``Result`` stands for those rows of the file
    ``sql/arguments/time.sql``, whose text ``text_of`` gives; its ``Checks`` come first.
    """
    sections = _sections(comment)
    prose = sections.pop("", "").strip()
    summary, _, details = prose.partition("\n\n")
    if not summary.endswith("."):
        raise TemplateError("a header begins with one sentence and a full stop")
    return Header(
        summary=" ".join(summary.split()),
        details=details.strip(),
        arguments=tuple(map(_argument, _with_used("Arguments", sections, text_of))),
        checks=tuple(Check(*row) for row in _checks(sections, text_of)),
        answers=_answers(sections, text_of),
        returns=sections.get("Returns", "").strip(),
        example=_unindented(sections.get("Example", "")),
        holds=_holds(sections.get("Holds", "").strip()),
        promises=" ".join(sections.get("Promises", "").split()),
        warnings=tuple(filter(None, " ".join(sections.get("Warnings", "").split()).split("; "))),
    )


def _answers(sections: Mapping[str, str], text_of: Callable[[str], str]) -> tuple[Answer, ...]:
    """Read the answers: one for each ``Result:``, with the ``For:`` below it."""
    names = [title.removeprefix("Result ") for title in sections if title.startswith("Result ")]
    if "Result" in sections or not names:
        names.insert(0, "")
    return tuple(
        Answer(
            RELEASE if not name and len(names) > 1 else name,
            tuple(Result(*row) for row in _with_used(f"Result {name}".strip(), sections, text_of)),
            _one_of("For", AUDIENCES, sections.get(f"For {name}".strip(), "").strip()),
        )
        for name in names
    )


def _holds(words: str) -> Holds | None:
    if not words:
        return None
    found = _HOLDS.fullmatch(words)
    if found is None:
        raise TemplateError(f"Holds: must be as 'no rows, frequency >= k', got {words!r}")
    column = "" if found["what"] == "no rows" else found["what"]
    return Holds(column, found["figure"] or "", found["sign"] or "", found["bound"] or "")


def _one_of(title: str, known: tuple[str, ...], words: str) -> str:
    if words and words not in known:
        raise TemplateError(f"{title}: must be one of {', '.join(known)}, got {words!r}")
    return words


def _sections(comment: str) -> dict[str, str]:
    """Read the sections by title; prose has none, and ``For:`` has the name of its result."""
    title, texts, result = "", {"": ""}, ""
    for line in comment.splitlines():
        if found := _SECTION.fullmatch(line):
            title = found[1]
            if title.startswith("Result "):
                result = title.removeprefix("Result")
            elif title == "For":
                title += result
            texts[title] = found[2] or ""
        else:
            texts[title] += f"{line}\n"
    return texts


def _with_used(
    title: str, sections: Mapping[str, str], text_of: Callable[[str], str]
) -> Iterator[list[str]]:
    """Yield the rows of a section, those of the sets that it uses in their places."""
    for row in rows(sections.get(title, "")):
        if used := _USES.fullmatch(row[0]):
            yield from _with_used(title, _sections(text_of(used[1])), text_of)
        else:
            yield row


def _checks(sections: Mapping[str, str], text_of: Callable[[str], str]) -> Iterator[list[str]]:
    """Yield the rows of the checks, those of the sets of arguments first."""
    for row in rows(sections.get("Arguments", "")):
        if used := _USES.fullmatch(row[0]):
            yield from _checks(_sections(text_of(used[1])), text_of)
    yield from rows(sections.get("Checks", ""))


def rows(section: str) -> list[list[str]]:
    """Return the cells of each row: three, two blanks between, or one that says ``uses``.

    A line indented further continues the line above it.
    """
    lines: list[str] = []
    for line in filter(str.strip, section.splitlines()):
        if line.startswith("      ") and lines:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.strip())
    found = [re.split(r" {2,}", line, maxsplit=2) for line in lines]
    for line, cells in zip(lines, found, strict=True):
        if len(cells) != 3 and not _USES.fullmatch(line):
            raise TemplateError(f"a row needs three cells, two blanks between: {line!r}")
    return found


def _argument(row: list[str]) -> Argument:
    name, words, meaning = row
    words, _, default = words.partition(" = ")
    words, roles, where = words.strip(), (), ""
    if taken := _TAKEN.fullmatch(words):
        words, roles = taken["kind"], tuple(taken["roles"].split(" and "))
        where = taken["where"] or ""
    return Argument(name, kinds.parse(words), default.strip(), meaning, roles, where)


def _unindented(text: str) -> str:
    return "\n".join(line[2:] for line in text.strip("\n").splitlines()).rstrip()
