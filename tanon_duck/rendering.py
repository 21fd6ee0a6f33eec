"""From a function's file to its CREATE MACRO: argument checks, source CTEs, then the body.

A table function becomes ``from query(case when <wrong argument> then error(...) else <text> end)``.
The checks inside ``query(...)`` fire when the call is bound, empty table or not; those that need
the table itself are CTEs in front of the body (``sources``).
"""

from tanon_duck import quoting, sources
from tanon_duck.errors import subject
from tanon_duck.header import Argument, Header
from tanon_duck.quoting import literal, literals
from tanon_duck.template import Template


def table_macro(function: str, header: Header, body: str) -> str:
    """The CREATE MACRO statement of a table function."""
    parameters = header.signature()
    text = text_expression(function, header, body)
    return f"create or replace macro tanon.{function}({parameters}) as table from query({text})"


def scalar_macro(function: str, header: Header, body: str) -> str:
    """The CREATE MACRO statement of a scalar function: its body is an expression as it stands."""
    expression = quoting.without_comments(body)
    return f"create or replace macro tanon.{function}({header.signature()}) as (\n{expression})"


def text_expression(function: str, header: Header, body: str) -> str:
    """A SQL expression over the arguments: the complete SQL of one call, or an error."""
    checks = "".join(
        f"\nwhen {wrong} then error({say})" for wrong, say in _checks(function, header)
    )
    text = _complete(function, header, body)
    return f"case{checks}\nelse {text} end" if checks else text


def _checks(function: str, header: Header) -> list[tuple[str, str]]:
    """What is wrong, and what to say, in the order in which a user reads the arguments."""
    checks = []
    for a in header.arguments:
        if not a.is_optional:
            checks.append((f"{a.name} is null", _say(function, a.name, a.kind.allowed)))
        if (right := a.kind.right(a.name)) != "true":
            hint = f" || tanon._nearest({a.name}, {literals(list(a.kind.choices))})"
            say = _say(function, a.name, a.kind.allowed) + (hint if a.kind.choices else "")
            checks.append((f"not ({right})", say))
    between = [
        (f"not ({c.condition})", _say(function, c.argument, c.allowed)) for c in header.checks
    ]
    return checks + between + _taken_names(function, header)


def _say(function: str, argument: str, allowed: str) -> str:
    return f"tanon._must_be({literal(subject(function, argument))}, {literal(allowed)}, {argument})"


def _taken_names(function: str, header: Header) -> list[tuple[str, str]]:
    """Column arguments that the result repeats must not have the names of columns it adds."""
    added = header.added_columns()
    allowed = f"other than the columns that the result adds, {', '.join(added)}"
    return [
        (
            f"list_has_any(list_transform(tanon._list({name}), lambda e: lower(e)), "
            f"{literals(added)})",
            _say(function, name, allowed),
        )
        for name in header.passed_columns()
        if header.argument(name)
    ]


def _complete(function: str, header: Header, body: str) -> str:
    """The body behind the CTEs of its relations."""
    body = quoting.without_comments(body)
    relations = sorted(header.relations(), key=lambda r: r.is_optional)
    if not relations:
        return Template(function, header, body).expression()
    opening = "with recursive " if body.startswith("with recursive ") else "with "
    own_ctes = body.removeprefix(opening)
    ctes = [_ctes(function, header, r) for r in relations]
    if relations[0].is_optional:
        ctes.insert(0, literal("tanon_call as (select true)"))
    separator = literal("\n" if own_ctes == body else ",\n")
    text = Template(function, header, own_ctes).expression()
    return " || ".join([literal(opening), *ctes, separator, text])


def _ctes(function: str, header: Header, relation: Argument) -> str:
    text = sources.ctes(function, header, relation)
    if relation.is_optional:
        return f"case when {relation.name} is null then '' else E',\\n' || {text} end"
    return text
