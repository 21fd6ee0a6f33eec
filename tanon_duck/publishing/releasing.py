"""One call that applies a publisher, checks what it gave, keeps it and puts it on record."""

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
# A name as it would be found: in the schema that it names, else in the current one.
_THERE = """
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
    """A table for others, and the account of how it was made."""

    table: str
    manifest: Manifest
    warnings: tuple[str, ...]  # what the owner should know; no part of the manifest
    _table: Quoted = field(repr=False)
    _connection: duckdb.DuckDBPyConnection = field(repr=False)

    def rows(self) -> duckdb.DuckDBPyRelation:
        """What was released."""
        return self._connection.sql(f"from {self._table}")

    def write(self, path: str | Path, force: bool = False) -> None:
        """Write the rows to a file that only its owner may read, the manifest beside it."""
        output = AccountedOutput(Path(path), force)
        try:
            output.check()
        except ValueError as error:
            raise TanonError(f"tanon.{FUNCTION}: {error}") from None
        output.write(self._connection, self._table, self.manifest)


def release(
    con: duckdb.DuckDBPyConnection, function: str, *, into: str, **arguments: Any
) -> Release:
    """Publish into a new table of this database, checked once more, and with a manifest.

    function is one whose result is for others, such as ``publish_events``; arguments are its
    own. The manifest is kept in the table ``tanon_releases`` of the current schema, for the owner.
    Table and record come together or not at all.
    """
    called = catalog.function(function)
    if not called.header.promises:
        raise TanonError(not_for_others(function, publishers()))
    install(con)
    call = Call(con, called, arguments)
    table = _new_table(con, into)
    with _together(con):
        manifest, warnings = publish(call, table)
        ledger.enter(call, into, manifest)
    return Release(into, manifest, tuple(warnings), table, con)


def _new_table(connection: duckdb.DuckDBPyConnection, name: str) -> Quoted:
    """The name as it may stand in SQL, if it can be that of a new table."""
    wanted = must_be_allowed(FUNCTION, "into", "the name of a table that is not there yet")
    checked = "select tanon._relation($name), coalesce(tanon._wrong_name($wanted, $name, false), "
    checked += "case when tanon._is_query($name) then tanon._got($wanted, $name) end)"
    ((text, wrong),) = connection.execute(
        of_text(checked), {"name": name, "wanted": wanted}
    ).fetchall()
    if wrong is None and connection.execute(of_text(_THERE), {"text": text}).fetchall():
        wrong = f"{wanted}, got {name!r}"
    if wrong:
        raise TanonError(wrong)
    return Quoted(text)


@contextmanager
def _together(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All or nothing: in the transaction that is open, or in one of its own."""
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
