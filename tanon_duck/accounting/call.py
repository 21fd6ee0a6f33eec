"""A call of a publisher: how it is made, and what of its arguments a manifest tells."""

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
    """A publisher with Python values as its arguments; ``names`` tell what relations are called."""

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
        """All arguments, those that were left out too: by a declared role, or their default."""
        if role_defaults.with_roles(self._header):
            return self._with_roles()
        others = [a for a in self._header.arguments if a.name not in self.given and a.default]
        if not others:
            return self.given
        select = f"select {', '.join(a.default for a in others)}"
        (row,) = self.connection.execute(select).fetchall()
        return {a.name: value for a, value in zip(others, row, strict=True)} | self.given

    def _with_roles(self) -> dict[str, Any]:
        names = [a.name for a in self._header.arguments]
        given = ", ".join(f"{f'${n}' if n in self.given else 'null'} as {n}" for n in names)
        texts = role_defaults.arguments(self.function.name, self._header)
        query = f"select {texts} from (select {given})"
        ((asked,),) = self.connection.execute(query, self.given).fetchall()
        ((found,),) = self.connection.execute(asked).fetchall()
        (row,) = self.connection.execute(f"select {', '.join(found)}").fetchall()
        return dict(zip(names, row, strict=True))

    def create(self, table: Quoted, **more: Any) -> None:
        """Run it into a table that is made."""
        given = self.given | more
        named = ", ".join(f"{name} := ${name}" for name in given)
        called = f"from tanon.{self.function.name}({named})"
        self.connection.execute(f"{creating(table)} {called}", given)

    def roles(self) -> dict[str, list[str]]:
        """The columns that each argument names."""
        named = (a for a in self._header.arguments if a.kind.is_column)
        return {a.name: _listed(self.values.get(a.name)) for a in named}

    def parameters(self) -> dict[str, Any]:
        """All else but the source and the secret; of a query it is only told that it was one."""
        return {
            a.name: _plain(self._told(a))
            for a in self._header.arguments
            if a != self._main and not a.kind.is_column and a.kind.name != "secret"
        }

    def _told(self, argument: Argument) -> Any:
        value = self.values.get(argument.name)
        if argument.name == "hierarchies" and value and "hierarchies" not in self.given:
            return self._ways()
        may_be_relation = argument.kind.name == "relation" or argument.kind.columns
        return self._named(argument.name) if may_be_relation and isinstance(value, str) else value

    def _ways(self) -> dict[str, str]:
        """How roles say that each quasi-identifier is generalized: builders and their steps."""
        asked = "select column_name, how from tanon.roles($source) where role = $role and how <> ''"
        given = {"source": self.source_name(), "role": "quasi-identifier"}
        ways = self.connection.execute(asked, given).fetchall()
        return {column: _PARENTS.sub(self._without_folders, way) for column, way in ways}

    def _without_folders(self, parents: re.Match[str]) -> str:
        return f"parents {plain_name(self.connection, parents[1])}("

    def source(self) -> dict[str, Any]:
        """Of what the release was made: name, columns that were used, rows, and a keyed digest."""
        name, used = self.source_name(), self.used()
        folded = {column.lower() for column in used}
        there = columns_of(self.connection, name)
        if self._secret:
            asked = (
                "from tanon.row_digest($source, only_columns := $used, keyed := true, secret := "
                "$key)"
            )
            given = {"source": name, "used": used, "key": self._secret}
        else:
            asked = "select count(*), null from query('from ' || tanon._relation($source))"
            given = {"source": name}
        ((rows, digest),) = self.connection.execute(asked, given).fetchall()
        return {
            "relation": self._named(self._main.name),
            "columns": [column for column in there if column["name"].lower() in folded],
            "rows": rows,
            "digest": digest,
        }

    def source_name(self) -> str:
        """The source as it was given."""
        return str(self.values[self._main.name])

    def used(self) -> list[str]:
        """The columns of the source that are named; none where all are read."""
        of_source = (a for a in self._header.arguments if a.kind.is_column_of(self._main.name))
        used = (column for a in of_source for column in _listed(self.values.get(a.name)))
        return sorted(dict.fromkeys(used))

    @property
    def _main(self) -> Argument:
        return self._header.relations()[0]

    def _named(self, relation: str) -> str:
        return self._names.get(relation) or plain_name(self.connection, self.values[relation])

    def secret(self) -> dict[str, str] | None:
        """Where the secret came from, and enough of it to tell two apart; None where none is."""
        if self._secret_argument is None and self._secret is None:
            return None
        text = self._secret or secret.held_secret()
        return {"from": self._where_from(), "fingerprint": secret.fingerprint(text)}

    def _where_from(self) -> str:
        if self.given.get(self._secret_argument or "") is not None:
            return "the call"
        return secret.VARIABLE if os.environ.get(secret.VARIABLE) else "this process"

    @cached_property
    def _secret_argument(self) -> str | None:
        return next((a.name for a in self._header.arguments if a.kind.name == "secret"), None)

    @cached_property
    def _secret(self) -> str | None:
        """The secret that is still there tomorrow: of the call, or of the environment."""
        given = self.given.get(self._secret_argument or "")
        if given is None:
            return secret.held_secret() if os.environ.get(secret.VARIABLE) else None
        if not str(given).strip().startswith("("):
            return str(given).lower()
        called = literal(f"tanon.{self.function.name}")
        read = f"select tanon._read_secret({called}, g) from (select {given} as g)"
        ((text,),) = self.connection.execute(read).fetchall()
        return str(text)


def _plain(value: Any) -> Any:
    """A number as JSON has it."""
    return float(value) if isinstance(value, Decimal) else value


def creating(table: Quoted) -> str:
    """The statement that makes a table, up to its query."""
    kind = "temp table" if table.startswith("temp.") else "table"
    return f"create {kind} {table} as"


def columns_of(connection: duckdb.DuckDBPyConnection, relation: str) -> list[dict[str, str]]:
    """Names and types of a relation; the type of an ENUM without its values."""
    ((text,),) = connection.execute("select tanon._relation(?)", [relation]).fetchall()
    described = connection.execute(f"describe from {text}").fetchall()
    return [{"name": name, "type": _ENUM.sub("ENUM", kind)} for name, kind, *_ in described]


def plain_name(connection: duckdb.DuckDBPyConnection, relation: Any) -> Any:
    """The name of a relation, of a file without its folders; a query may hold values."""
    if not isinstance(relation, str):
        return relation
    asked = "select tanon._may_be_query($x)"
    if connection.execute(asked, {"x": relation}).fetchall() != [(False,)]:
        return A_QUERY
    return PurePath(relation).name if re.search(r"[\\/]", relation) else relation


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
