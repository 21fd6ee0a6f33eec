"""When a step is needed: the conditions on arguments under which something reads it.

A path is conditions that hold together, each in parentheses; a step is needed where all of one of
its paths hold. What stands in SQL for that is kept short: it is bound at every call.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from tanon_duck.macros import marks

Path = frozenset[str]
ALWAYS: Path = frozenset()

_TURN = re.compile(
    r"\{if (?P<condition>[^{}]+)\}|\{for (?P<variable>\w+) in [^{}]+? joined by '[^']*'\}"
    r"|\{(?P<word>else|end)\}"
)


def path_to(body: str, end: int) -> Path:
    """The conditions on arguments alone under which a place of a body is reached."""
    opened: list[tuple[str, str]] = []  # the condition, or the variable of a loop
    for turn in _TURN.finditer(body, 0, end):
        if turn["word"] == "else":
            opened.append((_opposite(opened.pop()[0]), ""))
        elif turn["word"] == "end":
            opened.pop()
        else:
            opened.append((turn["condition"] or "", turn["variable"] or ""))
    loops = "|".join(variable for _, variable in opened if variable)
    return frozenset(
        f"({condition})"
        for condition, _ in opened
        if condition and not (loops and re.search(rf"\b(?:{loops})\b", condition))
    )


def _opposite(condition: str) -> str:
    if found := re.fullmatch(r"(\w+) is (not )?null", condition):
        return f"{found[1]} is {'' if found[2] else 'not '}null"
    if found := re.fullmatch(r"\((.*)\) is not true", condition):
        return found[1]
    return f"({condition}) is not true"


def simplest(paths: Iterable[Path], lets: Mapping[str, str]) -> frozenset[Path]:
    """The same paths by the function's names for arguments, without what adds nothing.

    Gone are paths that cannot be, a condition whose opposite leads there just as well, and paths
    that ask for more than another one.
    """
    left = {_named(path, lets) for path in paths}
    left = {path for path in left if not any(_against(c) in path for c in path)}
    while shorter := next(_shorter(left), None):
        left = (left - {shorter[0]}) | {shorter[1]}
    return frozenset(path for path in left if not any(other < path for other in left))


def _shorter(paths: set[Path]) -> Iterator[tuple[Path, Path]]:
    """Paths with a condition that can be left out: another one needs its opposite and no more."""
    for path in sorted(paths, key=sorted):
        for condition in sorted(path):
            rest, against = path - {condition}, _against(condition)
            if any(against in other and other - {against} <= rest for other in paths):
                yield path, rest


def _against(condition: str) -> str:
    return f"({_opposite(condition[1:-1])})"


def _named(path: Path, lets: Mapping[str, str]) -> Path:
    for taken, given in lets.items():
        path = frozenset(re.sub(rf"\b{taken}\b", given, condition) for condition in path)
    return path


def any_of(paths: Iterable[Path]) -> str:
    """SQL for: all of one of these."""
    return " or ".join(sorted(" and ".join(sorted(path)) or "true" for path in paths)) or "false"


def where(needed: frozenset[Path], expression: str) -> str:
    """The expression where one of the paths holds, no text elsewhere."""
    if ALWAYS in needed:
        return expression
    condition = any_of(frozenset(map(marks.mark, path)) for path in needed)
    return f"case when {condition} then {expression} else '' end"
