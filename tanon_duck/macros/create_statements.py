"""Write the CREATE MACRO statements of all functions.

- ``connection_statements``: for connections of Python. Public macros pass their call to Python.
- ``install_statements``: for a database file. ``tanon._text_of_<name>`` writes the SQL of a call.
- ``shell_statements``: for the stock shell. Functions that need Python raise an error.
- ``script``: the statements of the stock shell as a file for ``.read``.
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
    """Return the SQL script that the stock shell loads by ``.read``."""
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
    """Return the plans of all table functions by name."""
    tables = [f for f in functions().values() if not f.is_scalar]
    found = {f.name: plan_compiler.plan(f.name, f.header, f.file, library()) for f in tables}
    if faults := [*library().faults(), *macro_lint.in_macros()]:
        raise TemplateError("\n".join(faults))
    return found


@cache
def install_statements() -> tuple[str, ...]:
    """Return the statements for a database file that contains the functions."""
    return _statements(has_python=True)


@cache
def shell_statements() -> tuple[str, ...]:
    """Return the statements for the stock shell, in which functions of Python raise an error."""
    return _statements(has_python=False)


def _statements(has_python: bool) -> tuple[str, ...]:
    chosen = [f for f in functions().values() if has_python or not f.needs_python]
    steps = _StepMacros()
    makers = {f.name: list(_makers(f, steps)) for f in chosen if not f.is_scalar}
    statements_of_functions = []
    for f in functions().values():
        if f not in chosen:
            statements_of_functions.append(_raising_macro(f))
        elif f.is_scalar:
            statements_of_functions.append(plan_compiler.scalar_macro(f.name, f.header, f.file))
        else:
            statements_of_functions += [*makers[f.name], _public_macro(f)]
    private = private_statements(for_shell=not has_python)
    made = map(with_protected_names, [*steps.statements(), *statements_of_functions])
    return tuple(with_late_binding([*private, *made, *_comments()]))


@cache
def connection_statements() -> tuple[str, ...]:
    """Return the statements for connections of Python: macros that pass their call to Python."""
    statements_of_functions = []
    for f in functions().values():
        if f.is_scalar:
            statements_of_functions.append(plan_compiler.scalar_macro(f.name, f.header, f.file))
        else:
            statements_of_functions.append(_table_macro(f, role_defaults.call(f.name, f.header)))
    made = map(with_protected_names, statements_of_functions)
    return tuple(with_late_binding([*private_statements(by_python=True), *made, *_comments()]))


def _comments() -> Iterator[str]:
    return (f.comment() for f in functions().values())


class _StepMacros:
    """Collects one macro for each shared step, so that its SQL text exists once."""

    def __init__(self) -> None:
        self._bodies: dict[str, str] = {}  # by name
        self._names: dict[tuple[str, str], str] = {}  # by step and body
        self._numbers: dict[str, int] = {}  # how many of a step there are

    def text(self, step: Step) -> str:
        """Return the SQL expression for the text of a step; for a shared step, a macro call."""
        data = step.data()
        if not step.is_shared:
            return text_tree.sql_of(data, text_tree.fact_of_struct)
        given = _parameters(data)
        parameter_names = {str(each): f"e{place}" for place, each in enumerate(given)}
        body = text_tree.sql_of(data, lambda fact: parameter_names[str(fact)])
        key = (step.name, body)
        if key not in self._names:
            number = self._numbers[step.name] = self._numbers.get(step.name, 0) + 1
            name = self._names[key] = f"_step_{step.name}" + (f"_{number}" if number > 1 else "")
            self._bodies[name] = (
                f"create or replace macro tanon.{name}"
                f"({', '.join(parameter_names.values())}) as (\n{body})"
            )
        return f"tanon.{self._names[key]}({', '.join(map(text_tree.fact_of_struct, given))})"

    def statements(self) -> list[str]:
        return list(self._bodies.values())


def _parameters(data: Data) -> list[Data]:
    """Return the distinct facts and differing texts in ``data``, in order of appearance."""
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
    """Yield the macros that write the SQL of a call and find its roles."""
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
    """Return the SQL expression whose value is the SQL of a call: steps, then query."""
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


def _public_macro(f: Function) -> str:
    """Return the CREATE MACRO statement of a table function that needs no Python."""
    names = ", ".join(a.name for group in role_defaults.in_order(f.header) for a in group)
    if role_defaults.with_roles(f.header):
        return _table_macro(f, role_defaults.call(f.name, f.header))
    return _table_macro(f, f"tanon._text_of_{f.name}({names})")


def _table_macro(f: Function, text: str) -> str:
    return (
        f"create or replace macro tanon.{f.name}({f.header.signature()}) as table "
        f"from query({text})"
    )


def with_protected_names(sql: str) -> str:
    """Call DuckDB's and Python's functions by names that no macro of a user can replace."""
    return python_functions.with_sql_names(builtin_functions.with_catalog(sql))


def _raising_macro(f: Function) -> str:
    """Return a macro that raises: this function needs Python."""
    say = literal(errors.needs_python(f.name))
    # A message that hangs on no argument would be raised when the macro is created.
    body = f"table from query(tanon._refused({say}, {f.header.arguments[0].name}))"
    if f.is_scalar:
        body = f"(error({say}))"
    return f"create or replace macro tanon.{f.name}({f.header.signature()}) as {body}"


def private_files(place: str = "") -> list[Traversable]:
    """Return the files of ``sql/private`` and of one subfolder such as ``shell``, by name."""
    root = sql_root() / "private"
    statements_of_functions = [] if not place else list((root / place).iterdir())
    files = [file for file in root.iterdir() if file.is_file()]
    return sorted([*files, *statements_of_functions], key=lambda file: file.name)


def private_statements(for_shell: bool = False, by_python: bool = False) -> list[str]:
    """Return the statements of the private macros.

    ``for_shell``: for the stock shell. ``by_python``: for Python connections. Neither: for files.
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
    return list(map(with_protected_names, statements))


def with_late_binding(statements: list[str]) -> Iterator[str]:
    """Yield the statements, but create the macros of ``_LATE`` last and empty stand-ins first.

    DuckDB binds a macro with all macros in it when it is created: half of the time. A stand-in
    has nothing to bind. A call later finds the real macro by its name.
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
