"""Read ``plans.toml``: the stages in which a function runs on shards."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent

from tanon_duck.errors import TemplateError
from tanon_duck.macros import header

_CONDITIONS = r"(?:no )?\w+(?: or (?:no )?\w+)*"
_HOW = re.compile(
    r"(?P<how>(?:left |numbered )?by|along|applied|decided|refused|required|single|off)"
    r"(?: (?P<keys>(?!of |when |unless )\w+(?:, \w+)*))?"
    r"(?: of (?P<of>\w+)(?: as (?P<as_step>\w+))?)?"
    rf"(?: when (?P<when>{_CONDITIONS}))?(?: unless (?P<unless>{_CONDITIONS}))?"
)


@dataclass(frozen=True)
class Stage:
    """One stage of a plan: its steps, and how their rows come from the shards.

    The kinds in ``how`` are: *by* (each shard returns partial rows, and the driver merges them),
    *left by* (rows stay in the shards, and the next stage divides them by its keys), *decided* (the
    driver computes the step from merged rows), *along* (a whole relation is copied to each shard).
    *refused*, *required*, *applied*, *single* and *off* are rules about arguments.

    The step *query* is the result of the function. *shown* divides this result again, and
    *numbered* numbers its groups. A step is named *step*, or *function.step* for a step of another
    function. *as step* renames it.
    """

    what: tuple[str, ...]
    how: str
    keys: tuple[str, ...] = ()  # arguments, or columns of what was left; none: however rows lie
    of: str = ""  # what was left, where it is not the source
    as_step: str = ""  # the step that these rows are then: of each number of theirs by itself
    # Arguments that are given, or (``no ts``) are not:
    when: tuple[str, ...] = ()  # without all of them the stage has nothing to do
    unless: tuple[str, ...] = ()  # with one of them it has nothing to do
    note: str = ""


def told(what: str) -> tuple[str, str, str]:
    """Split the name of a step into function ('' for its own), step and new name."""
    words, _, known_as = what.partition(" as ")
    function, _, step = words.rpartition(".")
    return function, step, known_as or step


def read_all(rows: str, parts: Mapping[str, str]) -> Iterator[Stage]:
    """Yield the stages of a plan; ``uses kept`` stands for the rows of that part."""
    for row in header.rows(indent(rows, "  ")):
        if len(row) == 1:
            yield from read_all(parts[row[0].removeprefix("uses ")], parts)
        else:
            yield _read(row)


def _read(row: list[str]) -> Stage:
    """Parse one row of a plan: its steps, its kind such as 'by qi', and a note."""
    what, words, note = row
    found = _HOW.fullmatch(words)
    if found is None:
        said = f"plans.toml: a row must be as 'by qi', 'decided' or 'refused', got {words!r}"
        raise TemplateError(said)
    keys = tuple(k.strip() for k in (found["keys"] or "").split(",") if k.strip() != "anything")
    names = tuple(name.strip() for name in what.split(","))
    when, unless = (tuple((found[n] or "").split(" or ")) for n in ("when", "unless"))
    return Stage(
        names,
        found["how"],
        tuple(filter(None, keys)),
        found["of"] or "",
        found["as_step"] or "",
        tuple(filter(None, when)),
        tuple(filter(None, unless)),
        note,
    )
