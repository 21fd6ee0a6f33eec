"""Call a publisher, and describe the call for its manifest."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

import duckdb

from tanon_duck import secret
from tanon_duck.errors import TanonError, unknown_argument
from tanon_duck.macros import role_defaults
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument
from tanon_duck.quoting import Quoted, literal

A_QUERY = "(a query)"
_PARENTS = re.compile(r"^parents (.+)\(")
_ENUM = re.compile(r"ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)")


class Call:
    """A publisher with its arguments as Python values.

    `names` holds the names of relations for the manifest, for example {'source': 'visits.csv'}.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        function: Function,
        arguments: Mapping[str, Any],
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.connection, self.function, self._names = connection, function, names
        self._header = function.header
        known = [a.name for a in self._header.arguments]
        for name in arguments:
            if name not in known:
                raise TanonError(unknown_argument(function.name, name, known))
        self.given = dict(arguments)

    @cached_property
    def values(self) -> dict[str, Any]:
        """Return all arguments: passed values, declared roles or defaults."""
        if role_defaults.with_roles(self._header):
            return self._with_roles()
        others = [a for a in self._header.arguments if a.name not in self.given and a.default]
        if not others:
            return self.given
        select = f"select {', '.join(a.default for a in others)}"
        (row,) = self.connection.execute(select).fetchall()
        return {a.name: value for a, value in zip(others, row, strict=True)} | self.given

    def _with_roles(self) -> dict[str, Any]:
        """Return all arguments after DuckDB has inserted the declared roles."""
        names = [a.name for a in self._header.arguments]
        given = ", ".join(f"{f'${n}' if n in self.given else 'null'} as {n}" for n in names)
        texts = role_defaults.arguments(self.function.name, self._header)
        query = f"select {texts} from (select {given})"
        ((default_values,),) = self.connection.execute(query, self.given).fetchall()
        ((found,),) = self.connection.execute(default_values).fetchall()
        (row,) = self.connection.execute(f"select {', '.join(found)}").fetchall()
        return dict(zip(names, row, strict=True))

    def create(self, table: Quoted, **more: Any) -> None:
        """Call the publisher and store its rows in a new table."""
        given = self.given | more
        named = ", ".join(f"{name} := ${name}" for name in given)
        called = f"from tanon.{self.function.name}({named})"
        self.connection.execute(f"{creating(table)} {called}", given)

    def roles(self) -> dict[str, list[str]]:
        """Return the columns that each argument names."""
        named = (a for a in self._header.arguments if a.kind.is_column)
        return {a.name: _as_list(self.values.get(a.name)) for a in named}

    def parameters(self) -> dict[str, Any]:
        """Return the other arguments as a manifest may show them.

        The source and the secret are excluded. '(a query)' replaces the text of a query.
        """
        return {
            a.name: _json_number(self._manifest_value(a))
            for a in self._header.arguments
            if a != self._main and not a.kind.is_column and a.kind.name != "secret"
        }

    def _manifest_value(self, argument: Argument) -> Any:
        """Return an argument's value as a manifest may show it."""
        value = self.values.get(argument.name)
        if argument.name == "hierarchies" and value and "hierarchies" not in self.given:
            return self._declared_specifications()
        may_be_relation = argument.kind.name == "relation" or argument.kind.columns
        return (
            self._relation_name(argument.name)
            if may_be_relation and isinstance(value, str)
            else value
        )

    def _declared_specifications(self) -> dict[str, str]:
        """Return the declared hierarchy of each quasi-identifier, as text."""
        query = "select column_name, how from tanon.roles($source) where role = $role and how <> ''"
        given = {"source": self.source_name(), "role": "quasi-identifier"}
        specifications = self.connection.execute(query, given).fetchall()
        return {
            column: _PARENTS.sub(self._without_folders, specification)
            for column, specification in specifications
        }

    def _without_folders(self, parents: re.Match[str]) -> str:
        """Remove the folders from a file name in a hierarchy specification."""
        return f"parents {plain_name(self.connection, parents[1])}("

    def source(self) -> dict[str, Any]:
        """Return name, columns, row count and keyed digest of the source.

        Without a secret that lasts, the digest is None. An adversary who knows all values except
        one could find the missing value by trying digests.
        """
        name, used = self.source_name(), self.used()
        folded = {column.lower() for column in used}
        there = columns_of(self.connection, name)
        if self._lasting_secret:
            query = (
                "from tanon.row_digest($source, only_columns := $used, keyed := true, secret := "
                "$key)"
            )
            given = {"source": name, "used": used, "key": self._lasting_secret}
        else:
            query = "select count(*), null from query('from ' || tanon._relation($source))"
            given = {"source": name}
        ((rows, digest),) = self.connection.execute(query, given).fetchall()
        return {
            "relation": self._relation_name(self._main.name),
            "columns": [column for column in there if column["name"].lower() in folded],
            "rows": rows,
            "digest": digest,
        }

    def source_name(self) -> str:
        """Return the source as the caller named it."""
        return str(self.values[self._main.name])

    def used(self) -> list[str]:
        """Return the columns of the source that arguments name, sorted."""
        of_source = (a for a in self._header.arguments if a.kind.is_column_of(self._main.name))
        used = (column for a in of_source for column in _as_list(self.values.get(a.name)))
        return sorted(dict.fromkeys(used))

    @property
    def _main(self) -> Argument:
        return self._header.relations()[0]

    def _relation_name(self, relation: str) -> str:
        """Return the name of a relation for the manifest."""
        return self._names.get(relation) or plain_name(self.connection, self.values[relation])

    def secret(self) -> dict[str, str] | None:
        """Return the origin and the fingerprint of the secret, None without one."""
        if self._secret_argument is None and self._lasting_secret is None:
            return None
        text = self._lasting_secret or secret.held_secret()
        return {"from": self._origin_of_secret(), "fingerprint": secret.fingerprint(text)}

    def _origin_of_secret(self) -> str:
        """Return 'the call', the environment variable or 'this process'."""
        if self.given.get(self._secret_argument or "") is not None:
            return "the call"
        return secret.VARIABLE if os.environ.get(secret.VARIABLE) else "this process"

    @cached_property
    def _secret_argument(self) -> str | None:
        return next((a.name for a in self._header.arguments if a.kind.name == "secret"), None)

    @cached_property
    def _lasting_secret(self) -> str | None:
        """Return the secret of the call or of the environment, else None.

        A secret that only this process holds cannot be used again later.
        """
        given = self.given.get(self._secret_argument or "")
        if given is None:
            return secret.held_secret() if os.environ.get(secret.VARIABLE) else None
        if not str(given).strip().startswith("("):
            return str(given).lower()
        called = literal(f"tanon.{self.function.name}")
        read = f"select tanon._read_secret({called}, g) from (select {given} as g)"
        ((text,),) = self.connection.execute(read).fetchall()
        return str(text)


def _json_number(value: Any) -> Any:
    """Convert a Decimal to a float, because JSON has no decimals."""
    return float(value) if isinstance(value, Decimal) else value


def creating(table: Quoted) -> str:
    """Return 'create table ... as'; a name below temp gets a temporary table."""
    kind = "temp table" if table.startswith("temp.") else "table"
    return f"create {kind} {table} as"


def columns_of(connection: duckdb.DuckDBPyConnection, relation: str) -> list[dict[str, str]]:
    """Return name and type of each column; an ENUM type without its values."""
    ((text,),) = connection.execute("select tanon._relation(?)", [relation]).fetchall()
    described = connection.execute(f"describe from {text}").fetchall()
    return [{"name": name, "type": _ENUM.sub("ENUM", kind)} for name, kind, *_ in described]


def plain_name(connection: duckdb.DuckDBPyConnection, relation: Any) -> Any:
    """Return a relation's name without folders; '(a query)' replaces a query."""
    if not isinstance(relation, str):
        return relation
    query = "select tanon._may_be_query($x)"
    if connection.execute(query, {"x": relation}).fetchall() != [(False,)]:
        return A_QUERY
    return PurePath(relation).name if re.search(r"[\\/]", relation) else relation


def _as_list(value: Any) -> list[str]:
    """Return a value as a list of names; None is an empty list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
