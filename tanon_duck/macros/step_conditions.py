"""Compute the conditions on arguments under which a call needs a step.

A path is a set of SQL conditions, for example ``{'(ts is not null)', '(k > 1)'}``. A call needs a
step if all conditions of one of its paths hold. DuckDB binds each condition at every call, so this
module simplifies the paths.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tanon_duck import quoting

Path = frozenset[str]
ALWAYS: Path = frozenset()

_BLOCK_TOKEN = re.compile(
    r"\{if (?P<condition>[^{}]+)\}|\{for (?P<variable>\w+) in [^{}]+? joined by '[^']*'\}"
    r"|\{(?P<word>else|end)\}"
)
_FAILS = " is not true"


def path_to(body: str, end: int) -> Path:
    """Return the conditions on arguments alone under which a place of a body is reached."""
    open_blocks: list[tuple[str, str]] = []  # the condition, or the variable of a loop
    for token in _BLOCK_TOKEN.finditer(body, 0, end):
        if token["word"] == "else":
            open_blocks.append((opposite(open_blocks.pop()[0]), ""))
        elif token["word"] == "end":
            open_blocks.pop()
        else:
            open_blocks.append((_normalized(token["condition"] or ""), token["variable"] or ""))
    loops = "|".join(variable for _, variable in open_blocks if variable)
    return frozenset(
        f"({condition})"
        for condition, _ in open_blocks
        if condition and not (loops and re.search(rf"\b(?:{loops})\b", condition))
    )


def _normalized(condition: str) -> str:
    """Write a condition on one line, without NOT before a call, so that equal ones are equal."""
    condition = re.sub(r"\( ", "(", " ".join(condition.split()))
    denied = re.fullmatch(r"not (tanon\._\w+\([^()]*\))", condition)
    return f"({denied[1]}){_FAILS}" if denied else condition


@cache
def opposite(condition: str) -> str:
    """Return the negated condition: ``ts is null`` becomes ``ts is not null``."""
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
    """Return equivalent paths with fewer conditions; ``lets`` renames arguments.

    Drop contradictory paths, conditions whose negation leads to the step too, and paths that
    require more than another path.
    """
    remaining = {_with_function_names(path, lets) for path in paths}
    remaining = {path for path in remaining if not any(_negated(c) in path for c in path)}
    while shorter := next(_shorter(remaining), None):
        remaining = (remaining - {shorter[0]}) | {shorter[1]}
    return frozenset(path for path in remaining if not any(other < path for other in remaining))


def _shorter(paths: set[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield pairs of a path and the path without one redundant condition.

    A condition is redundant if another path needs its negation and nothing else in addition.
    """
    for path in sorted(paths, key=sorted):
        for condition in sorted(path):
            rest, against = path - {condition}, _negated(condition)
            if any(against in other and other - {against} <= rest for other in paths):
                yield path, rest


@cache
def _negated(condition: str) -> str:
    return f"({opposite(condition[1:-1])})"


def _with_function_names(path: Path, lets: Mapping[str, str]) -> Path:
    return frozenset(quoting.renamed(condition, lets) for condition in path)
