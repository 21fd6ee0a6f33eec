"""From a function's file to its CREATE MACRO: argument checks, source CTEs, then the body.

A table function becomes ``from query(tanon._unless(<message of a wrong argument>, <text>))``.
The checks inside ``query(...)`` fire when the call is bound, empty table or not; those that need
the table itself are CTEs in front of the body (``sources``).
"""

import re

from tanon_duck import quoting, sources
from tanon_duck.errors import must_be_allowed
from tanon_duck.header import Argument, Header
from tanon_duck.quoting import literal, literals
from tanon_duck.template import Template


def table_macro(function: str, header: Header, body: str) -> str:
    """The CREATE MACRO statement of a table function."""
    parameters = header.signature()
    text = text_expression(function, header, body)
    return f"create or replace macro tanon.{function}({parameters}) as table from query({text})"


def scalar_macro(function: str, header: Header, body: str) -> str:
    """The CREATE MACRO statement of a scalar function: its body is an expression as it stands.

    An argument of kind ``time`` makes one overload for each type of time, so that nothing of a
    time zone is bound without one, and a last one that refuses text. The wall clock of a zone,
    which is long, is written once.
    """
    expression = quoting.without_comments(body)
    signature = header.signature()
    time = next((a.name for a in header.arguments if a.kind.name == "time"), None)
    if time is None:
        return f"create or replace macro tanon.{function}({signature}) as (\n{expression})"
    clock = f"tanon._clock('tanon.{function}', {time}, tz)"
    once = f"list_transform([{clock}], lambda shown: {expression.replace(clock, 'shown')})[1]"
    bodies = [("date", expression), ("timestamp", expression), ("timestamptz", once)]
    bodies += [("varchar", _refusal(function, time))]
    typed = [f"({header.signature({time: type})}) as (\n{overload})" for type, overload in bodies]
    return f"create or replace macro tanon.{function}\n" + ",\n".join(typed)


def _refusal(function: str, time: str) -> str:
    say = must_be_allowed(function, time, "a DATE or a TIMESTAMP")
    return (
        f"error({literal(f'{say}, got text: cast it, as in {time}::timestamp')} || left({time}, 0))"
    )


def text_expression(function: str, header: Header, body: str) -> str:
    """A SQL expression over the arguments: the complete SQL of one call, or an error."""
    text = _complete(function, header, body)
    if checks := _checks(function, header):
        return f"tanon._unless(coalesce({', '.join(['tanon._replaced()', *checks])}),\n{text})"
    return text


def _checks(function: str, header: Header) -> list[str]:
    """SQL expressions, NULL or a message, in the order in which a user reads the arguments."""
    checks = []
    for a in header.arguments:
        say = literal(must_be_allowed(function, a.name, a.kind.allowed))
        checks.append(a.kind.wrong(a.name, say, a.is_optional))
    for c in header.checks:
        say = literal(must_be_allowed(function, c.argument, c.allowed))
        broken = f"not ({c.condition})"
        checks.append(f"case when {broken} then tanon._got({say}, {c.argument}) end")
    added = header.added_columns()
    allowed = f"other than the columns that the result adds, {', '.join(added)}"
    for name in filter(header.argument, header.passed_columns()):
        say = literal(must_be_allowed(function, name, allowed))
        checks.append(f"tanon._wrong_result_name({say}, {name}, {literals(added)})")
    return list(filter(None, checks))


def _complete(function: str, header: Header, body: str) -> str:
    """The body behind the CTEs of its relations."""
    body = quoting.without_comments(body)
    relations = sorted(header.relations(), key=lambda r: r.is_optional)
    if not relations:
        return Template(function, header, body).expression()
    body = re.sub(r"^with\s+", "with ", body)
    opening = "with recursive " if body.startswith("with recursive ") else "with "
    own_ctes = body.removeprefix(opening)
    ctes = [_ctes(function, header, r) for r in relations]
    required = sum(not r.is_optional for r in relations)
    for place in range(1, required):
        ctes[place] = f"concat(E',\\n', {ctes[place]})"
    if not required:
        ctes.insert(0, literal("tanon_call as (select true)"))
    separator = literal("\n" if own_ctes == body else ",\n")
    text = Template(function, header, own_ctes).expression()
    return f"concat({', '.join([literal(opening), *ctes, separator, text])})"


def _ctes(function: str, header: Header, relation: Argument) -> str:
    text = sources.ctes(function, header, relation)
    if relation.is_optional:
        return f"case when {relation.name} is null then '' else concat(E',\\n', {text}) end"
    return text
