"""Render SQL statements of publications from Jinja templates.

A value must be ``Quoted``, a number, a boolean or None. Other text raises an error, so that no code
forgets to quote. Calls of DuckDB's functions get the prefix ``system.main.``.
"""

from functools import cache
from typing import Any

import jinja2

from tanon_duck.errors import TemplateError
from tanon_duck.macros import builtin_functions
from tanon_duck.macros.catalog import file_text
from tanon_duck.quoting import Quoted


def of_file(name: str, **given: Any) -> Quoted:
    """Render a file of ``sql/statements/publication``."""
    return Quoted(_environment().get_template(name).render(given))


def of_text(text: str, **given: Any) -> Quoted:
    """Render a template that is written in Python."""
    return Quoted(_of_text(text).render(given))


@cache
def _of_text(text: str) -> jinja2.Template:
    return _environment().from_string(builtin_functions.with_catalog(text))


def _written(value: object) -> str:
    """Return a value as SQL; raise for text that is not quoted."""
    match value:
        case Quoted() | int():
            return str(value).lower() if isinstance(value, bool) else str(value)
        case None:
            return "null"
    raise TemplateError(f"a statement is filled in with text that is not quoted: {type(value)}")


def _text_of(name: str) -> str:
    return builtin_functions.with_catalog(file_text(f"statements/publication/{name}.sql"))


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_text_of),
        finalize=_written,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
