"""What stands for an argument that a call leaves out: a role that was declared for its relation.

A function with such arguments is three macros. ``tanon._text_of_<name>`` makes the text of a call
from all arguments; ``tanon._query_of_<name>`` makes that of a query which finds the roles first and
fills them in. Both are long, so that ``tanon.<name>`` only hands on a call of one of them
(``tanon._handed_on`` in ``sql/private/roles.sql``), which DuckDB binds when it comes to it: of the
second where what is missing is needed, or where anything is declared that may stand for it.

Where there is Python, both stand in an instance of DuckDB that makes nothing but texts
(``doors/texts.py``), and every function that is long hands on its call.
"""

import re
from collections.abc import Iterable

from tanon_duck.errors import how_to_declare, subject
from tanon_duck.macros import marks
from tanon_duck.macros.header import GENERALIZED, Argument, Header
from tanon_duck.quoting import literal, literals

# A text that is made by an expression of so many letters costs less to bind than to ask for.
SHORT = 3000


def macros(function: str, header: Header, text: str) -> str:
    """The statements that create a table function whose text is this expression."""
    return ";\n".join(
        [
            *parts(function, header, text),
            f"create or replace macro tanon.{function}({header.signature()}) as table "
            f"from query({whole(function, header, text)})",
        ]
    )


def handing_on(function: str, header: Header) -> str:
    """The statement that creates a table function whose text is made elsewhere."""
    return (
        f"create or replace macro tanon.{function}({header.signature()}) as table "
        f"from query({call(function, header)})"
    )


def is_handed_on(header: Header, text: str) -> bool:
    """Whether the text is made elsewhere where it can be: to ask for it costs as much as to bind
    a short one."""
    return bool(with_roles(header)) or len(text) > SHORT


def whole(function: str, header: Header, text: str) -> str:
    """An expression for the text of a call, roles and all."""
    return call(function, header) if with_roles(header) else text


def parts(function: str, header: Header, text: str) -> list[str]:
    """The macros that make the text and find the roles, where a role may come in between."""
    return makers(function, header, text) if with_roles(header) else []


def makers(function: str, header: Header, text: str) -> list[str]:
    """The macro that makes the text, and where there are roles the one that finds them."""
    needed, others = in_order(header)
    of_text = ", ".join([*(a.name for a in needed), *(f"{a.name} := {a.default}" for a in others)])
    made = [f"create or replace macro tanon._text_of_{function}({of_text}) as (\n{text}\n)"]
    if with_roles(header):
        called = (f"tanon._made({literal(function)}, concat(", ", ', ', ", "))")
        of_query = ", ".join([*(a.name for a in needed), *(f"{a.name} := NULL" for a in others)])
        made.append(
            f"create or replace macro tanon._query_of_{function}({of_query}) as (\n"
            f"{query(function, header, called)}\n)"
        )
    return made


def in_order(header: Header) -> tuple[list[Argument], list[Argument]]:
    """The arguments of these macros: last those for which a role stands before a default."""
    others = [a for a in with_roles(header) if (a.default or "NULL").upper() != "NULL"]
    return [a for a in header.arguments if a not in others], others


def with_roles(header: Header) -> list[Argument]:
    """The arguments for which a role can stand."""
    return [a for a in header.arguments if a.roles]


def call(function: str, header: Header) -> str:
    """An expression for the text of a call: of the call itself, or one that finds roles first."""
    needed, others = in_order(header)
    given = _listed([f"tanon._value({a.name})" for a in needed], ", ")
    for a in others:
        named = f"concat({literal(f', {a.name} := ')}, tanon._value({a.name}))"
        given.append(f"case when {a.name} is null then '' else {named} end")
    names = [f"{r.name}::varchar" for r in _relations(header)]
    relations = f"concat_ws(' ', {', '.join(names)})" if names else literal("")
    return (
        f"tanon._handed_on({literal(function)}, {_concat(given)},\n"
        f"{', '.join(missing(header))},\n{relations})"
    )


def missing(header: Header) -> tuple[str, str]:
    """Conditions: what must be found is left out, and what may be found is."""
    return (
        _any_missing(a for a in with_roles(header) if not a.default),
        _any_missing(a for a in with_roles(header) if a.default),
    )


def _any_missing(arguments: Iterable[Argument]) -> str:
    return " or ".join(f"{a.name} is null" for a in arguments) or "false"


def arguments(function: str, header: Header) -> str:
    """An expression for a query that gives the texts of all arguments, roles filled in."""
    words = [_word(function, a) for a in header.arguments]
    listed = [literal("["), *_listed(words, ", "), literal("]")]
    return _concat([literal("select "), *_of_roles(header, listed)])


def query(function: str, header: Header, called: tuple[str, str, str]) -> str:
    """An expression for the query: the roles of each relation, what is taken of them, the call.

    The call is told by what stands before, between and behind the texts of its arguments.
    """
    before, between, behind = called
    words = [_word(function, a) for group in in_order(header) for a in group]
    made = [literal(before), *_listed(words, between), literal(behind)]
    return _concat([literal("from query("), *_of_roles(header, made), literal(")")])


def _of_roles(header: Header, made: list[str]) -> list[str]:
    """Expressions for the text of an expression, in which c is what is taken of the roles."""
    roles = [_field(r.name, f"tanon._roles_text({r.name})") for r in _relations(header)]
    taken = [
        _field(a.name, f"case when {a.name} is null then {_found(header, a)} else '[]' end")
        for a in with_roles(header)
    ]
    return [
        literal("list_transform([{"),
        *_listed(roles, ", "),
        literal("}], lambda r: list_transform([{"),
        *_listed(taken, ", "),
        literal("}], lambda c: "),
        *made,
        literal(")[1])[1]"),
    ]


def _relations(header: Header) -> list[Argument]:
    """The relations whose roles stand for something."""
    read = {a.relation for a in with_roles(header)}
    return [r for r in header.relations() if r.name in read]


def _field(name: str, expression: str) -> str:
    return f"{literal(f'{literal(name)}: ')}, {expression}"


def _found(header: Header, argument: Argument) -> str:
    """An expression for the text of what is declared for an argument, if it is left out."""
    roles = f"r[{literal(argument.relation)}]"
    if argument.roles[0].startswith(GENERALIZED):
        role = argument.roles[0].removeprefix(GENERALIZED)
        named = next(
            (f"tanon._names_text({a.name})" for a in with_roles(header) if role in a.roles),
            "'null'",
        )
        start = literal(f"tanon._generalized_as({roles}, {literal(role)}, ")
        return f"concat({start}, {named}, ')')"
    start = literal(
        f"tanon._columns_as({roles}, {literals(argument.roles)}, flatten([[]::varchar[]"
    )
    others = [
        f"tanon._names_text({a.name})"
        for a in header.arguments
        if a.kind.is_column
        and a.relation == argument.relation
        and a != argument
        # What is accepted is named a second time: it leaves with what the role takes.
        and (a.roles or "or none" not in a.kind.words)
        # What limits look at may leave as well.
        and not (argument.where and a.roles == ("keep",))
    ]
    return _concat([start, *(f"', ' || {other}" for other in others), literal("]))")])


def _word(function: str, argument: Argument) -> str:
    """An expression for the text of one argument: what is given, or what is taken of the roles."""
    left = _taken(function, argument) if argument.roles else _as_default(argument)
    if argument.where:
        left = f"case when {argument.where} is null then {_as_default(argument)} else {left} end"
    return (
        f"case when {argument.name} is null then {left} else tanon._given_text({argument.name}) end"
    )


def _as_default(argument: Argument) -> str:
    return literal(literal(argument.default or "NULL"))


def _taken(function: str, argument: Argument) -> str:
    found, shown = f"c[{literal(argument.name)}]", f"tanon._text({argument.relation}::varchar)"
    say, how = subject(function, argument.name), how_to_declare(argument.roles)
    otherwise = _as_default(argument)
    if not argument.default:
        start = literal(f"tanon._nothing_declared({literal(say)}, ")
        otherwise = f"concat({start}, {shown}, {literal(f', {literal(how)})')})"
    form = re.split(r"\W", argument.kind.words)[0]
    if form in ("column", "hierarchies"):
        said = f"{literal(say)}, {literal(argument.roles[0])}, " if form == "column" else ""
        opening = literal(f"tanon._role_{form}({said}")
        return _concat([opening, shown, literal(f", {found}, "), otherwise, "')'"])
    # columns, granularities, ways: a macro for each
    return _concat([literal(f"tanon._role_{form}({found}, "), otherwise, "')'"])


def _concat(parts: list[str]) -> str:
    return marks.joined(parts)


def _listed(expressions: list[str], between: str) -> list[str]:
    """The expressions, with the same text between them."""
    parts: list[str] = [literal(between)] * (2 * len(expressions) - 1)
    parts[::2] = expressions
    return parts
