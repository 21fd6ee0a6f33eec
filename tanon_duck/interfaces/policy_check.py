"""Check a policy on a connection: load its files, run its promises, compare its ratchets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.checking import policy as policies
from tanon_duck.checking import ratchet, running
from tanon_duck.checking.policy import Policy, Promise, Table
from tanon_duck.checking.results import Report, Result
from tanon_duck.errors import TanonError, nothing_promised
from tanon_duck.interfaces import call_sql
from tanon_duck.interfaces.files.inputs import check_input, files_as_sql, load, paths_named
from tanon_duck.interfaces.files.outputs import half_written
from tanon_duck.interfaces.files.staged_inputs import Reading, staged
from tanon_duck.macros import catalog
from tanon_duck.quoting import identifier

_NAME = "policy {}"


def check(
    connection: duckdb.DuckDBPyConnection,
    policy: str | PathLike[str] | Mapping[str, Any],
    *,
    values: bool = False,
    record: bool = False,
    state: str | PathLike[str] | None = None,
) -> Report:
    """Check what a policy promises: the path of a TOML file, its text, or the same as a mapping.

    Tables that it names are those of the connection, files are found from the policy's folder.
    The report holds counts and names of columns; with ``values`` also the first rows that break a
    promise, which may be those of rare groups. Ratchets compare with the file
    ``state`` (beside the policy, if it is a file), which ``record`` writes.
    """
    read = read_policy(policy)
    kept = Path(state) if state is not None else read.path and ratchet.state_path(read.path)
    return run(connection, read, values=values, state=kept, record=record)


def read_policy(policy: str | PathLike[str] | Mapping[str, Any]) -> Policy:
    """Read a policy from a path, a text or a mapping; raise for mistakes before any query runs."""
    if isinstance(policy, Mapping):
        return policies.from_mapping(policy)
    text = fspath(policy)
    if isinstance(policy, str) and ("\n" in text or "=" in text) and not Path(text).is_file():
        return policies.from_text(text)
    return policies.from_file(Path(text))


def run(
    connection: duckdb.DuckDBPyConnection,
    policy: Policy,
    *,
    values: bool = False,
    state: Path | None = None,
    record: bool = False,
    force: bool = False,
) -> Report:
    """Run all promises of a policy; with ``record``, also write the ratchet file."""
    if record and state is None:
        raise TanonError("state must be a file to record in, where the policy is none")
    recorded = ratchet.read(state) if state else {}
    with _loaded(connection, policy) as (relations, failed):
        results = _results(connection, policy, relations, failed, values)
        notes = list(_identifier_warnings(connection, policy, relations))
    results = ratchet.judged(results, policy.promises, {} if force else recorded)
    if record and state:
        kept = ratchet.to_record(results, policy.promises, {} if force else recorded)
        with half_written(state) as path:
            path.write_text(ratchet.text(kept), encoding="utf-8")
        notes.append(f"recorded in {state}: {len(kept)} checks")
    return Report(results, notes)


def queries(connection: duckdb.DuckDBPyConnection, policy: Policy) -> Iterator[str]:
    """Yield for each promise the SQL query of the rows that break it; run no query."""
    tables = policy.tables
    for promise in policy.promises:
        relations = {
            n: _relation_sql(policy, tables[n]) for n in _relation_names(promise) if n in tables
        }
        given = _sql_arguments(promise, relations)
        header = catalog.function(promise.function).header
        held_to = header.held_to()
        if held_to and not any(name in given for name in held_to):
            raise TanonError(nothing_promised(promise.function, held_to))
        assert header.holds is not None, "only checks are promised"
        text = call_sql.sql_on(connection, promise.function, **given)
        broken = running.breaking(header.holds)
        yield f"-- {' '.join(promise.title.split())}\nfrom (\n{text}\n)\nwhere {broken};\n"


def _results(
    connection: duckdb.DuckDBPyConnection,
    policy: Policy,
    relations: Mapping[str, str],
    failed: Mapping[str, Exception],
    values: bool,
) -> list[Result]:
    """Return the results of all promises in their order, also those about unreadable tables."""
    results = []
    for promise in policy.promises:
        wrong = [failed[name] for name in _relation_names(promise) if name in failed]
        if wrong:
            result = running.could_not_tell(promise.function, promise.arguments, wrong[0], values)
        else:
            given = _sql_arguments(promise, relations)
            result = running.run(
                connection,
                promise.function,
                given,
                values=values,
                allowed=promise.allow,
                least=promise.least,
            )
        results.append(_with_title(result, promise, values))
    return results


def _with_title(result: Result, promise: Promise, values: bool) -> Result:
    """Return the result under the title of its promise, with the arguments as they were written."""
    written = promise.arguments if values else running.without_queries(promise.arguments)
    return replace(
        result,
        arguments=written,
        name=promise.title,
        severity=promise.severity,
        allowed=promise.allow,
    )


def _sql_arguments(promise: Promise, relations: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a promise with the SQL of each relation that the policy names."""
    given = dict(promise.arguments)
    for argument in catalog.function(promise.function).header.arguments:
        name = given.get(argument.name)
        if argument.kind.name == "relation" and isinstance(name, str):
            given[argument.name] = relations.get(name, name)
    return given


def _identifier_warnings(
    connection: duckdb.DuckDBPyConnection, policy: Policy, relations: Mapping[str, str]
) -> Iterator[str]:
    """Yield the warnings about respondent columns, once for each table: counts, no values."""
    asked = set()
    for promise in policy.promises:
        if catalog.function(promise.function).header.argument("respondent") is None:
            continue
        given = _sql_arguments(promise, relations)
        asked.add((promise.arguments.get("source"), given.get("source"), given.get("respondent")))
    for name, source, respondent in sorted(asked, key=repr):
        call = "from tanon.identifier_warnings($source, respondent := $respondent)"
        try:
            found = connection.execute(
                call, {"source": source, "respondent": respondent}
            ).fetchall()
        except duckdb.Error:  # the promises about this table tell what is wrong
            continue
        for warning, column, respondents, _, advice in found:
            yield f"{name}: {warning} ({column}): {respondents} respondents: {advice}"


def _relation_names(promise: Promise) -> Iterator[str]:
    """Yield the names of the relations in the arguments of a promise."""
    for argument in catalog.function(promise.function).header.relations():
        name = promise.arguments.get(argument.name)
        if isinstance(name, str):
            yield name


@contextmanager
def _loaded(
    connection: duckdb.DuckDBPyConnection, policy: Policy
) -> Iterator[tuple[dict[str, str], dict[str, Exception]]]:
    """Load the tables of a policy; yield their SQL names, and the errors of unreadable tables."""
    relations: dict[str, str] = {}
    failed: dict[str, Exception] = {}
    used = {name for promise in policy.promises for name in _relation_names(promise)}
    with ExitStack() as kept:
        for name, table in policy.tables.items():
            if name not in used:
                continue
            try:
                relations[name] = _relation(connection, policy, table, kept)
            except duckdb.InterruptException:
                raise
            except (TanonError, duckdb.Error, OSError, ValueError) as error:
                failed[name] = error
        yield relations, failed


def _relation(
    connection: duckdb.DuckDBPyConnection, policy: Policy, table: Table, kept: ExitStack
) -> str:
    if not table.files:
        return _relation_sql(policy, table)
    name = _NAME.format(table.name)
    reading = Reading(table.as_text, table.encoding, table.table, is_policy=True)
    paths = _paths(policy, table)
    for path in paths:
        check_input(path)
    inputs = kept.enter_context(staged({name: paths}, reading))
    kept.callback(_drop_loaded, connection, name, len(paths))
    load(connection, name, inputs[name], reading)
    return str(identifier(name))


def _relation_sql(policy: Policy, table: Table) -> str:
    """Return the SQL of a table without loading it: a query, files or a table name."""
    if table.query:
        return f"({table.query.strip().rstrip(';')})"
    return files_as_sql(_paths(policy, table)) if table.files else table.table


def _paths(policy: Policy, table: Table) -> list[Path]:
    return [path for text in table.files for path in paths_named(str(policy.folder / text))]


def _drop_loaded(connection: duckdb.DuckDBPyConnection, name: str, parts: int) -> None:
    """Drop the temporary view and tables of a loaded table."""
    for each in (name, *(f"{name} {number}" for number in range(parts))):
        kinds = connection.execute(
            "select table_type from information_schema.tables "
            "where table_name = $name and table_catalog = 'temp'",
            {"name": each},
        ).fetchall()
        for (kind,) in kinds:
            what = "view" if "VIEW" in kind else "table"
            connection.execute(f"drop {what} if exists temp.main.{identifier(each)}")
