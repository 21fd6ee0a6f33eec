"""Rows of ``plans.toml``: how a call is done where a table lies in many shards."""

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
    """A row of a plan: steps, and how they come about where a table lies in many shards.

    ``how`` is *by* (told by every shard, then merged), *left by* (rows that stay out there, parted
    anew by the next stage), *decided* (from what was merged) or, of arguments, *refused*,
    *required*, *applied* (where rows lie), *single* and *off*, to be false. What is *query* gives
    the rows of the function; *shown*, these are parted anew; *numbered* is a column of theirs that
    numbers groups, by the columns that are equal in one. A relation *along* is whole beside each
    shard. A step is *step* or, of the SQL of another function, *function.step*; *as step* renames
    it.
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
    """What a stage tells: a function, empty for the own one, a step, and what it is known as."""
    words, _, known_as = what.partition(" as ")
    function, _, step = words.rpartition(".")
    return function, step, known_as or step


def read_all(rows: str, parts: Mapping[str, str]) -> Iterator[Stage]:
    """Yield the stages that rows describe; ``uses kept`` stands for the rows of that part."""
    for row in header.rows(indent(rows, "  ")):
        if len(row) == 1:
            yield from read_all(parts[row[0].removeprefix("uses ")], parts)
        else:
            yield _read(row)


def _read(row: list[str]) -> Stage:
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
