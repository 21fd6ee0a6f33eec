"""Read a policy: a TOML file that names tables and the promises about them.

The whole file is read before any check runs. An unknown key, function, preset or relation raises an
error that names the nearest known one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tanon_duck.checking import presets
from tanon_duck.checking.policy_keys import PolicyError as PolicyError
from tanon_duck.checking.policy_keys import refuse_types, refuse_unknown
from tanon_duck.checking.running import check_named, checks, least_rows, without_query
from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument

SEVERITIES = ("fail", "warn")
# The keys of each part with their types; arguments of functions are further keys.
POLICY_KEYS = {"title": str, "database": str, "defaults": dict, "relation": dict, "check": list}
RELATION_KEYS = {"file": (str, list), "table": str, "query": str, "encoding": str, "as_text": list}
PROMISE_KEYS = {
    "severity": str,
    "allow": int,
    "ratchet": bool,
    "min_rows": int,
    "allow_empty": bool,
}
CHECK_KEYS = {"name": str, "function": str, "preset": str, "relation": str, **PROMISE_KEYS}


@dataclass(frozen=True)
class Table:
    """A relation of a policy: files, a table or a query, and its columns' roles."""

    name: str
    files: tuple[str, ...] = ()
    table: str = ""
    query: str = ""
    encoding: str = ""
    as_text: tuple[str, ...] = ()
    roles: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Promise:
    """One check of a policy, with its arguments and how strict it is."""

    title: str
    function: str
    arguments: Mapping[str, Any]
    severity: str = "fail"
    allow: int = 0  # number of rows that may break the promise
    ratchet: bool = False  # the result may not be worse than the recorded one
    least: int = 1  # number of rows that the table must have


@dataclass(frozen=True)
class Policy:
    """A policy; relative paths start from the folder of its file."""

    tables: Mapping[str, Table]
    promises: tuple[Promise, ...]
    title: str = ""
    database: str = ""
    path: Path | None = None

    @property
    def folder(self) -> Path:
        """Return the folder of the policy's file."""
        return self.path.parent if self.path else Path()


def from_file(path: Path) -> Policy:
    """Read a policy from a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PolicyError(f"policy {path} does not exist") from None
    except (OSError, UnicodeError) as error:
        raise PolicyError(f"{path} cannot be read: {error}") from None
    return from_text(text, path)


def from_text(text: str, path: Path | None = None) -> Policy:
    """Read a policy from TOML text; messages name `path`."""
    try:
        return from_mapping(tomllib.loads(text), path)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path or 'the policy'} must be TOML: {error}") from None


def from_mapping(given: Mapping[str, Any], path: Path | None = None) -> Policy:
    """Read a policy from a dictionary as TOML gives it."""
    where = str(path or "policy")
    refuse_unknown(where, given, POLICY_KEYS)
    refuse_types(where, given, POLICY_KEYS)
    defaults = given.get("defaults", {})
    refuse_unknown(f"{where}: defaults", defaults, [*PROMISE_KEYS, *_argument_names()])
    tables = {
        name: _table(f"{where}: relation {name}", name, each)
        for name, each in given.get("relation", {}).items()
    }
    if not given.get("check"):
        raise PolicyError(f"{where} must have at least one [[check]], got none")
    promises: list[Promise] = []
    for number, each in enumerate(given["check"], 1):
        if not isinstance(each, Mapping):
            raise PolicyError(f"{where}: check must be tables, [[check]], got {each!r}")
        name = f" ({each['name']})" if each.get("name") else ""
        promises += _CheckReader(
            f"{where}: check {number}{name}", each, defaults, tables
        ).promises()
    return Policy(
        tables=tables,
        promises=tuple(_with_unique_titles(promises)),
        title=given.get("title", ""),
        database=given.get("database", ""),
        path=path,
    )


def _table(where: str, name: str, given: Any) -> Table:
    """Read one [relation.NAME]; `where` begins each message."""
    if not isinstance(given, Mapping):
        raise PolicyError(f"{where} must be a table, [relation.{name}], got {given!r}")
    refuse_unknown(where, given, [*RELATION_KEYS, *_argument_names()])
    refuse_types(where, given, RELATION_KEYS)
    kinds = [key for key in ("file", "table", "query") if key in given]
    if "query" in kinds and len(kinds) > 1:
        raise PolicyError(f"{where} must be a query, a file or a table, got {' and '.join(kinds)}")
    files = given.get("file", [])
    return Table(
        name,
        files=tuple([files] if isinstance(files, str) else files),
        table=given.get("table", "" if kinds else name),
        query=given.get("query", ""),
        encoding=given.get("encoding", ""),
        as_text=tuple(given.get("as_text", ())),
        roles={key: value for key, value in given.items() if key not in RELATION_KEYS},
    )


@dataclass(frozen=True)
class _CheckReader:
    """Reads one ``[[check]]``, which names a function or a preset."""

    where: str
    given: Mapping[str, Any]
    defaults: Mapping[str, Any]
    tables: Mapping[str, Table]

    def promises(self) -> Iterator[Promise]:
        """Yield one promise for each function of the check."""
        fixed = self._functions()
        known = {a.name: a for function, _ in fixed for a in function.header.arguments}
        refuse_unknown(self.where, self.given, [*CHECK_KEYS, *known])
        refuse_types(self.where, self.given, CHECK_KEYS)
        for function, parameters in fixed:
            for name in parameters.keys() & self.given.keys():
                raise PolicyError(f"{self.where}: the preset sets {name}; remove it from the check")
            yield self._promise(function, parameters, is_only=len(fixed) == 1)

    def _functions(self) -> list[tuple[Function, Mapping[str, Any]]]:
        """Return the functions of the check, with the arguments that a preset fixes."""
        function, preset = self.given.get("function"), self.given.get("preset")
        if (function is None) == (preset is None):
            refuse_unknown(self.where, self.given, [*CHECK_KEYS, *_argument_names()])
            raise PolicyError(f"{self.where} must have either a function or a preset")
        try:
            if preset is not None:
                return [(catalog.function(f), p) for f, p in presets.named(str(preset)).checks]
            return [(check_named(str(function), {}), {})]
        except TanonError as error:
            raise PolicyError(f"{self.where}: {error}") from None

    def _promise(self, function: Function, parameters: Mapping[str, Any], is_only: bool) -> Promise:
        """Combine defaults, roles, preset and check into one promise.

        Later layers win. `is_only` says that the check has one function, so that its name needs no
        suffix.
        """
        names = [a.name for a in function.header.arguments]
        table = self._relation_of(function)
        roles = self.tables[table].roles if table in self.tables else {}
        layers: list[Mapping[str, Any]] = [self.defaults, roles, parameters, self.given]
        given = {k: v for layer in layers for k, v in layer.items() if k in names}
        main = function.header.relations()[:1]
        if table and main and main[0].name not in given:
            given = {main[0].name: table, **given}
        self._refuse_missing(function, given)
        settings = {k: v for layer in (self.defaults, roles, self.given) for k, v in layer.items()}
        severity, allow = settings.get("severity", "fail"), settings.get("allow", 0)
        if severity not in SEVERITIES:
            allowed = " or ".join(SEVERITIES)
            hint = nearest(str(severity), SEVERITIES)
            raise PolicyError(f"{self.where}: severity must be {allowed}, got {severity!r}{hint}")
        if allow < 0:
            raise PolicyError(f"{self.where}: allow must be a number of rows, got {allow}")
        try:
            least = least_rows(settings.get("min_rows"), settings.get("allow_empty", False))
        except TanonError as error:
            raise PolicyError(f"{self.where}: {error}") from None
        title, ratchet = self._title(function, given, is_only), settings.get("ratchet", False)
        return Promise(title, function.name, given, severity, allow, ratchet, least)

    def _relation_of(self, function: Function) -> str:
        """Return the name of the relation: the named one, or the only one."""
        arguments = function.header.relations()
        named = self.given.get("relation")
        if named is None and arguments:
            named = self.given.get(arguments[0].name)
        if named is None and len(self.tables) == 1:
            return next(iter(self.tables))
        if named is None:
            known = ", ".join(self.tables) or "none"
            raise PolicyError(f"{self.where}: relation is missing; the policy has {known}")
        close = nearest(str(named), self.tables)
        if close and named not in self.tables:
            raise PolicyError(f"{self.where}: relation {named} does not exist{close}")
        return str(named)

    def _refuse_missing(self, function: Function, given: Mapping[str, Any]) -> None:
        """Raise if an argument without a default is missing."""
        for argument in function.header.arguments:
            may_be_declared = argument.default or argument.roles
            if not may_be_declared and argument.name not in given:
                problem = f"{argument.name} is missing: {argument.meaning}"
                raise PolicyError(f"{self.where}: tanon.{function.name}: {problem}")
            is_table = isinstance(given.get(argument.name), Mapping)
            if is_table and not argument.kind.is_mapping:
                raise PolicyError(f"{self.where}: {argument.name} must be a value, got a table")

    def _title(self, function: Function, given: Mapping[str, Any], is_only: bool) -> str:
        """Return the title of a check, for example 'k_anonymity of visits by zip'."""
        if name := self.given.get("name"):
            return str(name) if is_only else f"{name}: {function.name}"
        named = [
            self._shown(given[a.name])
            for a in _distinguishing_arguments(function)
            if a.name in given
        ]
        preset = f"{self.given['preset']}: " if "preset" in self.given else ""
        return f"{preset}{function.name} of {' by '.join(named)}"

    def _shown(self, value: Any) -> str:
        """Return a value for a title; '(a query)' replaces a query."""
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return str(value if value in self.tables else without_query(value))


def _distinguishing_arguments(function: Function) -> Iterable[Argument]:
    """Return the arguments that titles show: relations and lists of columns."""
    return [
        a
        for a in function.header.arguments
        if a.kind.name == "relation" or (a.kind.is_column and a.kind.is_listed)
    ]


def _with_unique_titles(promises: Iterable[Promise]) -> Iterator[Promise]:
    """Number repeated titles, because a ratchet finds its record by title."""
    seen: dict[str, int] = {}
    for each in promises:
        count = seen[each.title] = seen.get(each.title, 0) + 1
        title = each.title if count == 1 else f"{each.title} #{count}"
        yield replace(each, title=title)


@cache
def _argument_names() -> tuple[str, ...]:
    """Return the names of the arguments of all checks."""
    found = {a.name for name in checks() for a in catalog.function(name).header.arguments}
    return tuple(sorted(found))
