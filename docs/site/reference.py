"""The pages of functions and of the kinds of their arguments, from the headers alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from docs.site.examples import Given
from tanon_duck.interfaces.files.example_commands import example_line
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument

Functions = Mapping[str, Function]
_AUDIENCES = {
    "others": "The result may be released.",
    "the owner": "The result is for the owner of the table: it is no release.",
    "anybody": "The result tells nothing that is not public, or given by whoever asks.",
}


def function_page(function: Function, given: Given | None, functions: Functions) -> dict[str, Any]:
    """What one page shows."""
    header = function.header
    return {
        "title": f"tanon.{function.name}",
        "topic": spoken(function.topic),
        "summary": linked(header.summary, functions),
        "details": [
            (_is_drawn(text), linked(text, functions))
            for text in header.details.split("\n\n") if text
        ],
        "audience": _AUDIENCES[header.answer().audience],
        "call": _call(function),
        "arguments": [_argument(argument, functions) for argument in header.arguments],
        "checks": [(check.argument, check.allowed) for check in header.checks],
        "answers": [
            (answer.name, _AUDIENCES[answer.audience],
             [(r.name, r.type, linked(r.meaning, functions)) for r in answer.columns])
            for answer in header.answers
        ],
        "returns": header.returns,
        "holds": _holds(function),
        "python": function.needs_python,
        "example": header.example,
        "given": given,
        "line": example_line(function),
    }  # fmt: skip


def overview(functions: Functions) -> dict[str, Any]:
    """All functions by topic."""
    topics: dict[str, list[tuple[str, Markup]]] = {}
    for name, function in sorted(functions.items()):
        summary = linked(function.header.summary, functions)
        topics.setdefault(spoken(function.topic), []).append((name, summary))
    return {"title": "Functions", "topics": sorted(topics.items())}


def kinds(functions: Functions) -> dict[str, Any]:
    """The kinds of arguments: what each is, how headers spell it, what its message says."""
    found: dict[str, dict[str, Any]] = {}
    for function in functions.values():
        for argument in function.header.arguments:
            kind = argument.kind
            told = found.setdefault(
                anchor(argument),
                {
                    "what": (type(kind).__doc__ or "").strip(), "spelt": set(), "allowed": set(),
                    "metavar": kind.metavar, "used": set(),
                },
            )  # fmt: skip
            told["spelt"].add(kind.words)
            told["allowed"].add(kind.allowed)
            told["used"].add(function.name)
    listed = [(name, told) for name, told in sorted(found.items())]
    return {"title": "Kinds of arguments", "kinds": listed}


def anchor(argument: Argument) -> str:
    """The kind of an argument as its part of the page is called."""
    return type(argument.kind).__name__


def linked(text: str, functions: Functions) -> Markup:
    """A text in which the names of functions lead to their pages."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        return f'<a href="{name}.html">tanon.{name}</a>' if name in functions else found[0]

    return Markup(re.sub(r"\btanon\.([a-z]\w*)", link, str(escape(text))))


def spoken(topic: str) -> str:
    """A topic as a heading."""
    return topic.replace("_", " ")


def _is_drawn(text: str) -> bool:
    """Whether lines must stay as they are: a list, a statement."""
    return any(line.startswith("  ") for line in text.splitlines())


def _call(function: Function) -> str:
    """How it is called, an argument a line."""
    lines = [
        f"    {a.name}" + (f" := {a.default}" if a.default else "")
        for a in function.header.arguments
    ]
    start = "select" if function.is_scalar else "from"
    return f"{start} tanon.{function.name}(\n" + ",\n".join(lines) + "\n)" if lines else (
        f"{start} tanon.{function.name}()"
    )  # fmt: skip


def _argument(argument: Argument, functions: Functions) -> dict[str, Any]:
    return {
        "name": argument.name,
        "kind": argument.kind.words,
        "anchor": anchor(argument),
        "default": argument.default,
        "roles": " and ".join(argument.roles),
        "meaning": linked(argument.meaning, functions),
    }


def _holds(function: Function) -> str:
    """When the promise of a check holds."""
    holds = function.header.holds
    if holds is None:
        return ""
    return f"It holds where {holds.column} is true in every row." if holds.column else (
        "It holds where there are no rows."
    )  # fmt: skip
