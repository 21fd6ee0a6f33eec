"""The statements that create the functions of ``catalog`` in a schema or catalog ``tanon``.

There are four sets. All macros, where a database carries them, with or without Python; the same for
a session of the stock shell, which reads them all; and where Python connects, two instances share
the work: that of the user gets short functions which hand on their calls, and one beside it what
makes the texts of calls, which is long.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable

from tanon_duck import errors, quoting, secret
from tanon_duck.errors import SECRET_ALLOWED, TemplateError
from tanon_duck.macros import (
    builtin_functions,
    granularities,
    inlining,
    kept_as_text,
    left_out,
    operators,
    rendering,
    sources,
)
from tanon_duck.macros.catalog import Function, file_text, functions, library, read_sql, sql_root
from tanon_duck.macros.header import Header
from tanon_duck.quoting import literal
from tanon_duck.udfs import _registry as python_functions

# To make a macro takes DuckDB as long as to parse so many letters of SQL, or to read so many of a
# literal.
WORTH, WORTH_OF_TEXT = 1000, 18_000
# Through these every function hands its text.
_LATE = ("tanon._unless(", "tanon._made(", "tanon._refused(")


@dataclass(frozen=True)
class Expressions:
    """What makes the texts of table functions, and the macros that these expressions call."""

    by_function: dict[str, str]
    steps: list[str]


@cache
def install_statements() -> tuple[str, ...]:
    """All functions, each with what makes its text."""
    made = _expressions()
    own = [s for f in functions().values() for s in (_whole(f, made), f.comment())]
    return tuple(_bound_late([*private_statements(), *made.steps, *own]))


@cache
def shell_statements() -> tuple[str, ...]:
    """The same for a session of the stock shell, short to read; what needs Python refuses."""
    made = _expressions(for_shell=True)
    own, handing_on = [*private_statements(for_shell=True), *made.steps], []
    texts, headers = dict[str, str](), dict[str, Header]()
    for f in functions().values():
        if f.needs_python:
            own.append(_refusing(f))
        elif _is_handed_on(f, made):
            kept = kept_as_text.expressions(f.name, f.header, made.by_function[f.name])
            texts |= {called: _finished(text) for called, text in kept.items()}
            headers |= dict.fromkeys(kept, f.header)
            handing_on.append(_finished(kept_as_text.public(f.name, f.header)))
        else:
            own.append(_whole(f, made))
    names = {a.name for f in functions().values() for a in f.header.arguments}
    own, texts = inlining.put_in(own, texts, " ".join((*_LATE, *handing_on)), names, WORTH_OF_TEXT)
    keeping = [kept_as_text.keeping(at, headers[at], text) for at, text in texts.items()]
    comments = [f.comment() for f in functions().values()]
    return tuple(_bound_late([*own, *keeping, *handing_on, *comments]))


@cache
def handing_on_statements() -> tuple[str, ...]:
    """The functions where Python makes the texts: what is long does but hand on its call."""
    made = _expressions()
    own = [s for f in functions().values() for s in (_handing_on(f, made), f.comment())]
    text = "".join(own)
    steps = [step for step in made.steps if _called_as(step) in text]
    return tuple(_bound_late([*private_statements(by_python=True), *steps, *own]))


@cache
def texts_statements() -> tuple[str, ...]:
    """What makes the texts of the functions that hand on."""
    made = _expressions()
    own = [
        _finished(maker)
        for name, text in made.by_function.items()
        if _is_handed_on(functions()[name], made)
        for maker in left_out.makers(name, functions()[name].header, text)
    ]
    # Who asks for texts is elsewhere; an instance that only makes them knows no Python.
    asking = ("tanon._made(", "tanon._handed_on(")
    private = [s for s in private_statements(by_python=True) if _called_as(s) not in asking]
    return tuple(_bound_late([*private, *made.steps, *own]))


@cache
def _expressions(for_shell: bool = False) -> Expressions:
    """Of all table functions, or of those that need no Python.

    They are rendered twice: only then is it known which steps many read, so that they are macros.
    """
    tables = [f for f in functions().values() if not f.is_scalar]
    chosen = [f for f in tables if not (for_shell and f.needs_python)]
    first = rendering.Rendered(library())
    for f in chosen:
        rendering.text_expression(f.name, f.header, f.file, first)
    rendering.look_at_shards(library(), [(f.header, f.file) for f in functions().values()])
    if not for_shell and (faults := list(library().faults())):
        raise TemplateError("\n".join(faults))
    # Where expressions are kept as text, more of it is read in the time that makes a macro.
    worth = WORTH_OF_TEXT if for_shell else WORTH
    rendered = rendering.Rendered(library(), readers=first.readers, worth=worth)
    texts = {f.name: rendering.text_expression(f.name, f.header, f.file, rendered) for f in chosen}
    return Expressions(texts, list(map(_finished, rendered.statements())))


def _finished(sql: str) -> str:
    """The SQL with DuckDB's functions and those of Python under the names that nobody replaces."""
    return python_functions.with_sql_names(builtin_functions.with_catalog(sql))


def _whole(f: Function, made: Expressions) -> str:
    """The statements that create a function with what makes its text."""
    if f.is_scalar:
        return _finished(rendering.scalar_macro(f.name, f.header, f.file))
    return _finished(left_out.macros(f.name, f.header, made.by_function[f.name]))


def _handing_on(f: Function, made: Expressions) -> str:
    """The same where Python makes the text."""
    if not _is_handed_on(f, made):
        return _whole(f, made)
    return _finished(left_out.handing_on(f.name, f.header))


def _is_handed_on(f: Function, made: Expressions) -> bool:
    return not f.is_scalar and left_out.is_handed_on(f.header, made.by_function[f.name])


def _refusing(f: Function) -> str:
    """A function that needs Python, where there is none: it answers with one sentence."""
    say = literal(errors.needs_python(f.name))
    # A message that hangs on no argument would be raised when the macro is created.
    body = f"table from query(tanon._refused({say}, {f.header.arguments[0].name}))"
    if f.is_scalar:
        body = f"(error({say}))"
    body = builtin_functions.with_catalog(body)
    return f"create or replace macro tanon.{f.name}({f.header.signature()}) as {body}"


def _called_as(statement: str) -> str:
    """The macro that a statement creates, as it is called."""
    return statement[len("create or replace macro ") : statement.index("(") + 1]


def private_files() -> list[Traversable]:
    """The files of the macros that our functions share."""
    return sorted((sql_root() / "private").iterdir(), key=lambda file: file.name)


def private_statements(for_shell: bool = False, by_python: bool = False) -> list[str]:
    """The macros that our functions share: ``arguments.sql`` first, then those of a topic.

    By Python: texts are made in an instance of their own.
    """
    known = {
        "granularities": granularities.GRANULARITIES,
        "year_1": granularities.YEAR_1,
        "buckets_begin": granularities.BUCKETS_BEGIN,
        "literal": literal,
        "holds_variant": sources.holds_variant,
        "plan_of": operators.plan(file_text("private/operators.sql")),
        "has_no_python": for_shell,
        "by_python": by_python,
        "any_roles": python_functions.with_sql_names("tanon_any_roles("),
        "text_of": python_functions.with_sql_names("tanon_text_of("),
        "marked_instance": python_functions.MARK,
        "declared_roles": python_functions.with_sql_names("tanon_declared_roles("),
        "roles_of_the_shell": errors.ROLES_OF_THE_SHELL,
    }
    scripts = [
        quoting.without_comments(read_sql(f"private/{file.name}", **known))
        for file in private_files()
    ]
    scripts = [script.removesuffix(";") for script in scripts]
    statements = [s.strip() for script in scripts for s in re.split(r";\n", script) if s.strip()]
    return [builtin_functions.with_catalog(s) for s in [*statements, _held_secret(for_shell)]]


def _held_secret(for_shell: bool) -> str:
    """What stands for a secret that a call does not give; without Python the environment's only."""
    say = literal(f"tanon: secret must be given here, or {secret.VARIABLE} set: {SECRET_ALLOWED}")
    variable = f"getenv({literal(secret.VARIABLE)})"
    text = f"tanon._answer({python_functions.with_sql_names('tanon_held_secret(true)')})"
    if for_shell:
        text = (
            f"case when tanon._is_secret({variable}) then lower({variable}) else error({say}) end"
        )
    return f"create or replace macro tanon._held_secret_text() as {literal(text)}"


def _bound_late(statements: list[str]) -> Iterator[str]:
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
