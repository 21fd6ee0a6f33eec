"""When a step is needed: the conditions on arguments under which something reads it.

A path is a set of conditions that hold together, each in parentheses. A step is needed where all
conditions of one of its paths hold. Their number is kept small: DuckDB binds each at every call.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tanon_duck import quoting

Path = frozenset[str]
ALWAYS: Path = frozenset()

_TURN = re.compile(
    r"\{if (?P<condition>[^{}]+)\}|\{for (?P<variable>\w+) in [^{}]+? joined by '[^']*'\}"
    r"|\{(?P<word>else|end)\}"
)
_FAILS = " is not true"


def path_to(body: str, end: int) -> Path:
    """Return the conditions on arguments alone under which a place of a body is reached."""
    opened: list[tuple[str, str]] = []  # the condition, or the variable of a loop
    for turn in _TURN.finditer(body, 0, end):
        if turn["word"] == "else":
            opened.append((opposite(opened.pop()[0]), ""))
        elif turn["word"] == "end":
            opened.pop()
        else:
            opened.append((_plain(turn["condition"] or ""), turn["variable"] or ""))
    loops = "|".join(variable for _, variable in opened if variable)
    return frozenset(
        f"({condition})"
        for condition, _ in opened
        if condition and not (loops and re.search(rf"\b(?:{loops})\b", condition))
    )


def _plain(condition: str) -> str:
    """Write a condition on one line, without NOT before a call, so that equal ones are equal."""
    condition = re.sub(r"\( ", "(", " ".join(condition.split()))
    denied = re.fullmatch(r"not (tanon\._\w+\([^()]*\))", condition)
    return f"({denied[1]}){_FAILS}" if denied else condition


@cache
def opposite(condition: str) -> str:
    """Return the condition that holds exactly where this one does not."""
    words = [token[0] for token in quoting.tokens(condition)]
    match words:
        case [name, "is", "null"]:
            return f"{name} is not null"
        case [name, "is", "not", "null"]:
            return f"{name} is null"
    inner = condition.removesuffix(_FAILS)
    if inner != condition and quoting.is_enclosed(inner):
        return inner[1:-1]
    return f"({condition}){_FAILS}"


def simplest(paths: Iterable[Path], lets: Mapping[str, str]) -> frozenset[Path]:
    """Return the same paths by the function's names for arguments, without what adds nothing.

    It drops paths that cannot be, a condition whose opposite leads to the step just as well, and
    paths that ask for more than another one.
    """
    left = {_named(path, lets) for path in paths}
    left = {path for path in left if not any(_against(c) in path for c in path)}
    while shorter := next(_shorter(left), None):
        left = (left - {shorter[0]}) | {shorter[1]}
    return frozenset(path for path in left if not any(other < path for other in left))


def _shorter(paths: set[Path]) -> Iterator[tuple[Path, Path]]:
    """Paths with a condition that can go: another path needs its opposite and no more."""
    for path in sorted(paths, key=sorted):
        for condition in sorted(path):
            rest, against = path - {condition}, _against(condition)
            if any(against in other and other - {against} <= rest for other in paths):
                yield path, rest


@cache
def _against(condition: str) -> str:
    return f"({opposite(condition[1:-1])})"


def _named(path: Path, lets: Mapping[str, str]) -> Path:
    return frozenset(quoting.renamed(condition, lets) for condition in path)
