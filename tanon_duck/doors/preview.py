"""The SQL that a call will run: as text, to be read first, and step by step, to be timed."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from tanon_duck import quoting
from tanon_duck.doors.explained import misfit
from tanon_duck.doors.private import private_macros
from tanon_duck.doors.readable import readable
from tanon_duck.errors import TanonError, not_a_call, one_line
from tanon_duck.macros import catalog, creating, inlining, left_out, marks, rendering
from tanon_duck.macros.catalog import Function
from tanon_duck.udfs import _registry as python_functions

_HEAD = re.compile(
    r"\s*(?P<recursive>with recursive\s+|with\s+)?,?\s*(?:-- (?P<place>[^\n]*)\n)?\s*"
    r"(?P<name>tanon_\w+|\"tanon_(?:[^\"]|\"\")+\") as (?P<how>(?:not )?materialized )?\("
)
_NAMED = re.compile(r"(\w+)\s*(?::=|=>)\s*")


@dataclass(frozen=True)
class StepRun:
    """One step of a call as it ran: the rows it gave, and its own seconds."""

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

    It is the text that the macro hands to DuckDB, made by the same expression, with a comment at
    each step that names its file, in lines that can be read, and DuckDB's own functions without
    their catalogue; wrong arguments are refused here in the same words. Of an expression it is the
    SQL that stands for it, its arguments by their names, and the files of the macros in it.
    """
    return _text(*_named(function, arguments))


def sql_on(connection: duckdb.DuckDBPyConnection, function: str, **arguments: Any) -> str:
    """The same, with what is left out taken from the roles that the connection knows."""
    return _text(*_named(function, arguments), connection)


def sql_of_shards(connection: duckdb.DuckDBPyConnection, function: str, **arguments: Any) -> str:
    """The same, and the steps beside it that only shards read."""
    return _text(*_named(function, arguments), connection, shards=True)


def sql_of_call(call: str, connection: duckdb.DuckDBPyConnection | None = None) -> str:
    """The same for a call as it is typed: ``from tanon.k_anonymity('visits', ...)``.

    What the call leaves out is taken from the roles that the connection knows.
    """
    function, given = _parsed(call)
    return _text(function, given, {}, connection)


def with_texts(statement: str, connection: duckdb.DuckDBPyConnection) -> str:
    """A statement with the SQL of each table function in the place of its call."""
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
    return StepRuns(_run(connection, _text(*_named(function, arguments), connection)))


def steps_of_call(connection: duckdb.DuckDBPyConnection, call: str) -> StepRuns:
    """The same for a call as it is typed; an expression is one step."""
    name, given = _parsed(call)
    function = catalog.function(name)
    if function.is_scalar:
        query = (
            f"create or replace temp table tanon_result as select tanon.{name}({given}) as {name}"
        )
        return StepRuns(_only(connection, function.file.name, query))
    return StepRuns(_run(connection, _text(name, given, {}, connection)))


def _only(connection: duckdb.DuckDBPyConnection, place: str, query: str) -> Iterator[StepRun]:
    try:
        yield _timed(connection, "tanon_result", place, query)
    finally:
        _drop(connection, "tanon_result")


def _parsed(call: str) -> tuple[str, str]:
    """The function of a typed call, and the text of its arguments."""
    found = re.search(r"\btanon\.(\w+)\s*\(", call)
    if found is None:
        raise TanonError(not_a_call(call))
    end = _closing(call, found.end())
    return found[1], call[found.end() : end]


def _named(function: str, arguments: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """A call with its arguments by their names."""
    return function, ", ".join(f"{name} := ${name}" for name in arguments), arguments


def _text(
    function: str,
    given: str,
    values: dict[str, Any],
    connection: duckdb.DuckDBPyConnection | None = None,
    shards: bool = False,
) -> str:
    described = catalog.function(function)
    texts = quoting.arguments(f"{given})", 0)[0]
    if wrong := misfit(described, texts):
        raise TanonError(wrong)
    if described.is_scalar:
        return _expression(described, [] if values else texts)
    rendered = rendering.Rendered(catalog.library(), comments=True, shards=shards)
    expression = rendering.text_expression(function, described.header, described.file, rendered)
    with private_macros() as scratch:
        for statement in rendered.statements():
            scratch.execute(statement)
        reads = connection and _value(connection, "tanon._reads_comments()") == "True"
        scratch.execute(f"create or replace macro tanon._reads_comments() as {bool(reads)}")
        if connection is None:
            scratch.execute("create or replace macro tanon._where_roles_are_read() as ''")
        for statement in left_out.parts(function, described.header, expression):
            scratch.execute(statement)
        whole = left_out.whole(function, described.header, expression)
        scratch.execute(f"create macro tanon.text({described.header.signature()}) as ({whole})")
        try:
            text = _value(scratch, f"tanon.text({given})", values or None)
            text = _with_roles(scratch, connection or scratch, text)
        except duckdb.InvalidInputException as error:
            raise TanonError(one_line(error)) from None
    return _with_places(readable(python_functions.with_sql_names(text)))


def _expression(function: Function, given: list[str]) -> str:
    """The SQL that stands for an expression, with what is given, and where its macros stand."""
    body, arguments = function.file.query.body, function.header.arguments
    told = {a.name: a.default or a.name for a in arguments} if given else {}
    for argument, text in zip(arguments, given, strict=False):
        named = _NAMED.match(text)
        told[named[1].lower() if named else argument.name] = text[named.end() if named else 0 :]
    if any(marks.uses(text, name) for text in told.values() for name in inlining.variables(body)):
        told = {}  # a variable of a lambda would stand for a name in it
    files = [(path.name, path.read_text(encoding="utf-8")) for path in creating.private_files()]
    places = [
        f"-- {called}: sql/private/{name}\n"
        for called in sorted(set(re.findall(r"tanon\._\w+", body)))
        for name, text in files
        if re.search(rf"macro {called}\b", text)
    ]
    runs = python_functions.with_sql_names(inlining.filled(body, told))
    return readable(f"-- {function.file.name}\n{''.join(places)}{runs}")


def _with_places(text: str) -> str:
    """The text with a comment at each step of a block too: it stands where its block does."""
    pieces, at, place = [], 0, ""
    while head := _HEAD.match(text, at):
        end = _closing(text, head.end()) + 1
        name = head.start("name")
        line = text.rfind("\n", 0, name) + 1
        if place and not head["place"] and line > at:
            pieces += [text[at:line], f"-- {place}\n", text[line:end]]
        else:
            pieces.append(text[at:end])
        place, at = head["place"] or place, end
    return "".join([*pieces, text[at:]])


def _with_roles(
    scratch: duckdb.DuckDBPyConnection, connection: duckdb.DuckDBPyConnection, text: str
) -> str:
    """The text of a call; where something was left out, once the connection has filled it in."""
    while found := re.fullmatch(r"(?s)from (?:system\.main\.)?query\((.*)\)", text):
        # Roles are found where they are; what makes texts is here, with its comments.
        is_here = re.match(r"tanon\._(text|query)_of_", found[1]) is not None
        asked = found[1].replace("tanon._made(", "tanon._call_of_text(")
        text = _value(scratch if is_here else connection, asked)
    return text


def _value(connection: duckdb.DuckDBPyConnection, sql: str, values: Any = None) -> str:
    return str(connection.execute(f"select {sql}", values).fetchall()[0][0])


def _run(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[StepRun]:
    made: list[str] = []
    ctes, last = cut(text)
    try:
        for head, body in ctes:
            yield _made(connection, head, body)
            made.append(head["name"])
        query = f"create or replace temp table tanon_result as {last}"
        yield _timed(connection, "tanon_result", "", query)
        made.append("tanon_result")
    finally:
        for name in reversed(made):
            _drop(connection, name)


def cut(text: str) -> tuple[list[tuple[re.Match[str], str]], str]:
    """The CTEs of a text that ``sql`` gave, each its head and its body, and the query behind."""
    ctes, at = [], 0
    while head := _HEAD.match(text, at):
        end = _closing(text, head.end())
        ctes.append((head, text[head.end() : end]))
        at = end + 1
    return ctes, text[at:].strip()


def _made(connection: duckdb.DuckDBPyConnection, head: re.Match[str], body: str) -> StepRun:
    """One CTE as a table of its own or, where it is read where it stands, as a view."""
    name = head["name"]
    kind = "view" if (head["how"] or "").startswith("not") else "table"
    reads_itself = re.search(rf"\b{name}\b", body) is not None
    query = f"with recursive {name} as ({body}) from {name}" if reads_itself else body
    statement = f"create or replace temp {kind} {name} as {query}"
    return _timed(connection, name, head["place"] or "", statement)


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
    """Where the parenthesis is closed that was opened in front of this place."""
    depth = 1
    for token in quoting.tokens(text, at):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            if depth == 0:
                return token.start()
    raise TanonError(not_a_call(text))
