"""What makes the texts of calls, itself kept as text: for the stock shell, which reads all of it.

To parse an expression, to bind it and to hold its tree is most of what reading it takes, and a
session calls few functions. So the expression is one literal, in which ``@2@`` stands for the
second argument, and a call parses it (``tanon._made`` in ``sql/private/roles.sql``).
"""

import re
from collections.abc import Callable

from tanon_duck.errors import TemplateError
from tanon_duck.macros import left_out, marks
from tanon_duck.macros.header import Header

MARK = "@"
QUOTE = "$tanon$"


def macros(
    function: str, header: Header, text: str, finished: Callable[[str], str]
) -> tuple[str, ...]:
    """The statements that create a table function whose text this expression makes."""
    kept, given = f"tanon._text_of_{function}()", _given(header)
    made, call = [_macro(kept, header, finished(text))], f"tanon._made({kept}, {given})"
    if left_out.with_roles(header):
        query = left_out.query(function, header, (f"tanon._made({kept}, [", ", ", "])"))
        finds_roles = f"tanon._query_of_{function}()"
        made.append(_macro(finds_roles, header, finished(query)))
        missing = ", ".join(left_out.missing(header))
        call = f"tanon._handed_on({kept}, {finds_roles}, {given},\n{missing})"
    body = finished(f"query({call})")
    public = f"create or replace macro tanon.{function}({header.signature()}) as table from {body}"
    return (*made, public)


def _given(header: Header) -> str:
    values = ", ".join(
        f"tanon._value({a.name})" for group in left_out.in_order(header) for a in group
    )
    return f"[{values}]"


def _macro(called: str, header: Header, expression: str) -> str:
    """The statement that keeps an expression of a function's arguments as text."""
    needed, others = left_out.in_order(header)
    names = [a.name for a in (*needed, *others)]
    seats = {name: f"{MARK}{place}{MARK}" for place, name in enumerate(names, 1)}
    # Where a role may come before a default, what is left out comes as NULL.
    seats |= {a.name: f"coalesce({seats[a.name]}, {a.default})" for a in others}
    if MARK in expression or QUOTE in expression:
        raise TemplateError(f"{called}: {MARK} and {QUOTE} mean something in what is kept as text")
    if variable := re.search(rf"\blambda [\w, ]*\b({'|'.join(names)})\b", marks.bare(expression)):
        raise TemplateError(f"{called}: {variable[1]} is an argument and a variable of a lambda")
    kept = marks.renamed(expression, seats)
    return f"create or replace macro {called} as {QUOTE}{kept}{QUOTE}"
