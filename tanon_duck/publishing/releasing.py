"""Publish a table in one call: publish, check, store the table and record the release."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.accounting import ledger
from tanon_duck.accounting.call import Call
from tanon_duck.accounting.manifest import Manifest, publish, publishers
from tanon_duck.errors import TanonError, must_be_allowed, not_for_others
from tanon_duck.interfaces.connection import install
from tanon_duck.interfaces.files.release_folder import AccountedOutput
from tanon_duck.macros import catalog
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.transactions import in_transaction
from tanon_duck.quoting import Quoted

FUNCTION = "release"
# DuckDB looks for an unqualified name in the current schema only.
_EXISTING_RELATION = """
from (
    select database_name, schema_name, table_name as name from duckdb_tables()
    union all
    select database_name, schema_name, view_name from duckdb_views()
)
where list_contains([
    tanon._identifier(name), tanon._identifier(schema_name) || '.' || tanon._identifier(name),
    concat_ws('.', tanon._identifier(database_name), tanon._identifier(schema_name),
        tanon._identifier(name))
].list_transform(lambda n: tanon._folded(n)), tanon._folded($text))
    and (contains($text, '"."') or (
        schema_name = current_schema() and database_name in (current_database(), 'temp')))
limit 1
"""


@dataclass(frozen=True)
class Release:
    """A released table and its manifest.

    `warnings` are sentences for the owner; the manifest does not contain them.
    """

    table: str
    manifest: Manifest
    warnings: tuple[str, ...]  # for the owner; the manifest does not contain them
    _table: Quoted = field(repr=False)
    _connection: duckdb.DuckDBPyConnection = field(repr=False)

    def rows(self) -> duckdb.DuckDBPyRelation:
        """Return the released rows."""
        return self._connection.sql(f"from {self._table}")

    def write(self, path: str | Path, force: bool = False) -> None:
        """Write the rows to a file that only its owner may read, and the manifest.

        The manifest gets a file in the same folder.
        """
        output = AccountedOutput(Path(path), force)
        try:
            output.check()
        except ValueError as error:
            raise TanonError(f"tanon.{FUNCTION}: {error}") from None
        output.write(self._connection, self._table, self.manifest)


def release(
    con: duckdb.DuckDBPyConnection, function: str, *, into: str, **arguments: Any
) -> Release:
    """Publish into a new table, check it and record the release with a manifest.

    `function` is a publisher such as ``publish_events``, and `arguments` are its arguments. The
    table ``tanon_releases`` of the current schema stores the manifest for the owner. The table and
    the record are stored in one transaction.
    """
    called = catalog.function(function)
    if not called.header.promises:
        raise TanonError(not_for_others(function, publishers()))
    install(con)
    call = Call(con, called, arguments)
    table = _new_table(con, into)
    with _one_transaction(con):
        manifest, warnings = publish(call, table)
        ledger.enter(call, into, manifest)
    return Release(into, manifest, tuple(warnings), table, con)


def _new_table(connection: duckdb.DuckDBPyConnection, name: str) -> Quoted:
    """Return the quoted name of a table that does not exist yet, or raise."""
    wanted = must_be_allowed(FUNCTION, "into", "the name of a table that does not exist yet")
    query = "select tanon._relation($name), coalesce(tanon._wrong_name($wanted, $name, false), "
    query += "case when tanon._is_query($name) then tanon._got($wanted, $name) end)"
    ((quoted_name, problem),) = connection.execute(
        of_text(query), {"name": name, "wanted": wanted}
    ).fetchall()
    if (
        problem is None
        and connection.execute(of_text(_EXISTING_RELATION), {"text": quoted_name}).fetchall()
    ):
        problem = f"{wanted}, got {name!r}"
    if problem:
        raise TanonError(problem)
    return Quoted(quoted_name)


@contextmanager
def _one_transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Run the block in the open transaction, or in a transaction of its own."""
    if in_transaction(connection):
        yield
        return
    connection.execute("begin transaction")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")
