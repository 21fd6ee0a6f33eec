"""What DuckDB binds of a text's expression: little, as each call is bound anew.

A function of DuckDB costs some 30 microseconds to bind and a macro all that it holds, which is most
of a call on few rows. So texts that meet are one literal, and an expression of the arguments that
is filled in several times is computed once and read from a struct: until all of a text is known it
stands in it between two marks.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tanon_duck import quoting
from tanon_duck.quoting import literal

_MARKED = re.compile("\0([^\0]*)\0")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_CHEAP = re.compile(r"'(?:[^']|'')*'|\w+ is (?:not )?null")
# What the macros that are given it use several times.
_OFTEN = re.compile(r"tanon\._(?:relation|list)\(.*")
_WHOLE = re.compile(r"[\w.]+\((?:[^()']|'(?:[^']|'')*')*\)|\w+|'(?:[^']|'')*'|\w+ is (?:not )?null")


def mark(expression: str) -> str:
    """What stands for an expression of the arguments alone until all of them are known."""
    bare = re.fullmatch(r"\(([^()']*)\)", expression)
    return f"\0{bare[1] if bare else expression}\0"


def marked(expression: str) -> list[str]:
    """The expressions that are marked in another, in order, each as often as it is there."""
    return _MARKED.findall(expression)


def once(expression: str) -> str:
    """The expression with what it holds several times evaluated, and bound, only once."""
    counts = Counter(marked(expression))
    several = [
        what
        for what, n in counts.items()
        if _OFTEN.fullmatch(what) or (n > 1 and not _CHEAP.fullmatch(what))
    ]
    seats = {what: f"tanon_once['e{i}']" for i, what in enumerate(several)}
    filled = _MARKED.sub(lambda found: seats.get(found[1]) or _enclosed(found[1]), expression)
    if not several:
        return filled
    shared = ", ".join(f"e{i} := {what}" for i, what in enumerate(several))
    return f"list_transform([struct_pack({shared})], lambda tanon_once: {filled})[1]"


def _enclosed(expression: str) -> str:
    return expression if _WHOLE.fullmatch(expression) else f"({expression})"


def as_parameters(expression: str) -> tuple[str, list[str]]:
    """The expression with a parameter e0, e1, ... for each that is marked, and these."""
    given = list(dict.fromkeys(marked(expression)))
    return _MARKED.sub(lambda found: f"e{given.index(found[1])}", expression), given


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """The expression with other names for arguments, its literals and functions left alone."""
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return expression
    names_in = re.compile(rf"'(?:[^']|'')*'|(?<![\w.\"])(?:{'|'.join(changed)})\b(?!\s*(?:\(|:=))")
    return names_in.sub(lambda found: changed.get(found[0], found[0]), expression)


def uses(expression: str, name: str) -> bool:
    """Whether a name is in an expression, its literals aside."""
    return re.search(rf"\b{name}\b", bare(expression)) is not None


def bare(expression: str) -> str:
    """The expression with nothing in its literals."""
    return _LITERAL.sub("''", expression)


def literals_of(expression: str) -> str:
    """What stands in the literals of an expression."""
    return "".join(_LITERAL.findall(expression))


def joined(parts: Iterable[str]) -> str:
    """One expression for texts that follow each other: no joining in a joining, literals as one."""
    together: list[str] = []
    for part in _flat(parts):
        if together and _LITERAL.fullmatch(together[-1]) and _LITERAL.fullmatch(part):
            together[-1] = together[-1][:-1] + part[1:]
        elif part != "''":
            together.append(part)
    if not together:
        return literal("")
    if len(together) == 1 and _LITERAL.fullmatch(together[0]):
        return together[0]
    return f"concat({', '.join(together)})"


def _flat(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        inner = _inside(part)
        yield from [part] if inner is None else _flat(inner)


def _inside(expression: str) -> list[str] | None:
    """The arguments if the expression is one call of concat."""
    start = "concat("
    if not expression.startswith(start):
        return None
    found, end = quoting.arguments(expression, len(start))
    return found if end == len(expression) and expression.endswith(")") else None
