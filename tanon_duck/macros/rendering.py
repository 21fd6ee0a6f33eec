"""From a function's file to its CREATE MACRO: argument checks, source CTEs, then the body.

A table function becomes ``from query(tanon._unless(<message of a wrong argument>, <text>))``.
The checks inside ``query(...)`` fire when the call is bound, empty table or not; those that need
the table itself are CTEs in front of the body (``sources``).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from tanon_duck.errors import TemplateError, must_be_allowed, nearest
from tanon_duck.macros import linking, marks, sources, steps
from tanon_duck.macros.conditions import where
from tanon_duck.macros.header import Argument, Header
from tanon_duck.macros.template import Template
from tanon_duck.quoting import literal, literals


def scalar_macro(function: str, header: Header, file: steps.File) -> str:
    """The CREATE MACRO statement of a scalar function: its body is an expression as it stands.

    An argument of kind ``time`` makes one overload for each type of time, so that nothing of a
    time zone is bound without one, and others that refuse text, numbers
    and VARIANT, which DuckDB would cast. NULL alone is a number. The wall clock of a zone,
    which is long, is written once.
    """
    expression = file.query.body
    signature = header.signature()
    time = next((a.name for a in header.arguments if a.kind.name == "time"), None)
    if time is None:
        return f"create or replace macro tanon.{function}({signature}) as (\n{expression})"
    clock = f"tanon._clock('tanon.{function}', {time}, tz)"
    once = f"list_transform([{clock}], lambda shown: {expression.replace(clock, 'shown')})[1]"
    bodies = [("date", expression), ("timestamp", expression), ("timestamptz", once)]
    others = {"varchar": "text", "bigint": "a number", "variant": "a VARIANT"}
    bodies += [(type, _refusal(function, time, words)) for type, words in others.items()]
    typed = [f"({header.signature({time: type})}) as (\n{overload})" for type, overload in bodies]
    return f"create or replace macro tanon.{function}\n" + ",\n".join(typed)


def _refusal(function: str, time: str, got: str) -> str:
    say = must_be_allowed(function, time, "a DATE or a TIMESTAMP")
    message = f"{say}, got {got}: cast it, as in {time}::timestamp"
    return f"error({literal(message)} || left({time}::varchar, 0))"


class Rendered:
    """What one rendering of functions makes besides them: macros for steps that many share.

    A step that one function reads, or few, stands in their own text, which is then as short to
    read as a macro is to make. Which is which is known when all have been rendered, so that this
    is done twice: ``readers`` are those of the first time.
    """

    def __init__(
        self,
        library: linking.Library,
        comments: bool = False,
        shards: bool = False,
        readers: Mapping[str, Collection[str]] | None = None,
        worth: int = 1000,
    ) -> None:
        self.library = library
        self.comments = comments
        self.shards = shards  # whether what only shards read is there too
        self.readers: defaultdict[str, set[str]] = defaultdict(set)  # of a step, by its expression
        self._known = readers or {}
        self._worth = worth  # so many letters take as long as a macro does
        self._names: dict[str, str] = {}  # by expression
        self._parameters: dict[str, str] = {}

    def step(self, step: str, function: str, text: str, arguments: Iterable[str]) -> str:
        """The text of a step as it stands in a function's, or a call of the macro that gives it."""
        expression, given = marks.as_parameters(text)
        self.readers[expression].add(function)
        others = len(self._known.get(expression, ())) - 1
        if others * len(expression) <= self._worth:
            return text
        if expression not in self._names:
            variant = sum(name.startswith(f"_step_{step}") for name in self._names.values())
            self._names[expression] = f"_step_{step}" + (f"_{variant + 1}" if variant else "")
            own = [a for a in arguments if marks.uses(expression, a)]
            self._parameters[expression] = ", ".join([*(f"e{i}" for i in range(len(given))), *own])
        own = self._parameters[expression].split(", ")[len(given) :]
        values = ", ".join([*map(marks.mark, given), *filter(None, own)])
        return f"tanon.{self._names[expression]}({values})"

    def statements(self) -> list[str]:
        """The macros of all steps that are shared."""
        return [
            f"create or replace macro tanon.{name}({self._parameters[expression]}) as (\n"
            f"{expression})"
            for expression, name in self._names.items()
        ]


def text_expression(function: str, header: Header, file: steps.File, rendered: Rendered) -> str:
    """A SQL expression over the arguments: the complete SQL of one call, or an error."""
    text = _complete(function, header, file, rendered)
    if found := checks(function, header):
        replaced = f"tanon._replaced({literal(f'tanon.{function}')})"
        return f"tanon._unless(coalesce({', '.join([replaced, *found])}),\n{text})"
    return text


def look_at_shards(
    library: linking.Library, functions: Iterable[tuple[Header, steps.File]]
) -> None:
    """Link what only shards read, so that its faults are told as well."""
    for header, file in functions:
        if shards := library.of_shards(header.steps_of_shards()):
            library.link(file, [a.name for a in header.arguments], shards)


def checks(function: str, header: Header) -> list[str]:
    """SQL expressions, NULL or a message, in the order in which a user reads the arguments."""
    found = [wrong for _, _, wrong in checks_of_kinds(function, header)]
    for c in header.checks:
        say = literal(must_be_allowed(function, c.argument, c.allowed))
        if c.among:
            found.append(f"tanon._wrong_among({say}, {', '.join(c.among)})")
        else:
            given = header.argument(c.argument)
            got = f"tanon._got({say}, {c.argument})"
            if given and given.kind.is_switch:  # a truth value is no name with one equals sign
                got = f"{say} || ', got ' || tanon._shown({c.argument})"
            found.append(f"case when not ({c.condition}) then {got} end")
    added = header.added_columns()
    allowed = f"other than the columns that the result adds, {', '.join(added)}"
    for name in filter(header.argument, header.passed_columns()):
        say = literal(must_be_allowed(function, name, allowed))
        found.append(f"tanon._wrong_result_name({say}, {name}, {literals(added)})")
    return list(filter(None, found))


def checks_of_kinds(function: str, header: Header) -> list[tuple[Argument, str, str]]:
    """Of each argument how its message begins, and the check of its kind."""
    says = [
        (a, literal(must_be_allowed(function, a.name, a.kind.allowed))) for a in header.arguments
    ]
    return [(a, say, a.kind.wrong(a.name, say, a.is_optional)) for a, say in says]


def _complete(function: str, header: Header, file: steps.File, rendered: Rendered) -> str:
    """The query behind the CTEs of its relations and of the steps that it needs."""
    shards = rendered.library.of_shards(header.steps_of_shards()) if rendered.shards else ()
    plan = rendered.library.link(file, [a.name for a in header.arguments], shards)
    ctes = _of_relations(function, header, rendered.comments)
    parts = [
        where(linked.needed, _of_step(function, header, file, linked, rendered))
        for linked in plan.steps
    ]
    query = Template(function, header, plan.query, plan.end.place_of).marked()
    if not ctes and not parts:
        return marks.once(query)
    if not any(not r.is_optional for r in header.relations()):
        ctes.insert(0, literal("tanon_call as (select true)"))
    opening = literal("with recursive " if plan.is_recursive else "with ")
    own = literal(f"\n-- {file.name}\n" if rendered.comments else "\n")
    return marks.once(marks.joined([opening, *ctes, *parts, own, query]))


def _of_relations(function: str, header: Header, comments: bool) -> list[str]:
    """Expressions for the CTEs of relation arguments, those that may be left out last."""
    relations = sorted(header.relations(), key=lambda r: r.is_optional)
    ctes = [_ctes(function, header, r, comments) for r in relations]
    required = sum(not r.is_optional for r in relations)
    for place in range(1, required):
        ctes[place] = marks.joined([literal(",\n"), ctes[place]])
    return ctes


def _of_step(
    function: str, header: Header, file: steps.File, linked: linking.Linked, rendered: Rendered
) -> str:
    """An expression for one step, a comma in front; where it is shared, a call of its macro."""
    step = linked.step
    start = literal(f",\n-- {step.place}\n" if rendered.comments else ",\n")
    if step.file == file.name:
        own = Template(function, header, linked.text, linked.place_of).marked()
        return marks.joined([start, own])
    taken = [
        _taken(function, header, file, name, step) for name in rendered.library.takes(step.file)
    ]
    known = replace(header, arguments=tuple(a for a, _ in taken))
    text = Template(function, known, linked.text, linked.place_of, file.lets, True).marked()
    text = marks.renamed(marks.joined([start, text]), {a.name: given for a, given in taken})
    return rendered.step(step.name, function, text, [given for _, given in taken])


def _taken(
    function: str, header: Header, file: steps.File, name: str, step: steps.Step
) -> tuple[Argument, str]:
    """An argument as a step takes it, and what the function gives for it."""
    given = file.lets.get(name, name)
    argument = header.argument(given)
    if argument is None:
        hint = nearest(given, [a.name for a in header.arguments])
        raise TemplateError(f"{file.name}: has no argument {given}, which {step.place} takes{hint}")
    return replace(argument, name=name), given


def _ctes(function: str, header: Header, relation: Argument, comments: bool) -> str:
    text = sources.ctes(function, header, relation)
    if comments:
        place = f"\n-- the argument {relation.name}: sql/private/arguments.sql\n"
        text = marks.joined([literal(place), text])
    if relation.is_optional:
        text = marks.joined([literal(",\n"), text])
        return f"case when {relation.name} is null then '' else {text} end"
    return text
