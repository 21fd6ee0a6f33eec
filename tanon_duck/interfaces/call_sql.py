"""Show the SQL of a call as text, or run it step by step with rows and seconds of each."""

import re
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from tanon_duck import quoting
from tanon_duck.errors import TanonError, one_line
from tanon_duck.interfaces import call_planner
from tanon_duck.interfaces.call_errors import misfit
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.sql_formatting import readable
from tanon_duck.macros import argument_facts, catalog, create_statements, linker, plan_compiler
from tanon_duck.macros.call_plan import Plan, Step
from tanon_duck.macros.catalog import Function
from tanon_duck.udfs import _registry as python_functions

_NAMED = re.compile(r"(\w+)\s*(?::=|=>)\s*")
_VARIABLES = re.compile(r"\blambda ([\w, ]+):")


@dataclass(frozen=True)
class StepRun:
    """One executed step of a call: its name, rows and seconds."""

    name: str
    place: str  # file:line, or the argument that it is made of; empty for the result
    rows: int
    seconds: float
    sql: str


class StepRuns(list[StepRun]):
    """The steps of a call in the order in which they ran; shows itself as a table."""

    def __repr__(self) -> str:
        width = max((len(run.name) for run in self), default=0)
        return "\n".join(
            f"{run.name:<{width}}  {run.rows:>12,} rows  {run.seconds:>8.3f} s  {run.place}"
            for run in self
        )


def sql(function: str, **arguments: Any) -> str:
    """The complete SQL of ``FROM tanon.<function>(...)`` with these arguments filled in.

    It is the text that DuckDB runs, with a comment at each step that names its file, in lines that
    can be read, and DuckDB's own functions without their catalogue; wrong arguments are refused
    here in the same words. Of an expression it is the SQL that stands for it, its arguments by
    their names, and the files of the macros in it.
    """
    return _text(*_with_named_arguments(function, arguments))


def sql_on(connection: duckdb.DuckDBPyConnection, function: str, **arguments: Any) -> str:
    """Return the complete SQL of a call; omitted arguments come from the connection's roles."""
    return _text(*_with_named_arguments(function, arguments), connection)


def plan_with(
    also: Collection[str],
    library: linker.Library,
    connection: duckdb.DuckDBPyConnection,
    function: str,
    **arguments: Any,
) -> Plan:
    """Return the plan of a call with further steps of a library, which the query does not read."""
    described = catalog.function(function)
    plan = plan_compiler.plan(function, described.header, described.file, library, also)
    other = argument_facts.macro(described, plan), argument_facts.as_data(described, plan)
    return _plan(*_with_named_arguments(function, arguments), connection, other)


def sql_of_call(call: str, connection: duckdb.DuckDBPyConnection | None = None) -> str:
    """Return the complete SQL of a typed call: ``from tanon.k_anonymity('visits', ...)``.

    Omitted arguments come from the roles of the connection.
    """
    function, given = _parsed(call)
    return _text(function, given, {}, connection)


def with_texts(statement: str, connection: duckdb.DuckDBPyConnection) -> str:
    """Replace each call of a table function in a statement by its SQL."""
    pieces, at = [], 0
    for call in re.finditer(r"\btanon\.(\w+)\s*\(", statement):
        # A call may stand in the argument of another one.
        if call.start() >= at and not catalog.function(call[1]).is_scalar:
            end = _closing(statement, call.end())
            text = _text(call[1], statement[call.end() : end], {}, connection)
            pieces += [statement[at : call.start()], f"(\n{text}\n)"]
            at = end + 1
    return "".join([*pieces, statement[at:]])


def steps(connection: duckdb.DuckDBPyConnection, function: str, **arguments: Any) -> StepRuns:
    """Run a call step by step on a connection, and tell the rows and the seconds of each.

    Every step becomes a temporary table (or a view, where it is not materialized) that is gone
    afterwards. What goes wrong is raised with the step and the file that it stands in.
    """
    described = catalog.function(function)
    if described.is_scalar:
        raise TanonError(f"tanon.{function} is an expression: it has no steps")
    return StepRuns(
        _run(connection, _plan(*_with_named_arguments(function, arguments), connection))
    )


def steps_of_call(connection: duckdb.DuckDBPyConnection, call: str) -> StepRuns:
    """Run a typed call step by step; an expression is one step."""
    name, given = _parsed(call)
    function = catalog.function(name)
    if function.is_scalar:
        query = (
            f"create or replace temp table tanon_result as select tanon.{name}({given}) as {name}"
        )
        return StepRuns(_run_expression(connection, function.file.name, query))
    return StepRuns(_run(connection, _plan(name, given, {}, connection)))


def _run_expression(
    connection: duckdb.DuckDBPyConnection, place: str, query: str
) -> Iterator[StepRun]:
    try:
        yield _timed(connection, "tanon_result", place, query)
    finally:
        _drop(connection, "tanon_result")


def _parsed(call: str) -> tuple[str, str]:
    """Return the function name of a typed call and the text of its arguments."""
    found = re.search(r"\btanon\.(\w+)\s*\(", call)
    if found is None:
        raise TanonError(_not_a_call(call))
    end = _closing(call, found.end())
    return found[1], call[found.end() : end]


def _with_named_arguments(
    function: str, arguments: dict[str, Any]
) -> tuple[str, str, dict[str, Any]]:
    """Return a call whose arguments are named parameters: ``k := $k``."""
    return function, ", ".join(f"{name} := ${name}" for name in arguments), arguments


def _text(
    function: str,
    given: str,
    values: dict[str, Any],
    connection: duckdb.DuckDBPyConnection | None = None,
) -> str:
    described = catalog.function(function)
    if described.is_scalar:
        return _expression(described, [] if values else _arguments(described, given))
    return readable(_plan(function, given, values, connection).text(comments=True))


def _arguments(function: Function, given: str) -> list[str]:
    """Split the arguments of a typed call; raise if they do not fit the function."""
    found = quoting.arguments(f"{given})", 0)[0]
    if wrong := misfit(function, found):
        raise TanonError(wrong)
    return found


def _plan(
    function: str,
    given: str,
    values: dict[str, Any],
    connection: duckdb.DuckDBPyConnection | None = None,
    other: tuple[str, dict[str, Any]] | None = None,
) -> Plan:
    """Return the plan of a call; omitted arguments come from the roles of the connection."""
    _arguments(catalog.function(function), given)
    try:
        called = call_planner.call(function, given, values or None)
        found = called["given"]
        if called["must"] or (called["may"] and connection):
            found = _completed_by_roles(function, found, connection)
        return (
            call_planner.planned_as(*other, function, found)
            if other
            else call_planner.planned(function, found)
        )
    except (TanonError, duckdb.InvalidInputException) as error:
        raise TanonError(one_line(error)) from None


def _completed_by_roles(
    function: str, given: str, connection: duckdb.DuckDBPyConnection | None
) -> str:
    """Complete the arguments of a call from the roles of a connection; return their text."""
    if connection is None:  # nothing is declared in an empty database
        with connect() as empty:
            return _completed_by_roles(function, given, empty)
    asked = f"select {call_planner.by_roles(function, given)}"
    return str(connection.execute(asked).fetchall()[0][0])


def _expression(function: Function, given: list[str]) -> str:
    """Return the SQL of an expression function, and comments with the files of its macros."""
    body, arguments = function.file.query.body, function.header.arguments
    texts = {a.name: a.default or a.name for a in arguments} if given else {}
    for argument, text in zip(arguments, given, strict=False):
        named = _NAMED.match(text)
        texts[named[1].lower() if named else argument.name] = text[named.end() if named else 0 :]
    listed = ",".join(_VARIABLES.findall(body)).split(",")
    variables = [name.strip() for name in listed if name]
    if any(quoting.uses(text, name) for text in texts.values() for name in variables):
        texts = {}  # a variable of a lambda would stand for a name in it
    files = [
        (path.name, path.read_text(encoding="utf-8")) for path in create_statements.private_files()
    ]
    places = [
        f"-- {called}: sql/private/{name}\n"
        for called in sorted(set(re.findall(r"tanon\._\w+", body)))
        for name, text in files
        if re.search(rf"macro {called}\b", text)
    ]
    runs = python_functions.with_sql_names(_filled(body, texts))
    return readable(f"-- {function.file.name}\n{''.join(places)}{runs}")


def _filled(body: str, texts: Mapping[str, str]) -> str:
    """Replace the argument names in an expression by the texts of the arguments."""
    whole = {
        n: t if re.fullmatch(r"[\w.]+|'(?:[^']|'')*'", t) else f"({t})" for n, t in texts.items()
    }
    return quoting.renamed(body, whole)


def _run(connection: duckdb.DuckDBPyConnection, plan: Plan) -> Iterator[StepRun]:
    made: list[str] = []
    try:
        for step in plan.steps:
            yield _create_step(connection, step)
            made.append(step.cte)
        query = f"create or replace temp table tanon_result as {plan.query}"
        yield _timed(connection, "tanon_result", "", query)
        made.append("tanon_result")
    finally:
        for name in reversed(made):
            _drop(connection, name)


def _create_step(connection: duckdb.DuckDBPyConnection, step: Step) -> StepRun:
    """Create a step as a temporary table, or as a view if it is not materialized."""
    kind = "view" if step.how.startswith("not") else "table"
    query = step.sql
    if step.is_recursive:
        query = f"with recursive {step.cte} as ({query}) from {step.cte}"
    statement = f"create or replace temp {kind} {step.cte} as {query}"
    return _timed(connection, step.cte, step.place, readable(statement))


def _timed(connection: duckdb.DuckDBPyConnection, name: str, place: str, statement: str) -> StepRun:
    begun = time.perf_counter()
    step = name.strip('"').removeprefix("tanon_")
    try:
        connection.execute(statement)
        rows = connection.execute(f"select count(*) from {name}").fetchall()[0][0]
    except duckdb.Error as error:
        where = f"{place}: " if place else ""
        raise TanonError(f"{where}step {step}: {one_line(error)}") from None
    return StepRun(step, place, rows, time.perf_counter() - begun, statement)


def _drop(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    kinds = connection.execute(
        "select table_type from information_schema.tables where table_name = $name",
        {"name": name.strip('"').replace('""', '"')},
    ).fetchall()
    for (kind,) in kinds:
        connection.execute(f"drop {'view' if 'VIEW' in kind else 'table'} if exists {name}")


def _closing(text: str, at: int) -> int:
    """Return the position of the parenthesis that closes the one before ``at``."""
    depth = 1
    for token in quoting.tokens(text, at):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            if depth == 0:
                return token.start()
    raise TanonError(_not_a_call(text))


def _not_a_call(text: str) -> str:
    return f"a call such as from tanon.k_anonymity('visits', ...) is wanted, got {text.strip()!r}"
