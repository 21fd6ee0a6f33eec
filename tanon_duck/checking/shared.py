"""Several promises about one table: what they need of it is read, coded and counted once.

A check that only compares columns for being equal (``Counts`` of its header) is as right on codes
as on the values, and quicker: respondents become whole numbers, texts that repeat become an ENUM,
which shows itself as the text. Where it counts people, a row that repeats another tells nothing
new, so that several such checks read each combination of values once. Checks that differ in their
bound alone are run once, under the strictest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import duckdb

from tanon_duck.checking.running import drop
from tanon_duck.macros import catalog
from tanon_duck.quoting import identifier, literal

_WORTH_CODING = 3  # checks of one table
_WORTH_MERGING = 2  # checks of the same people at the same times
_SMALLER = 0.7  # how many combinations for each row are worth being kept
_MOST_TEXTS = 50_000  # different ones in a column that becomes an ENUM
_CODED, _PEOPLE = "checked_coded", "checked_people"
_TIMES = ("ts", "granularity")


@dataclass(frozen=True)
class Call:
    """A check with its arguments, relations as they are written in SQL."""

    function: str
    arguments: Mapping[str, Any]

    @property
    def counts(self) -> str:
        """What its promise hangs on; empty where nothing can be shared."""
        return catalog.function(self.function).header.counts

    @property
    def reads(self) -> str:
        """The only relation that it reads; empty where there are more, or where a clock counts."""
        given = [a for a in catalog.function(self.function).header.arguments if a.kind.columns]
        aside = [a.name for a in given if self.arguments.get(a.name) is not None]
        if not self.counts or aside or self.arguments.get("tz") is not None:
            return ""
        return str(self.arguments.get("source", ""))

    @property
    def leaves_out(self) -> bool:
        """Whether a role that is declared for its relation may stand for something left out."""
        arguments = catalog.function(self.function).header.arguments
        return any(a.roles and self.arguments.get(a.name) is None for a in arguments)

    def columns(self) -> dict[str, str]:
        """The columns that it compares, each with the argument that names it."""
        header = catalog.function(self.function).header
        return {
            column: a.name
            for a in header.arguments
            if a.kind.is_column
            for column in _texts(self.arguments.get(a.name))
        }

    def on(self, relation: str) -> Mapping[str, Any]:
        """The arguments with another relation in the place of the one that it reads."""
        return {**self.arguments, "source": relation}


class Shared:
    """What checks of one relation share: temporary tables, gone when this is closed."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        calls: Sequence[Call],
        stored: Collection[str] = (),
    ) -> None:
        """``stored`` relations need no work to be read."""
        self._connection = connection
        self._stored = stored
        self._kept = ExitStack()
        self._relation: str | None = None
        self._people: dict[tuple[str, str, str], str] = {}
        calls = [call for call in calls if call.reads]
        if len(calls) < _WORTH_CODING:
            return
        try:
            if any(call.leaves_out for call in calls) and self._has_roles(calls[0].reads):
                return
            self._code(calls)
            self._merge(calls)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            # Whatever is wrong with the table or its columns, each check says in its own words.
            self.close()

    def of_all_rows(self, call: Call) -> Mapping[str, Any]:
        """The arguments under which the check finds the rows that it would find by itself."""
        return call.on(self._relation) if self._relation and call.reads else call.arguments

    def of_people(self, call: Call) -> Mapping[str, Any] | None:
        """Those under which it finds whether its promise holds, of fewer rows; None: as above."""
        table = self._people.get(_key(call)) if call.reads else None
        return call.on(table) if table else None

    def close(self) -> None:
        """Take the tables away."""
        self._relation = None
        self._people.clear()
        self._kept.close()

    def _has_roles(self, relation: str) -> bool:
        """Whether columns of the relation are declared to be something, which a copy is not."""
        texts = self._connection.execute(
            "select tanon._roles_text($relation)", {"relation": relation}
        ).fetchall()
        rows = self._connection.execute(f"select len({texts[0][0]}) > 0").fetchall()
        return bool(rows[0][0])

    def _code(self, calls: Sequence[Call]) -> None:
        source = self._ready(calls[0].reads)
        described = self._connection.execute(f"describe from {source}").fetchall()
        types = {name.lower(): (name, kind) for name, kind, *_ in described}
        roles = _roles(calls)
        if not roles.keys() <= types.keys():
            return
        texts = [types[name][0] for name in roles if types[name][1] == "VARCHAR"]
        repeating = self._repeating(source, texts)
        parts, joins = [], []
        for number, (name, role) in enumerate(roles.items()):
            spelt, kind = types[name]
            column = identifier(spelt)
            if role == {"uid"} and "INT" not in kind:
                codes = self._table(
                    f"{_CODED}_{number}",
                    f"select {column}, row_number() over ()::integer as code from {source} "
                    f"where {column} is not null group by {column}",
                )
                parts.append(f"c{number}.code as {column}")
                joins.append(f"left join {codes} as c{number} using ({column})")
            elif spelt in repeating:
                parts.append(f"{column}::{self._enum(number, source, column)} as {column}")
            else:
                parts.append(column)
        coded = f"select {', '.join(parts)} from {source} {' '.join(joins)}"
        self._relation = self._table(_CODED, coded)

    def _ready(self, relation: str) -> str:
        """What stands behind FROM, quick to be read again: a query is worked out once."""
        ((source,),) = self._connection.execute(
            "select tanon._relation($source)", {"source": relation}
        ).fetchall()
        is_table = "from duckdb_tables() where table_name = $name limit 1"
        if (
            relation in self._stored
            or relation.lower().endswith(".parquet")
            or self._connection.execute(is_table, {"name": relation}).fetchall()
        ):
            return str(source)
        return self._table(f"{_CODED}_source", f"from {source}")

    def _repeating(self, relation: str, names: Sequence[str]) -> set[str]:
        """Those of the columns of text that have few texts, and some."""
        if not names:
            return set()
        tests = [
            f"approx_count_distinct({column}) between 1 and {_MOST_TEXTS}"
            for column in map(identifier, names)
        ]
        rows = self._connection.execute(f"select {', '.join(tests)} from {relation}").fetchall()
        return {name for name, is_one in zip(names, rows[0], strict=True) if is_one}

    def _enum(self, number: int, relation: str, column: str) -> str:
        """A type of the texts of a column, in their order.

        Where a collation makes two spellings one, only one of them is in the type, and the cast of
        the other fails: then nothing is shared.
        """
        enum = f"{_CODED}_{number}"
        texts = (
            f"select distinct {column} from {relation} where {column} is not null "
            "order by 1 asc nulls last"
        )
        self._connection.execute(f"create temp type {enum} as enum ({texts})")
        self._kept.callback(self._connection.execute, f"drop type if exists temp.main.{enum}")
        return f"temp.main.{enum}"

    def _merge(self, calls: Iterable[Call]) -> None:
        """For people at the same times, each combination of values once."""
        together: dict[tuple[str, str, str], list[Call]] = {}
        for call in calls:
            if self._relation and call.counts == "people":
                together.setdefault(_key(call), []).append(call)
        for number, (key, same) in enumerate(together.items()):
            if len({tuple(sorted(call.columns())) for call in same}) >= _WORTH_MERGING:
                with suppress(duckdb.BinderException, duckdb.InvalidInputException):
                    self._merge_one(f"{_PEOPLE}_{number}", key, same)

    def _merge_one(self, name: str, key: tuple[str, str, str], calls: Iterable[Call]) -> None:
        uid, ts, granularity = key
        wanted = {c.lower() for call in calls for c in call.columns()} - {uid, ts}
        columns = [str(identifier(each)) for each in (uid, *sorted(wanted))]
        time = str(identifier(ts))
        start = f"tanon.granule_start({time}, {literal(granularity)})" if granularity else time
        values = [*columns, start] if ts else columns
        ((is_worth,),) = self._connection.execute(
            f"select approx_count_distinct(hash({', '.join(values)})) < {_SMALLER} * count(*) "
            f"from {self._relation}"
        ).fetchall()
        if is_worth:
            selected = [*columns, f"{start} as {time}"] if ts else columns
            merged = f"select distinct {', '.join(selected)} from {self._relation}"
            self._people[key] = self._table(name, merged)

    def _table(self, name: str, query: str) -> str:
        self._connection.execute(f"create or replace temp table {name} as {query}")
        self._kept.callback(drop, self._connection, name)
        return name


def _roles(calls: Iterable[Call]) -> dict[str, set[str]]:
    """The columns that checks compare, by their folded names, and the arguments that name them."""
    roles: dict[str, set[str]] = {}
    for call in calls:
        for column, argument in call.columns().items():
            roles.setdefault(column.lower(), set()).add(argument)
    return roles


def _key(call: Call) -> tuple[str, str, str]:
    """Whom it counts, and when."""
    uid, ts, granularity = (str(call.arguments.get(a) or "") for a in ("uid", *_TIMES))
    return uid.lower(), ts.lower(), granularity


def _texts(value: Any) -> list[str]:
    """One name or several."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(each) for each in value]
