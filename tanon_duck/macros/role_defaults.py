"""Default values for omitted arguments, taken from the declared column roles.

Only the connection of a call knows the roles. So ``tanon._by_roles_to_<name>`` returns a SQL
expression that the call evaluates. Its value is the text of all arguments in the order of
``in_order``, with columns from roles. ``tanon.<name>`` uses it only if a required argument is
omitted, or if a declared role can replace an omitted one (``tanon._handed_on``).
"""

import re
from collections.abc import Iterable, Sequence

from tanon_duck.errors import subject
from tanon_duck.macros.header import GENERALIZED, Argument, Header
from tanon_duck.macros.text_tree import Either, Joined, Piece, Value, joined
from tanon_duck.quoting import literal, literals


def finder(function: str, header: Header) -> str:
    """Return the statement that creates the macro which completes a call from roles."""
    needed, others = in_order(header)
    arguments = ", ".join([*(a.name for a in needed), *(f"{a.name} := NULL" for a in others)])
    words = _listed((_word(function, a) for a in (*needed, *others)), ", ', ', ")
    return (
        f"create or replace macro tanon._by_roles_to_{function}({arguments}) as (\n"
        f"{inline(_expression(header, joined(['concat(', *words, ')'])))}\n)"
    )


def signature(header: Header) -> str:
    """Return the parameters of a macro that writes the SQL of a call, with defaults."""
    needed, others = in_order(header)
    return ", ".join([*(a.name for a in needed), *(f"{a.name} := {a.default}" for a in others)])


def in_order(header: Header) -> tuple[list[Argument], list[Argument]]:
    """Return the arguments in two lists: roles with a default other than NULL are in the second."""
    others = [a for a in with_roles(header) if (a.default or "NULL").upper() != "NULL"]
    return [a for a in header.arguments if a not in others], others


def with_roles(header: Header) -> list[Argument]:
    """Return the arguments that a role can replace."""
    return [a for a in header.arguments if a.roles]


def given(header: Header) -> str:
    """Return SQL for the text of the given arguments of a call."""
    needed, others = in_order(header)
    parts: list[Piece] = _listed([Value(f"tanon._value({a.name})") for a in needed])
    for a in others:
        named = joined([f", {a.name} := ", Value(f"tanon._value({a.name})")])
        parts.append(Either(((Value(f"{a.name} is not null"),),), named))
    return inline(joined(parts))


def call(function: str, header: Header) -> str:
    """Return SQL for the text of a call, which first looks roles up if necessary."""
    return (
        f"tanon._handed_on({literal(function)}, {given(header)},\n"
        f"{', '.join(missing(header))},\n{relations(header)})"
    )


def relations(header: Header) -> str:
    """Return SQL for the names of the relations whose roles can replace arguments."""
    names = [f"{r.name}::varchar" for r in _relations(header)]
    return f"concat_ws(' ', {', '.join(names)})" if names else "''"


def missing(header: Header) -> tuple[str, str]:
    """Return two conditions: a required argument is omitted; an optional one is omitted."""
    return (
        _any_missing(a for a in with_roles(header) if not a.default),
        _any_missing(a for a in with_roles(header) if a.default),
    )


def _any_missing(arguments: Iterable[Argument]) -> str:
    return " or ".join(f"{a.name} is null" for a in arguments) or "false"


def arguments(function: str, header: Header) -> str:
    """Return SQL for a query that returns all arguments as text, completed from roles."""
    words = _listed(_word(function, a) for a in header.arguments)
    return inline(joined(["select ", _expression(header, joined(["[", *words, "]"]))]))


def _expression(header: Header, made: Piece) -> Piece:
    """Wrap an expression so that ``r`` and ``c`` are defined in it.

    ``r`` contains the roles of each relation, and ``c`` the columns that each argument takes.
    """
    roles = [_field(r.name, Value(f"tanon._roles_text({r.name})")) for r in _relations(header)]
    taken = [
        _field(a.name, Either(_is_null(a.name), _found(header, a), "[]"))
        for a in with_roles(header)
    ]
    return joined(
        [
            "list_transform([{",
            *_listed(roles),
            "}], lambda r: list_transform([{",
            *_listed(taken),
            "}], lambda c: ",
            made,
            ")[1])[1]",
        ]
    )


def _relations(header: Header) -> list[Argument]:
    """Return the relations whose roles can replace arguments."""
    read = {a.relation for a in with_roles(header)}
    return [r for r in header.relations() if r.name in read]


def _is_null(argument: str) -> tuple[tuple[Value, ...], ...]:
    return ((Value(f"{argument} is null"),),)


def _field(name: str, text: Piece) -> Piece:
    return joined([f"{literal(name)}: ", text])


def _found(header: Header, argument: Argument) -> Piece:
    """Return the text of the declared columns for an omitted argument."""
    roles = f"r[{literal(argument.relation)}]"
    if argument.roles[0].startswith(GENERALIZED):
        role = argument.roles[0].removeprefix(GENERALIZED)
        named: Piece = next(
            (Value(f"tanon._names_text({a.name})") for a in with_roles(header) if role in a.roles),
            "null",
        )
        return joined([f"tanon._generalized_as({roles}, {literal(role)}, ", named, ")"])
    start = f"tanon._columns_as({roles}, {literals(argument.roles)}, flatten([[]::varchar[]"
    others = [
        Value(f"tanon._names_text({a.name})")
        for a in header.arguments
        if a.kind.is_column
        and a.relation == argument.relation
        and a != argument
        # What is accepted is named a second time: the role takes it too.
        and (a.roles or "or none" not in a.kind.words)
        # What limits look at may be released as well.
        and not (argument.where and a.roles == ("keep",))
    ]
    return joined([start, *(part for other in others for part in (", ", other)), "]))"])


def _word(function: str, argument: Argument) -> Piece:
    """Return the text of one argument: the given value, else the value from roles."""
    left = _taken(function, argument) if argument.roles else _as_default(argument)
    if argument.where:
        left = Either(_is_null(argument.where), _as_default(argument), left)
    given = Value(f"tanon._given_text({argument.name})")
    return Either(_is_null(argument.name), left, given)


def _as_default(argument: Argument) -> str:
    return literal(argument.default or "NULL")


def _taken(function: str, argument: Argument) -> Piece:
    found = f"c[{literal(argument.name)}]"
    shown = Value(f"tanon._text({argument.relation}::varchar)")
    say, how = subject(function, argument.name), _how_to_declare(argument.roles)
    otherwise: Piece = _as_default(argument)
    if not argument.default:
        start = f"tanon._nothing_declared({literal(say)}, "
        otherwise = joined([start, shown, f", {literal(how)})"])
    form = re.split(r"\W", argument.kind.words)[0]
    if form in ("column", "hierarchies"):
        said = f"{literal(say)}, {literal(argument.roles[0])}, " if form == "column" else ""
        return joined([f"tanon._role_{form}({said}", shown, f", {found}, ", otherwise, ")"])
    # columns, granularities, ways: a macro for each
    return joined([f"tanon._role_{form}({found}, ", otherwise, ")"])


def _listed(parts: Iterable[Piece], between: str = ", ") -> list[Piece]:
    """Put commas between pieces."""
    listed = [piece for part in parts for piece in (between, part)]
    return listed[1:]


def inline(piece: Piece) -> str:
    """Return the SQL expression whose value is the text of a piece without loops."""
    match piece:
        case str():
            return literal(piece)
        case Value(sql):
            return sql
        case Either(groups, then, otherwise):
            condition = " or ".join(" and ".join(v.sql for v in group) for group in groups)
            return f"case when {condition} then {inline(then)} else {inline(otherwise)} end"
        case Joined(parts):
            return f"concat({', '.join(map(inline, parts))})"
    raise TypeError(f"not written in line: {piece!r}")


def _how_to_declare(roles: Sequence[str]) -> str:
    """Return how a role is declared that fills in an argument."""
    wanted = " or ".join(roles)
    return f"tanon.set_roles gives a column the role {wanted}".replace(
        "role generalized", "way of a"
    )
