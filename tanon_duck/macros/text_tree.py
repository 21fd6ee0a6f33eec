"""The SQL text of a call as a tree of fixed texts and parts that depend on arguments.

The compiler builds the tree from pieces. ``Facts`` numbers the SQL expressions over arguments that
the tree needs, and turns the pieces into plain data that refers to the numbers. ``sql_of`` writes
the data as a SQL expression. ``call_plan`` evaluates the data in Python. Forms of the data:

    'select '                          text as it is written
    3                                  the fact number 3
    ['text', "'tanon.sax'"]            text that differs between the functions that share a step
    ['item', 'q', 'tanon._text (q)']   an expression of a loop's variable q
    ['around', fact, ', ', '']         text around a fact, nothing where the fact is empty
    ['if', [[1, 2], [4]], then, else]  whether facts 1 and 2, or 4, are true
    ['for', fact, 'q', body, ', ']     the body for each element of a list
    ['all', part, ...]                 parts that follow each other
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tanon_duck import quoting
from tanon_duck.quoting import identifier, literal

Data = Any  # str, int, or a list as above
_LITERAL = re.compile(r"'(?:[^']|'')*'")


@dataclass(frozen=True)
class Value:
    """A SQL expression over arguments, and over the variables of the loops around it."""

    sql: str


@dataclass(frozen=True)
class Around:
    """A value with text before and behind it, or an empty text if the value is empty."""

    value: Value
    before: str
    behind: str


@dataclass(frozen=True)
class Either:
    """The piece ``then`` if all conditions of one group hold, else ``otherwise``."""

    groups: tuple[tuple[Value, ...], ...]
    then: "Piece"
    otherwise: "Piece" = ""


@dataclass(frozen=True)
class Loop:
    """A piece for each element of a list."""

    variable: str
    values: Value
    body: "Piece"
    separator: str = ""


@dataclass(frozen=True)
class Joined:
    """Pieces that follow each other."""

    parts: tuple["Piece", ...]


Piece = str | Value | Around | Either | Loop | Joined


def joined(parts: Iterable[Piece]) -> Piece:
    """Join pieces; merge adjacent texts."""
    merged: list[Piece] = []
    for part in _flat(parts):
        if merged and isinstance(part, str) and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged[0] if len(merged) == 1 else Joined(tuple(merged)) if merged else ""


def _flat(parts: Iterable[Piece]) -> Iterator[Piece]:
    for part in parts:
        if isinstance(part, Joined):
            yield from part.parts
        else:
            yield part


def renamed(piece: Piece, names: Mapping[str, str]) -> Piece:
    """Return the piece with other names for arguments."""
    match piece:
        case str():
            return piece
        case Value(sql):
            return Value(quoting.renamed(sql, names))
        case Around(value, before, behind):
            return Around(_value(value, names), before, behind)
        case Either(groups, then, otherwise):
            changed = tuple(tuple(_value(each, names) for each in group) for group in groups)
            return Either(changed, renamed(then, names), renamed(otherwise, names))
        case Loop(variable, values, body, separator):
            return Loop(variable, _value(values, names), renamed(body, names), separator)
        case Joined(parts):
            return Joined(tuple(renamed(part, names) for part in parts))


def _value(value: Value, names: Mapping[str, str]) -> Value:
    return Value(quoting.renamed(value.sql, names))


@dataclass
class _Elements:
    """The list of a loop, and the expressions over its variable by name."""

    variable: str
    values: str
    items: dict[str, "str | _Elements"] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.variable} in {_key(self.values)}"

    def sql(self) -> str:
        """Return the SQL of the list; each element is a struct of the needed expressions."""
        if not self.items:
            return self.values
        given = ", ".join(
            f"{identifier(name)} := {item if isinstance(item, str) else item.sql()}"
            for name, item in self.items.items()
        )
        return f"list_transform({self.values}, lambda {self.variable}: struct_pack({given}))"


class Facts:
    """The SQL expressions over the arguments of one function that its text needs."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._facts: list[str | _Elements] = []

    def packed(self) -> str:
        """Return the SQL of a struct of all facts: ``struct_pack(f0 := ..., f1 := ...)``."""
        listed = [fact if isinstance(fact, str) else fact.sql() for fact in self._facts]
        given = [f"f{number} := {sql}" for number, sql in enumerate(listed)]
        return f"struct_pack({', '.join(given or ['f0 := true'])})"

    def data(self, piece: Piece, scope: tuple[_Elements, ...] = ()) -> Data:
        """Turn a piece into plain data, and add the facts that it needs."""
        match piece:
            case str():
                return piece
            case Value(sql):
                return self._reference(sql, scope)
            case Around(value, before, behind):
                return ["around", self._reference(value.sql, scope), before, behind]
            case Either(groups, then, otherwise):
                found = self.conditions(groups, scope)
                return ["if", found, self.data(then, scope), self.data(otherwise, scope)]
            case Loop():
                return self._loop(piece, scope)
            case Joined(parts):
                return ["all", *(self.data(part, scope) for part in parts)]

    def conditions(
        self, groups: Iterable[Iterable[Value]], scope: tuple[_Elements, ...] = ()
    ) -> list[list[Data]]:
        """Turn groups of conditions into plain data."""
        return [[self._reference(each.sql, scope) for each in group] for group in groups]

    def _reference(self, sql: str, scope: tuple[_Elements, ...]) -> Data:
        if quoting.is_enclosed(sql):
            return self._reference(sql[1:-1], scope)
        if _LITERAL.fullmatch(sql):
            return ["text", sql[1:-1].replace("''", "'")]
        owner = _innermost_loop((sql,), scope)
        if owner is None:
            return self._number(sql, sql)
        name = _key(sql)
        owner.items.setdefault(name, sql)
        return ["item", owner.variable, name]

    def _number(self, name: str, fact: str | _Elements) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._facts)
            self._facts.append(fact)
        return self._numbers[name]

    def _loop(self, loop: Loop, scope: tuple[_Elements, ...]) -> Data:
        elements = _Elements(loop.variable, loop.values.sql)
        own = [sql for sql in _expressions(loop.body) if quoting.uses(sql, loop.variable)]
        owner = _innermost_loop((loop.values.sql, *own), scope)
        where: Data
        if owner is None:
            where = self._number(elements.name, elements)
            known = self._facts[where]
        else:
            known = owner.items.setdefault(elements.name, elements)
            where = ["item", owner.variable, elements.name]
        assert isinstance(known, _Elements)
        body = self.data(loop.body, (*scope, known))
        return ["for", where, loop.variable, body, loop.separator]


def _key(sql: str) -> str:
    """Name the value of an expression in a struct by the expression, so that it is no call."""
    return sql.replace("(", " (")


def _innermost_loop(expressions: Iterable[str], scope: tuple[_Elements, ...]) -> _Elements | None:
    """Return the innermost loop whose variable one of the expressions uses."""
    used = [e for e in scope if any(quoting.uses(sql, e.variable) for sql in expressions)]
    return used[-1] if used else None


def _expressions(piece: Piece) -> Iterator[str]:
    """Yield all SQL expressions in a piece."""
    match piece:
        case Value(sql):
            yield sql
        case Around(value, _, _):
            yield value.sql
        case Either(groups, then, otherwise):
            yield from (each.sql for group in groups for each in group)
            yield from (*_expressions(then), *_expressions(otherwise))
        case Loop(_, values, body, _):
            yield values.sql
            yield from _expressions(body)
        case Joined(parts):
            for part in parts:
                yield from _expressions(part)


def sql_of(data: Data, fact: Callable[[Data], str]) -> str:
    """Return the SQL expression whose value is the text.

    ``fact`` gives the SQL of a fact, or of text that differs between functions.
    """
    match data:
        case str():
            return literal(data)
        case int() | ["text", _]:
            return fact(data)
        case ["item", variable, name]:
            return f"{variable}[{literal(name)}]"
        case ["around", value, before, behind]:
            x = sql_of(value, fact)
            whole = f"concat({literal(before)}, {x}, {literal(behind)})"
            return f"case when {x} <> '' then {whole} else '' end"
        case ["if", groups, then, otherwise]:
            chosen, other = sql_of(then, fact), sql_of(otherwise, fact)
            return f"case when {condition_sql(groups, fact)} then {chosen} else {other} end"
        case ["for", values, variable, body, separator]:
            each = sql_of(body, fact)
            each = each if each.startswith("concat(") else f"concat({each})"
            looped = f"list_transform({sql_of(values, fact)}, lambda {variable}: {each})"
            return f"coalesce(array_to_string({looped}, {literal(separator)}), '')"
        case ["all", *parts]:
            return f"concat({', '.join(sql_of(part, fact) for part in _merged(parts))})"
    raise TypeError(f"no text is made of {data!r}")


def _merged(parts: Iterable[Data]) -> list[Data]:
    """Flatten the parts of a text, and merge adjacent texts."""
    merged: list[Data] = []
    for part in parts:
        inner = _merged(part[1:]) if isinstance(part, list) and part[0] == "all" else [part]
        for each in inner:
            if merged and isinstance(each, str) and isinstance(merged[-1], str):
                merged[-1] += each
            elif each != "":
                merged.append(each)
    return merged


def condition_sql(groups: list[list[Data]], fact: Callable[[Data], str]) -> str:
    """Return the SQL condition that all of one group are true."""
    return " or ".join(" and ".join(sql_of(each, fact) for each in group) for group in groups)


def expression(piece: Piece) -> str:
    """Return the SQL expression over the arguments whose value is the text of a piece."""
    facts = Facts()
    data = facts.data(piece)
    return with_facts(facts, sql_of(data, fact_of_struct))


def with_facts(facts: Facts, text: str) -> str:
    """Return a SQL expression in which ``f`` is the struct of all facts."""
    return f"list_transform([{facts.packed()}], lambda f: {text})[1]"


def fact_of_struct(fact: Data) -> str:
    """Return the SQL of fact 3 as ``f['f3']``, or of a text as a literal."""
    return f"f['f{fact}']" if isinstance(fact, int) else literal(fact[1])
