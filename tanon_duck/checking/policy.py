"""A policy: the tables that are looked at, and what is promised of each, as a TOML file says it.

Everything is read and judged before anything runs: a key, a function, a preset or a relation that
does not exist is refused with the nearest one that does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tanon_duck.checking import presets
from tanon_duck.checking.running import check_named, checks, least_rows, without_query
from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument

SEVERITIES = ("fail", "warn")
# What each part may say beside arguments of functions, and of what type.
OF_POLICY = {"title": str, "database": str, "defaults": dict, "relation": dict, "check": list}
OF_RELATION = {"file": (str, list), "table": str, "query": str, "encoding": str, "as_text": list}
OF_PROMISE = {
    "severity": str,
    "allow": int,
    "ratchet": bool,
    "min_rows": int,
    "allow_empty": bool,
}
OF_CHECK = {"name": str, "function": str, "preset": str, "relation": str, **OF_PROMISE}


class PolicyError(TanonError):
    """A policy that says what cannot be meant."""


@dataclass(frozen=True)
class Table:
    """A relation as a policy names it: files, a table or a query, and the roles of its columns."""

    name: str
    files: tuple[str, ...] = ()
    table: str = ""
    query: str = ""
    encoding: str = ""
    as_text: tuple[str, ...] = ()
    roles: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Promise:
    """One check of a policy: its arguments as they were written, and what is at stake."""

    title: str
    function: str
    arguments: Mapping[str, Any]
    severity: str = "fail"
    allow: int = 0  # rows that may break it
    ratchet: bool = False  # no worse than what was recorded
    least: int = 1  # rows that the table must have


@dataclass(frozen=True)
class Policy:
    """What a policy says; paths in it start from its folder."""

    tables: Mapping[str, Table]
    promises: tuple[Promise, ...]
    title: str = ""
    database: str = ""
    path: Path | None = None

    @property
    def folder(self) -> Path:
        return self.path.parent if self.path else Path()


def from_file(path: Path) -> Policy:
    """The policy in a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PolicyError(f"there is no policy {path}") from None
    except (OSError, UnicodeError) as error:
        raise PolicyError(f"{path} cannot be read: {error}") from None
    return from_text(text, path)


def from_text(text: str, path: Path | None = None) -> Policy:
    """The policy that a text in TOML is."""
    try:
        return from_mapping(tomllib.loads(text), path)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path or 'the policy'} is no TOML: {error}") from None


def from_mapping(given: Mapping[str, Any], path: Path | None = None) -> Policy:
    """The policy that a mapping is, as TOML makes it."""
    where = str(path or "policy")
    _refuse_unknown(where, given, OF_POLICY)
    _refuse_types(where, given, OF_POLICY)
    defaults = given.get("defaults", {})
    _refuse_unknown(f"{where}: defaults", defaults, [*OF_PROMISE, *_argument_names()])
    tables = {
        name: _table(f"{where}: relation {name}", name, each)
        for name, each in given.get("relation", {}).items()
    }
    if not given.get("check"):
        raise PolicyError(f"{where} promises nothing: it needs at least one [[check]]")
    promises: list[Promise] = []
    for number, each in enumerate(given["check"], 1):
        if not isinstance(each, Mapping):
            raise PolicyError(f"{where}: check must be tables, [[check]], got {each!r}")
        name = f" ({each['name']})" if each.get("name") else ""
        promises += _Check(f"{where}: check {number}{name}", each, defaults, tables).promises()
    return Policy(
        tables=tables,
        promises=tuple(_told_apart(promises)),
        title=given.get("title", ""),
        database=given.get("database", ""),
        path=path,
    )


def _table(where: str, name: str, given: Any) -> Table:
    if not isinstance(given, Mapping):
        raise PolicyError(f"{where} must be a table, [relation.{name}], got {given!r}")
    _refuse_unknown(where, given, [*OF_RELATION, *_argument_names()])
    _refuse_types(where, given, OF_RELATION)
    ways = [key for key in ("file", "table", "query") if key in given]
    if "query" in ways and len(ways) > 1:
        raise PolicyError(f"{where} must be a query, a file or a table, got {' and '.join(ways)}")
    files = given.get("file", [])
    return Table(
        name,
        files=tuple([files] if isinstance(files, str) else files),
        table=given.get("table", "" if ways else name),
        query=given.get("query", ""),
        encoding=given.get("encoding", ""),
        as_text=tuple(given.get("as_text", ())),
        roles={key: value for key, value in given.items() if key not in OF_RELATION},
    )


@dataclass(frozen=True)
class _Check:
    """One ``[[check]]``: a function, or a preset of several."""

    where: str
    given: Mapping[str, Any]
    defaults: Mapping[str, Any]
    tables: Mapping[str, Table]

    def promises(self) -> Iterator[Promise]:
        fixed = self._functions()
        known = {a.name: a for function, _ in fixed for a in function.header.arguments}
        _refuse_unknown(self.where, self.given, [*OF_CHECK, *known])
        _refuse_types(self.where, self.given, OF_CHECK)
        for function, parameters in fixed:
            for name in parameters.keys() & self.given.keys():
                raise PolicyError(f"{self.where}: {name} is set by the preset: take it out")
            yield self._promise(function, parameters, alone=len(fixed) == 1)

    def _functions(self) -> list[tuple[Function, Mapping[str, Any]]]:
        function, preset = self.given.get("function"), self.given.get("preset")
        if (function is None) == (preset is None):
            _refuse_unknown(self.where, self.given, [*OF_CHECK, *_argument_names()])
            raise PolicyError(f"{self.where} needs a function or a preset, and not both")
        try:
            if preset is not None:
                return [(catalog.function(f), p) for f, p in presets.named(str(preset)).checks]
            return [(check_named(str(function), {}), {})]
        except TanonError as error:
            raise PolicyError(f"{self.where}: {error}") from None

    def _promise(self, function: Function, parameters: Mapping[str, Any], alone: bool) -> Promise:
        names = [a.name for a in function.header.arguments]
        table = self._main(function)
        roles = self.tables[table].roles if table in self.tables else {}
        layers: list[Mapping[str, Any]] = [self.defaults, roles, parameters, self.given]
        given = {k: v for layer in layers for k, v in layer.items() if k in names}
        main = function.header.relations()[:1]
        if table and main and main[0].name not in given:
            given = {main[0].name: table, **given}
        self._refuse_missing(function, given)
        said = {k: v for layer in (self.defaults, roles, self.given) for k, v in layer.items()}
        severity, allow = said.get("severity", "fail"), said.get("allow", 0)
        if severity not in SEVERITIES:
            allowed = " or ".join(SEVERITIES)
            hint = nearest(str(severity), SEVERITIES)
            raise PolicyError(f"{self.where}: severity must be {allowed}, got {severity!r}{hint}")
        if allow < 0:
            raise PolicyError(f"{self.where}: allow must be a number of rows, got {allow}")
        try:
            least = least_rows(said.get("min_rows"), said.get("allow_empty", False))
        except TanonError as error:
            raise PolicyError(f"{self.where}: {error}") from None
        title, ratchet = self._title(function, given, alone), said.get("ratchet", False)
        return Promise(title, function.name, given, severity, allow, ratchet, least)

    def _main(self, function: Function) -> str:
        """The relation that is meant: the one named, else the only one there is."""
        arguments = function.header.relations()
        named = self.given.get("relation")
        if named is None and arguments:
            named = self.given.get(arguments[0].name)
        if named is None and len(self.tables) == 1:
            return next(iter(self.tables))
        if named is None:
            known = ", ".join(self.tables) or "none"
            raise PolicyError(f"{self.where}: relation is missing; there are {known}")
        close = nearest(str(named), self.tables)
        if close and named not in self.tables:
            raise PolicyError(f"{self.where}: there is no relation {named}{close}")
        return str(named)

    def _refuse_missing(self, function: Function, given: Mapping[str, Any]) -> None:
        for argument in function.header.arguments:
            may_be_declared = argument.default or argument.roles
            if not may_be_declared and argument.name not in given:
                told = f"{argument.name} is missing: {argument.meaning}"
                raise PolicyError(f"{self.where}: tanon.{function.name}: {told}")
            is_table = isinstance(given.get(argument.name), Mapping)
            if is_table and not argument.kind.is_mapping:
                raise PolicyError(f"{self.where}: {argument.name} must be a value, got a table")

    def _title(self, function: Function, given: Mapping[str, Any], alone: bool) -> str:
        if name := self.given.get("name"):
            return str(name) if alone else f"{name}: {function.name}"
        named = [self._named(given[a.name]) for a in _telling(function) if a.name in given]
        preset = f"{self.given['preset']}: " if "preset" in self.given else ""
        return f"{preset}{function.name} of {' by '.join(named)}"

    def _named(self, value: Any) -> str:
        """A relation or columns in a title, which is printed and recorded: no text of a query."""
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return str(value if value in self.tables else without_query(value))


def _telling(function: Function) -> Iterable[Argument]:
    """The arguments that tell checks of one function apart: its tables, its lists of columns."""
    return [
        a
        for a in function.header.arguments
        if a.kind.name == "relation" or (a.kind.is_column and a.kind.is_listed)
    ]


def _told_apart(promises: Iterable[Promise]) -> Iterator[Promise]:
    """Titles are what a ratchet knows checks by: those that come again are numbered."""
    seen: dict[str, int] = {}
    for each in promises:
        count = seen[each.title] = seen.get(each.title, 0) + 1
        title = each.title if count == 1 else f"{each.title} #{count}"
        yield replace(each, title=title)


@cache
def _argument_names() -> tuple[str, ...]:
    """All that any check takes."""
    found = {a.name for name in checks() for a in catalog.function(name).header.arguments}
    return tuple(sorted(found))


def _refuse_unknown(where: str, given: Mapping[str, Any], known: Iterable[str]) -> None:
    known = list(known)
    for key in given:
        if key not in known:
            raise PolicyError(f"{where}: there is no key {key}{nearest(key, known)}")


def _refuse_types(where: str, given: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    for key, value in given.items():
        wanted = types.get(key, object)
        is_truth = isinstance(value, bool) and wanted is int
        if is_truth or not isinstance(value, wanted):
            each = wanted if isinstance(wanted, tuple) else (wanted,)
            words = " or ".join(_TYPES[kind] for kind in each)
            raise PolicyError(f"{where}: {key} must be {words}, got {value!r}")


_TYPES = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
