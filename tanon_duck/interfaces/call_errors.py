"""Explain errors of DuckDB about calls of the functions.

For a wrong, missing or additional argument of a macro, DuckDB prints only the signature. This
module reads the statement and names the argument.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

import duckdb

from tanon_duck import quoting
from tanon_duck.errors import (
    missing_argument,
    subject,
    unknown_argument,
    unknown_function,
)
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function

_CALL = re.compile(r"\btanon\.(\w+)\s*\(", re.I)
_DOES_NOT_FIT = re.compile(r"Macro \"?(\w+)\"?\(\) does not support the supplied arguments")
_NO_SUCH = re.compile(r"(Table|Scalar) Function with name \"?(?:tanon\.)?(\w+)\"? does not exist")
_IS_TABLE = re.compile(r"Function \"(\w+)\" is a table function but it was used as a scalar")
_NAMED = re.compile(r"\s*(\w+)\s*(:=|=>|=(?!=))")


def explained(error: BaseException, statement: str) -> str | None:
    """Return a sentence that explains a DuckDB error about a call; None for other errors."""
    text = str(error)
    if not isinstance(error, duckdb.Error):
        return None
    if isinstance(error, duckdb.ConversionException):  # of what was to be compared
        calls = _calls(statement, catalog.functions())
        return next(filter(None, (_compared(function, given) for function, given in calls)), None)
    if found := _DOES_NOT_FIT.search(text):
        names = [found[1]] if found[1] in catalog.functions() else catalog.functions()
        complaints = (misfit(function, given) for function, given in _calls(statement, names))
        return next(filter(None, complaints), None)
    if (found := _IS_TABLE.search(text)) and found[1] in catalog.functions():
        return f"tanon.{found[1]} gives rows: write from tanon.{found[1]}(...)"
    if found := _NO_SUCH.search(text):
        return _no_such(found[2], statement, wants_rows=found[1] == "Table")
    return None


def _no_such(name: str, statement: str, wants_rows: bool) -> str | None:
    if not re.search(rf"\btanon\.\"?{re.escape(name)}\b", statement, re.I):
        return None
    function = catalog.functions().get(name.lower())
    if function is None:
        return unknown_function(name, catalog.functions())
    is_expression = f"tanon.{name} is an expression: write select tanon.{name}(...)"
    return is_expression if wants_rows and function.is_scalar else None


def _calls(statement: str, names: Container[str]) -> Iterator[tuple[Function, list[str]]]:
    """Yield each call of the named functions, with the texts of its arguments."""
    for found in _CALL.finditer(statement):
        function = catalog.functions().get(found[1].lower())
        if function is not None and function.name in names:
            yield function, quoting.arguments(statement, found.end())[0]


def _compared(function: Function, given: list[str]) -> str | None:
    """Return a message for the first argument named by ``=``, which SQL reads as a comparison."""
    names = [a.name for a in function.header.arguments]
    for text in given:
        named = _NAMED.match(text)
        if named and named[2] == "=" and named[1].lower() in names:
            say, name = subject(function.name, named[1]), named[1]
            return f"{say} must be named by :=, as in {name} := ..., got ="
    return None


def misfit(function: Function, given: list[str]) -> str | None:
    """Return a message if arguments are unknown, missing, too many or named by ``=``, else None."""
    if compared := _compared(function, given):
        return compared
    name, known = function.name, function.header.arguments
    names = [a.name for a in known]
    filled: set[str] = set()
    for place, text in enumerate(given):
        named = _NAMED.match(text)
        if named is None:
            if place >= len(known):
                return f"tanon.{name} takes at most {len(known)} arguments, got {len(given)}"
            filled.add(names[place])
        elif named[2] == "=":
            continue
        elif named[1].lower() not in names:
            return unknown_argument(name, named[1], names)
        else:
            filled.add(named[1].lower())
    for argument in known:
        may_be_declared = argument.default or argument.roles
        if not may_be_declared and argument.name not in filled:
            return missing_argument(name, argument.name, argument.meaning)
    return None
