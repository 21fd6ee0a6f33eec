"""Compile the file of a function to a plan: CTEs of relations, steps, query and facts.

A plan contains plain data (``text_tree``), and the SQL of the facts about arguments. ``checks``
returns the checks of arguments. Checks that need the table are CTEs (``source_ctes``).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tanon_duck import quoting
from tanon_duck.errors import TemplateError, must_be_allowed, nearest
from tanon_duck.macros import linker, source_ctes, steps, text_tree
from tanon_duck.macros.header import Argument, Header
from tanon_duck.macros.kinds.relations import Calendar
from tanon_duck.macros.step_conditions import ALWAYS, Path
from tanon_duck.macros.steps import cte_name
from tanon_duck.macros.template import Template
from tanon_duck.macros.text_tree import Data, Facts, Loop, Piece, Value
from tanon_duck.quoting import literal, literals

_CTE_NAME = re.compile(r"\btanon_\w+")
# A block is a loop; each CTE in it opens and closes on lines that are indented by four blanks.
_BLOCK = re.compile(
    r"\s*\{for (?P<variable>\w+) in (?P<list>[^{}]+?) joined by ', '\}\n"
    r"(?P<ctes>.*)\n    \{end\}\s*",
    re.DOTALL,
)
_OF_BLOCK = re.compile(r"    (\S+) as (\w+) \(\n(.*?)\n    \)(?:,\n|$)", re.DOTALL)


def scalar_macro(function: str, header: Header, file: steps.File) -> str:
    """Return the CREATE MACRO statement of a scalar function.

    An argument of kind ``time`` gets one overload for each type of time. Further overloads refuse
    text, numbers and VARIANT, which DuckDB would cast; a bare NULL is a number. The long SQL of a
    zone's wall clock occurs once.
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


Groups = list[list[Data]] | None  # all conditions of one group hold; none: always
Read = tuple[str, Groups]  # a step that another one reads, and when


@dataclass(frozen=True)
class Step:
    """One CTE of a plan as plain data, or the CTEs of a block for each element of a list."""

    name: str
    place: str  # file:line, or the argument that it is made of
    ctes: list[list[Data]]  # name, how it is materialized, query
    reads: tuple["Read", ...] = ()
    groups: "Groups" = None  # when it is needed
    loop: list[Data] | None = None  # of a block: a list, and the variable of its elements
    is_recursive: bool = False
    is_shared: bool = False
    is_linked: bool = False  # it is a step of a file

    def data(self) -> Data:
        """Return the text of the CTEs as plain data."""
        each = [
            ["all", name, " as ", how, *([" "] if how else []), "(\n", text, "\n)"]
            for name, how, text in self.ctes
        ]
        if self.loop is None:
            return each[0]
        return ["for", *self.loop, ["all", *_between(each, ",\n")], ",\n"]


@dataclass(frozen=True)
class Plan:
    """The steps and the query of a function as plain data, and the facts that they need."""

    steps: tuple[Step, ...]
    query: Data
    reads: tuple[Read, ...]  # of the query
    facts: Facts


def _between(parts: list[Data], text: str) -> list[Data]:
    listed: list[Data] = [text] * (2 * len(parts) - 1)
    listed[::2] = parts
    return listed


def plan(
    function: str,
    header: Header,
    file: steps.File,
    library: linker.Library,
    also: Collection[str] = (),
) -> Plan:
    """Return the plan of a table function; include the steps in ``also``."""
    linked = library.link(file, [a.name for a in header.arguments], also)
    facts = Facts()
    made = [s for r in _relations(header) for s in _of_relation(function, header, r, facts)]
    if all(r.is_optional for r in header.relations()) and (made or linked.steps):
        made.insert(0, Step("call", "", [["tanon_call", "", "select true"]]))
    made += [_of_step(function, header, file, each, library, facts) for each in linked.steps]
    query = facts.data(Template(function, header, linked.query.text, linked.query.place_of).piece())
    sources_of = {cte_name(s.name): s.name for s in made if not s.is_linked}

    def reads(data: Data, linked: tuple[Read, ...]) -> tuple[Read, ...]:
        written = (sources_of[word] for word in _words(data) if word in sources_of)
        return (*linked, *((name, None) for name in dict.fromkeys(written)))

    steps_read = [replace(s, reads=reads([cte[2] for cte in s.ctes], s.reads)) for s in made]
    end = tuple((name, _groups(paths, facts)) for name, paths in linked.query.reads)
    return Plan(tuple(steps_read), query, reads(query, end), facts)


def _groups(paths: frozenset[Path], facts: Facts) -> Groups:
    """Return paths as groups of conditions in a fixed order; None means always."""
    if ALWAYS in paths:
        return None
    listed = sorted(sorted(path) for path in paths) or [["false"]]
    return facts.conditions([[Value(condition) for condition in path] for path in listed])


def _relations(header: Header) -> list[Argument]:
    """Return the relation arguments in the order of their CTEs: a source checks its calendar."""
    return sorted(
        header.relations(), key=lambda r: (not isinstance(r.kind, Calendar), r.is_optional)
    )


def _of_relation(function: str, header: Header, relation: Argument, facts: Facts) -> list[Step]:
    """Return the steps that load and check one relation argument."""
    groups: Groups = None
    place = f"the argument {relation.name}: tanon_duck/macros/source_ctes.py"
    if relation.is_optional:
        groups = facts.conditions([[Value(f"{relation.name} is not null")]])
    return [
        Step(
            cte.name.removeprefix("tanon_"),
            place,
            [[cte.name, facts.data(cte.how), facts.data(cte.text)]],
            groups=groups,
            is_shared=True,
        )
        for cte in source_ctes.ctes(function, header, relation)
    ]


def checks(function: str, header: Header) -> list[str]:
    """Return the checks of arguments: SQL expressions that are NULL or a message."""
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
    for answer in header.answers:
        added = answer.added_columns()
        allowed = f"other than the columns that the result adds, {', '.join(added)}"
        for name in filter(header.argument, answer.passed_columns()):
            say = literal(must_be_allowed(function, name, allowed))
            wrong = f"tanon._wrong_result_name({say}, {name}, {literals(added)})"
            found.append(source_ctes.of_answer(answer, wrong, "null"))
    return list(filter(None, found))


def checks_of_kinds(function: str, header: Header) -> list[tuple[Argument, str, str]]:
    """Return for each argument the start of its message and the SQL check of its kind."""
    says = [
        (a, literal(must_be_allowed(function, a.name, a.kind.allowed))) for a in header.arguments
    ]
    return [(a, say, a.kind.wrong(a.name, say, a.is_optional)) for a, say in says]


def _of_step(
    function: str,
    header: Header,
    file: steps.File,
    linked: linker.Linked,
    library: linker.Library,
    facts: Facts,
) -> Step:
    """Compile one linked step; in a shared step, replace its names of arguments."""
    step, names, lets = linked.step, dict[str, str](), MappingProxyType[str, str]({})
    if step.file != file.name:
        taken = [_taken(header, file, name, step) for name in library.takes(step.file)]
        header = replace(header, arguments=tuple(a for a, _ in taken))
        names, lets = {a.name: given for a, given in taken}, MappingProxyType(dict(file.lets))

    def piece(text: str, variable: str = "") -> Piece:
        template = Template(function, header, text, linked.place_of, lets)
        template.loop_variables += [variable] if variable else []
        return text_tree.renamed(template.piece(), names)

    loop = None
    if step.kind == "block":
        loop, ctes = _of_block(step, linked.text, names, piece, facts)
    else:
        how = step.modifiers.removeprefix("recursive").strip()
        ctes = [[cte_name(step.name), facts.data(piece(how)), facts.data(piece(linked.text))]]
    return Step(
        step.name,
        step.place,
        ctes,
        tuple((name, _groups(paths, facts)) for name, paths in linked.reads),
        _groups(linked.needed, facts),
        loop,
        step.is_recursive,
        step.file != file.name,
        is_linked=True,
    )


def _of_block(
    step: steps.Step,
    text: str,
    names: Mapping[str, str],
    piece: Callable[[str, str], Piece],
    facts: Facts,
) -> tuple[list[Data], list[list[Data]]]:
    """Compile a block: return its loop, and its CTEs for each element."""
    block = _BLOCK.fullmatch(text)
    parts = _OF_BLOCK.findall(block["ctes"]) if block else []
    if block is None or not parts:
        raise TemplateError(
            f"{step.place}: a block is one loop over CTEs, each from a line "
            "`<name> as materialized (` to a line `)`, four blanks in front"
        )
    variable, values = block["variable"], Value(quoting.renamed(block["list"], names))
    ctes = []
    for name, how, query in parts:
        loops = [facts.data(Loop(variable, values, piece(p, variable))) for p in (name, query)]
        ctes.append([loops[0][3], how, loops[1][3]])
    return loops[0][1:3], ctes


def _taken(header: Header, file: steps.File, name: str, step: steps.Step) -> tuple[Argument, str]:
    """Return an argument under the step's name, and its name in the function."""
    given = file.lets.get(name, name)
    argument = header.argument(given)
    if argument is None:
        hint = nearest(given, [a.name for a in header.arguments])
        raise TemplateError(f"{file.name}: has no argument {given}, which {step.place} takes{hint}")
    return replace(argument, name=name), given


def _words(data: Data) -> Iterator[str]:
    """Yield the words in plain data that can name a CTE: ``tanon_...``."""
    if isinstance(data, str):
        yield from _CTE_NAME.findall(data)
    elif isinstance(data, list):
        for each in data:
            yield from _words(each)
