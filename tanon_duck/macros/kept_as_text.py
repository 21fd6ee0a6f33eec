"""What makes the texts of calls, itself kept as text: for the stock shell, which reads all of it.

To parse an expression, to bind it and to hold its tree is most of what reading it takes, and a
session calls few functions. So the expression is one literal, in which ``@2@`` stands for the
second argument, and a call parses it (``tanon._made`` in ``sql/private/roles.sql``).
"""

import re

from tanon_duck.errors import TemplateError
from tanon_duck.macros import left_out, marks
from tanon_duck.macros.header import Header
from tanon_duck.quoting import literal

MARK = "@"
QUOTE = "$tanon$"


def expressions(function: str, header: Header, text: str) -> dict[str, str]:
    """What is kept: what makes the text of a call and, where there are roles, what finds them."""
    kept = {_text_of(function): text}
    if left_out.with_roles(header):
        called = (f"tanon._made({_text_of(function)}, [", ", ", "])")
        kept[_query_of(function)] = left_out.query(function, header, called)
    return kept


def public(function: str, header: Header) -> str:
    """The statement that creates the table function whose calls read what is kept."""
    call = f"tanon._made({_text_of(function)}, {_given(header)})"
    if left_out.with_roles(header):
        kept = f"{_text_of(function)}, {_query_of(function)}"
        missing = ", ".join(left_out.missing(header))
        call = f"tanon._handed_on({kept}, {_given(header)},\n{missing})"
    return (
        f"create or replace macro tanon.{function}({header.signature()}) as table "
        f"from query({call})"
    )


def _text_of(function: str) -> str:
    return f"tanon._text_of_{function}()"


def _query_of(function: str) -> str:
    return f"tanon._query_of_{function}()"


def _given(header: Header) -> str:
    """The texts of arguments; twice where a role may come before a default, which stands first."""
    needed, others = left_out.in_order(header)
    values = [f"tanon._value({a.name})" for a in (*needed, *others)]
    defaults = [
        f"case when {a.name} is null then {literal(str(a.default))} else {value} end"
        for a, value in zip(others, values[len(needed) :], strict=True)
    ]
    values[len(needed) : len(needed)] = defaults
    return f"[{', '.join(values)}]"


def keeping(called: str, header: Header, expression: str) -> str:
    """The statement that keeps an expression of a function's arguments as text."""
    needed, others = left_out.in_order(header)
    names = [a.name for a in (*needed, *others)]
    seats = {name: f"{MARK}{place}{MARK}" for place, name in enumerate(names, 1)}
    if called.startswith("tanon._query_of_"):
        # It looks for roles where nothing is given.
        seats |= {a.name: f"{MARK}{len(names) + place}{MARK}" for place, a in enumerate(others, 1)}
    if MARK in expression or QUOTE in expression:
        raise TemplateError(f"{called}: {MARK} and {QUOTE} mean something in what is kept as text")
    if variable := re.search(rf"\blambda [\w, ]*\b({'|'.join(names)})\b", marks.bare(expression)):
        raise TemplateError(f"{called}: {variable[1]} is an argument and a variable of a lambda")
    kept = marks.renamed(expression, seats)
    return f"create or replace macro {called} as {QUOTE}{kept}{QUOTE}"
