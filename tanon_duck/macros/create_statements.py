"""The statements that create the functions of ``catalog`` in a schema or catalog ``tanon``.

There are two sets, with Python and without. Their makers are the same: ``tanon._text_of_<name>``
gives the text of a call. Without Python, functions that need it refuse. Where Python connects, the
public functions are short: they hand on their call to Python, which fills in the plans itself
(``handing_on_statements``, and ``facts``).
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable

from tanon_duck import errors, quoting
from tanon_duck._version import __version__
from tanon_duck.errors import TemplateError, database_named_tanon
from tanon_duck.macros import (
    builtin_functions,
    macro_lint,
    plan_compiler,
    private_calls,
    private_values,
    role_defaults,
    text_tree,
)
from tanon_duck.macros.catalog import (
    Function,
    file_text,
    functions,
    library,
    presets,
    sql_root,
)
from tanon_duck.macros.plan_compiler import Plan, Step
from tanon_duck.macros.text_tree import Data
from tanon_duck.quoting import literal
from tanon_duck.udfs import _registry as python_functions

# Through these every function hands its text.
_LATE = ("tanon._unless(", "tanon._made(", "tanon._refused(")


_REFUSE_OTHERS = (
    f"select case when current_database() = 'tanon' then error({literal(database_named_tanon())}) "
    "when count(*) > 0 then error('this database has a schema tanon already: '"
    " || 'if tanon-duck install made it, its functions are ready') end "
    "from duckdb_schemas() where schema_name = 'tanon' and database_name = current_database()"
)


def script() -> str:
    """SQL for ``.read`` in the stock shell; functions of Python say there where they run."""
    statements = [
        f"set variable tanon_may_come = ({_REFUSE_OTHERS})",
        # Not a schema of the user's file, which may be old or read-only.
        "attach if not exists ':memory:' as tanon (read_write)",
        "begin",
        *shell_statements(),
        "commit",
        "set variable tanon_roles = tanon.roles_text()",
    ]
    head = f"-- The functions of tanon_duck {__version__}: FROM tanon.help() lists them.\n"
    return head + "".join(f"{statement};\n" for statement in statements)


@cache
def plans() -> dict[str, Plan]:
    """The plan of every table function."""
    tables = [f for f in functions().values() if not f.is_scalar]
    found = {f.name: plan_compiler.plan(f.name, f.header, f.file, library()) for f in tables}
    if faults := [*library().faults(), *macro_lint.in_macros()]:
        raise TemplateError("\n".join(faults))
    return found


@cache
def install_statements() -> tuple[str, ...]:
    """All functions, for a database that carries them."""
    return _statements(has_python=True)


@cache
def shell_statements() -> tuple[str, ...]:
    """All functions, for a session of the stock shell; those that need Python refuse."""
    return _statements(has_python=False)


def _statements(has_python: bool) -> tuple[str, ...]:
    chosen = [f for f in functions().values() if has_python or not f.needs_python]
    steps = _StepMacros()
    makers = {f.name: list(_makers(f, steps)) for f in chosen if not f.is_scalar}
    own = []
    for f in functions().values():
        if f not in chosen:
            own.append(_refusing(f))
        elif f.is_scalar:
            own.append(plan_compiler.scalar_macro(f.name, f.header, f.file))
        else:
            own += [*makers[f.name], _public(f)]
    private = private_statements(for_shell=not has_python)
    made = map(finished, [*steps.statements(), *own])
    return tuple(bound_late([*private, *made, *_comments()]))


@cache
def handing_on_statements() -> tuple[str, ...]:
    """The functions where Python makes the texts: short, as they hand on their calls."""
    own = []
    for f in functions().values():
        if f.is_scalar:
            own.append(plan_compiler.scalar_macro(f.name, f.header, f.file))
        else:
            own.append(_table(f, role_defaults.call(f.name, f.header)))
    made = map(finished, own)
    return tuple(bound_late([*private_statements(by_python=True), *made, *_comments()]))


def _comments() -> Iterator[str]:
    return (f.comment() for f in functions().values())


class _StepMacros:
    """The macros of the steps that functions share, each under the name of its step."""

    def __init__(self) -> None:
        self._bodies: dict[str, str] = {}  # by name
        self._names: dict[tuple[str, str], str] = {}  # by step and body
        self._numbers: dict[str, int] = {}  # how many of a step there are

    def text(self, step: Step) -> str:
        """The SQL for the text of a step: its own, or a call of the macro that gives it."""
        data = step.data()
        if not step.is_shared:
            return text_tree.sql_of(data, text_tree.fact_of_struct)
        given = _parameters(data)
        seats = {str(each): f"e{place}" for place, each in enumerate(given)}
        body = text_tree.sql_of(data, lambda fact: seats[str(fact)])
        key = (step.name, body)
        if key not in self._names:
            number = self._numbers[step.name] = self._numbers.get(step.name, 0) + 1
            name = self._names[key] = f"_step_{step.name}" + (f"_{number}" if number > 1 else "")
            self._bodies[name] = (
                f"create or replace macro tanon.{name}({', '.join(seats.values())}) as (\n{body})"
            )
        return f"tanon.{self._names[key]}({', '.join(map(text_tree.fact_of_struct, given))})"

    def statements(self) -> list[str]:
        return list(self._bodies.values())


def _parameters(data: Data) -> list[Data]:
    """The facts, and the texts that differ between functions, each once, in order."""
    found: dict[str, Data] = {}
    left = [data]
    while left:
        match left.pop(0):
            case (int() | ["text", _]) as each:
                found[str(each)] = each
            case list(each):
                left[:0] = each
    return list(found.values())


def _makers(f: Function, steps: _StepMacros) -> Iterator[str]:
    """The macros that make the text of a call, and find its roles."""
    plan = plans()[f.name]
    replaced = f"tanon._replaced({literal(f'tanon.{f.name}')})"
    wrong = ", ".join([replaced, *plan_compiler.checks(f.name, f.header)])
    text = text_tree.with_facts(plan.facts, _text(plan, steps))
    yield (
        f"create or replace macro tanon._text_of_{f.name}({role_defaults.signature(f.header)}) as "
        f"tanon._unless(coalesce({wrong}),\n{text})"
    )
    if role_defaults.with_roles(f.header):
        yield role_defaults.finder(f.name, f.header)


def _text(plan: Plan, steps: _StepMacros) -> str:
    """The SQL for the text of a call: its steps, then its query."""
    query = text_tree.sql_of(plan.query, text_tree.fact_of_struct)
    if not plan.steps:
        return query
    ctes, needed = [], dict[str, str]()
    for step in plan.steps:
        text = steps.text(step)
        if step.groups is not None:
            condition = text_tree.condition_sql(step.groups, text_tree.fact_of_struct)
            name = needed.setdefault(condition, f"n{len(needed)}")
            text = f"case when needed['{name}'] then {text} end"
        ctes.append(text)
    opening = "with recursive " if any(s.is_recursive for s in plan.steps) else "with "
    listed = ",\n".join(ctes)
    whole = f"concat('{opening}', array_to_string([\n{listed}], ',\n'), '\n', {query})"
    # Many steps are needed under the same conditions: each stands once.
    packed = ", ".join(f"{name} := {condition}" for condition, name in needed.items())
    if not packed:
        return whole
    return f"list_transform([struct_pack({packed})], lambda needed: {whole})[1]"


def _public(f: Function) -> str:
    """The statement of a table function that makes its text itself."""
    names = ", ".join(a.name for group in role_defaults.in_order(f.header) for a in group)
    if role_defaults.with_roles(f.header):
        return _table(f, role_defaults.call(f.name, f.header))
    return _table(f, f"tanon._text_of_{f.name}({names})")


def _table(f: Function, text: str) -> str:
    return (
        f"create or replace macro tanon.{f.name}({f.header.signature()}) as table "
        f"from query({text})"
    )


def finished(sql: str) -> str:
    """The SQL with DuckDB's functions and those of Python under the names that nobody replaces."""
    return python_functions.with_sql_names(builtin_functions.with_catalog(sql))


def _refusing(f: Function) -> str:
    """A function that needs Python, where there is none: it answers with one sentence."""
    say = literal(errors.needs_python(f.name))
    # A message that hangs on no argument would be raised when the macro is created.
    body = f"table from query(tanon._refused({say}, {f.header.arguments[0].name}))"
    if f.is_scalar:
        body = f"(error({say}))"
    return f"create or replace macro tanon.{f.name}({f.header.signature()}) as {body}"


def private_files(place: str = "") -> list[Traversable]:
    """The files of the macros that our functions share, with those of one place, by their names."""
    root = sql_root() / "private"
    own = [] if not place else list((root / place).iterdir())
    files = [file for file in root.iterdir() if file.is_file()]
    return sorted([*files, *own], key=lambda file: file.name)


def private_statements(for_shell: bool = False, by_python: bool = False) -> list[str]:
    """The macros that our functions share: ``arguments.sql`` first, then those of a topic.

    By Python: texts are made in an instance of their own.
    """
    place = "shell" if for_shell else "connected" if by_python else "in_file"
    values = private_values.of_package(presets(), file_text("private/operators.sql"))
    statements = []
    for file in private_files(place):
        is_shared = (sql_root() / "private" / file.name).is_file()
        name = f"sql/private/{file.name}" if is_shared else f"sql/private/{place}/{file.name}"
        text = private_calls.without_comments(file.read_text(encoding="utf-8"))
        script = quoting.without_comments(private_values.filled(name, text, values))
        statements += [s.strip() for s in re.split(r";(?:\n|$)", script) if s.strip()]
    return list(map(finished, statements))


def bound_late(statements: list[str]) -> Iterator[str]:
    """The statements with the macros last that every function calls.

    DuckDB binds what a macro holds when it is made, all macros in it included, which would be half
    of the time. A stand-in that looks at no argument leaves nothing to bind; macros are found by
    name when they are called.
    """
    late = []
    for statement in statements:
        head = re.match(r"create or replace macro (tanon\._\w+\().*?\) as\s", statement)
        if head and head[1] in _LATE:
            late.append(statement)
            yield f"{head[0]}'select null'"
        else:
            yield statement
    yield from late
