"""Find mistakes in a block of a SQL file: report file, line and the nearest known name.

The linker finds missing steps, and ``template`` finds wrong placeholders. This module finds unknown
arguments, macros, CTEs and sources, which DuckDB would report only at a call and without a place.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache

from tanon_duck.errors import TemplateError, nearest
from tanon_duck.macros.steps import Step

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_BARE_CTE = re.compile(r"\b(?:(?<!distinct )from|join)\s+(tanon_\w+)\b(?!\s*\()")
_INNER_CTE = re.compile(r"\b(tanon_\w+)(?:\([^()]*\))? as (?:not )?(?:materialized )?\(")
_MACRO = re.compile(r"\btanon\.(_\w+)\s*\(")
_CONDITIONS = (
    re.compile(r"\{if ([^{}]+)\}"),
    re.compile(r"\{for \w+ in ([^{}]+?) joined by"),
    re.compile(r"\{tanon\.\w+\(([^{}]*)\)\}"),
)
_WORD = re.compile(r"(?<![\w.:])([a-z_]\w*)(?!\w|\s*\(|\.)")
_BOUND = re.compile(r"\{for (\w+) in |\blambda (\w+):")
_SQL_WORDS = frozenset(
    [
        "is",
        "null",
        "not",
        "and",
        "or",
        "in",
        "true",
        "false",
        "between",
        "like",
        "varchar",
        "boolean",
    ]
)
_SOURCE = re.compile(r"(?<![\w.\]])(\w*[a-z]\w*)\.(?=[a-z_{*\"(])|\{,?(\w+)\.(?=\w)")


@cache
def refuse(block: Step, arguments: frozenset[str], macros: frozenset[str]) -> None:
    """Raise TemplateError for the first mistake; ``macros`` are the macros of ``sql/private``.

    Functions share blocks, so the cache remembers blocks without mistakes.
    """
    if not block.body:
        return
    text = _QUOTED.sub("''", block.body)
    _refuse_arguments(block, text, arguments)
    _refuse_macros(block, text, macros)
    if block.kind in ("piece", "use"):  # a piece may read what stands around it
        return
    _refuse_bare_ctes(block, text)
    _refuse_sources(block, text)


def _refuse_arguments(block: Step, text: str, arguments: Collection[str]) -> None:
    """Raise if a condition or a macro call names an unknown argument or loop variable."""
    bound = {name for pair in _BOUND.findall(text) for name in pair if name}
    known = {*arguments, *block.parameters, *bound}
    written = [found for pattern in _CONDITIONS for found in pattern.findall(text)]
    for condition in [_QUOTED.sub("''", block.condition), *written]:
        for word in _WORD.findall(condition):
            if word not in known and word not in _SQL_WORDS:
                _raise(block, word, f"there is no argument {word}", known)


def _refuse_macros(block: Step, text: str, macros: Collection[str]) -> None:
    for name in _MACRO.findall(text):
        if macros and name not in macros:
            _raise(block, f"tanon.{name}", f"there is no macro tanon.{name}", macros)


def _refuse_bare_ctes(block: Step, text: str) -> None:
    inner = set(_INNER_CTE.findall(text))
    for name in _BARE_CTE.findall(text):
        if name not in inner:
            raise TemplateError(f"{block.place_of(name)}: write {{{name[6:]}}} for {name}")


def _refuse_sources(block: Step, text: str) -> None:
    """Raise if a relation whose columns a block reads, ``x`` in ``{x.qi}``, is not a step."""
    text = re.sub(r"\b(?:tanon|system|system\.main|main)\.(?=\w)", "", text)
    for names in _SOURCE.findall(text):
        name = names[0] or names[1]
        if not re.search(rf"(?<![\w.{{]){name}\b(?!\.)", text):
            _raise(block, f"{name}.", f"there is no {name} to read columns from", _aliases(text))


def _aliases(text: str) -> list[str]:
    """Return the aliases in a body, as suggestions."""
    return re.findall(r"(?:\bas |[)}] (?!as ))([a-z]\w+)", text)


def _raise(block: Step, words: str, problem: str, known: Iterable[str]) -> None:
    hint = nearest(words.removeprefix("tanon.").strip("."), known)
    raise TemplateError(f"{block.place_of(words)}: {problem}{hint}")
