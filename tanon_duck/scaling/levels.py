"""Levels of hierarchies that are fixed: applied where rows lie, and then nothing is left to search.

One row of each value is enough to look at hierarchies, in the SQL of one machine; what each value
becomes goes along to every shard.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from tanon_duck.errors import TanonError, must_be
from tanon_duck.quoting import identifier, literal
from tanon_duck.scaling import plans
from tanon_duck.scaling.calls import Call, Relation, Runner
from tanon_duck.scaling.shard import RESULT, ROWS, Table, Work, add, as_bytes
from tanon_duck.scaling.stages import Stage

_WHY = "to choose among several is a search that asks for all rows again and again"


def call(
    runner: Runner,
    function: str,
    relation: Relation,
    arguments: Mapping[str, Any],
    relations: Mapping[str, pa.Table],
    settings: Mapping[str, str],
    by: str | None = None,
) -> Call:
    """A call on shards, of the rows at their levels where there are hierarchies."""
    first = Call(runner, function, relation, arguments, relations, settings, by)
    stages = plans.plan(plans.name_of(first.function, arguments)).stages
    applied_here = (n for s in stages if s.how == "applied" for n in s.what)
    if "hierarchies" not in {*relations} & {*applied_here}:
        return first
    with first:
        first.driver.check()
        at = _fixed(first)
        beside = {**relations, **_population(first, at), **_of_sensitive_values(first)}
        work = _applying(first, at)
        applied = Relation(first.driver.created(ROWS), relation.columns)
    left = {k: v for k, v in arguments.items() if k != "levels"}
    is_tried = arguments.get("limits") or "population" in relations or not arguments.get("ts")
    if is_tried:  # then there is a choice to refuse
        left["levels"] = dict.fromkeys(plans.columns(arguments["qi"]), 0)
    else:
        del beside["hierarchies"]
    return Call(Applied(runner, first.read(), work), function, applied, left, beside, settings, by)


@dataclass
class Applied:
    """A runner whose rows are at their levels."""

    runner: Any
    columns: tuple[str, ...]
    work: Work
    _made: dict[tuple[str, ...], Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    def source(self, columns: tuple[str, ...]) -> Any:
        """The rows of the relation, with these columns."""
        if columns not in self._made:
            rows = self.runner.parted(self.runner.source(self.columns), [])
            named = ", ".join(map(identifier, columns))
            types = {name: self.work.types[name] for name in columns}
            query = f"select {named} from ({self.work.query})"
            work = replace(self.work, query=query, types=types)
            self._made[columns] = self.runner.run(rows, work)
        return self._made[columns]


def _fixed(first: Call) -> dict[str, int]:
    """The level of each quasi-identifier, by its name."""
    function, given = first.function.name, first.arguments
    levels = {name.lower(): int(level) for name, level in (given.get("levels") or {}).items()}
    qi = plans.columns(given["qi"])
    if missing := [name for name in qi if name.lower() not in levels]:
        allowed = f"given for every column of qi on shards ({_WHY})"
        raise TanonError(must_be(function, "levels", allowed, f"none for {missing[0]!r}"))
    return {name: levels[name.lower()] for name in qi if levels[name.lower()] > 0}


def _of_sensitive_values(first: Call) -> dict[str, pa.Table]:
    """Hierarchies without those that are applied: what is left says how far values are apart."""
    rows = first.driver.connection.sql(
        f"from {first.driver.arguments['hierarchies']} "
        "where tanon._folded(attribute::varchar) = tanon._folded($name)",
        params={"name": str(first.arguments.get("sensitive"))},
    )
    return {"hierarchies": rows.to_arrow_table()}


def _population(first: Call, at: Mapping[str, int]) -> dict[str, pa.Table]:
    """The population at the same levels, as soon as it is known to hold the source as it is."""
    driver, name = first.driver, first.driver.arguments.get("population")
    if not isinstance(name, str):
        return {}
    first.carry_out(Stage(("population_holds_source",), "by", ("qi",)))
    driver.run_up_to("population_is_generalized", driver.plan())
    driver.run_up_to("wide_paths", driver.plan())
    joins, columns = "", []
    for n, (attribute, level) in enumerate(at.items()):
        column = identifier(attribute)
        joins += f" join tanon_wide_paths as m{n} on m{n}.tanon_attribute = {literal(attribute)} "
        joins += f"and m{n}.tanon_level = {level} "
        joins += f"and m{n}.tanon_value is not distinct from tanon._value_text(r.{column})"
        columns.append(f"m{n}.tanon_general as {column}")
    replaced = f" replace ({', '.join(columns)})" if columns else ""
    rows = driver.connection.sql(f"select r.*{replaced} from {name} as r{joins}")
    return {"population": rows.to_arrow_table()}


def _applying(first: Call, at: Mapping[str, int]) -> Work:
    """What makes of a shard its rows at their levels; hierarchies are looked at before."""
    driver, rows = first.driver, first.driver.source
    rows = Table(ROWS, rows.create, columns=first.read())
    _take_a_row_of_each(first, rows, list(at))
    driver.run_up_to("codes", driver.plan())  # raises what is wrong with hierarchies
    driver.run_up_to("paths", driver.plan())
    given, joins, columns = [], "", []
    for n, (name, level) in enumerate(at.items()):
        table = _becomes(first, n, name, level)
        given.append(table)
        joins += f" left join {table.name} as m{n} on r.{identifier(name)} "
        joins += f"is not distinct from m{n}.tanon_raw"
        changed = must_be("spark", "source", "as it is while it is read", "a value that was not")
        columns.append(
            f"case when m{n}.tanon_is_there then m{n}.tanon_general "
            f"else error({literal(changed)}) end as {identifier(name)}"
        )
    replaced = f" replace ({', '.join(columns)})" if columns else ""
    query = f"select r.*{replaced} from {ROWS} as r{joins}"
    driver.connection.execute(f"create or replace temp table {RESULT} as {query} limit 0")
    driver.connection.execute(f"create or replace temp table {ROWS} as from {RESULT}")
    return Work(rows, tuple(given), (), {}, query, driver.types(ROWS), driver.settings)


def _take_a_row_of_each(first: Call, rows: Table, names: list[str]) -> None:
    """Put rows that together have every value of these columns beside the shards."""
    if not names:
        return
    own = {str(first.arguments[n]).lower() for n in ("respondent", "ts") if n in first.arguments}
    asked = [
        "select "
        + ", ".join(
            identifier(c)
            if c.lower() == name.lower()
            else f"{'any_value' if c.lower() in own else 'first'}({identifier(c)})"
            f" as {identifier(c)}"
            for c in rows.columns
        )
        + f" from {ROWS} group by {identifier(name)}"
        for name in names
    ]
    work = Work(rows, told={"values": " union all ".join(asked)}, settings=first.driver.settings)
    data = first.runner.parted(first.runner.source(rows.columns), [])
    for found in first.told(data, work).get("values", []):
        add(first.driver.connection, ROWS, found, rows.columns)


def _becomes(first: Call, number: int, name: str, level: int) -> Table:
    """A table of what every value of a column is at its level."""
    table, column = f"shard_of_level_{number}", identifier(name)
    first.driver.connection.execute(
        f"create or replace temp table {table} as select s.{column} as tanon_raw, "
        "any_value(tanon_general) as tanon_general, true as tanon_is_there "
        f"from (select distinct {column} from {ROWS}) as s join {ROWS} as r "
        f"on s.{column} is not distinct from r.{column} join tanon_paths as p "
        f"on tanon_attribute = {literal(name)} and tanon_level = {level} "
        f"and tanon_value is not distinct from tanon._value_text(r.{column}) "
        f"group by s.{column}"
    )
    rows = first.driver.connection.sql(f"from {table}").to_arrow_table()
    return Table(table, first.driver.created(table), as_bytes(rows))
