"""Apply fixed levels of hierarchies to the rows of each shard.

The driver checks the hierarchies on one row of each value. It sends the generalized value of each
value to every shard. Afterwards no level remains to search for.
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
    """Return the call on shards, with rows generalized to fixed levels if there are any."""
    first = Call(runner, function, relation, arguments, relations, settings, by)
    stages = plans.plan(plans.name_of(first.function, arguments)).stages
    applied_here = (n for s in stages if s.how == "applied" for n in s.what)
    if "hierarchies" not in {*relations} & {*applied_here}:
        return first
    with first:
        first.driver.check()
        fixed_levels = _fixed_levels(first)
        shard_relations = {**relations, **_population(first, fixed_levels)}
        shard_relations |= _sensitive_hierarchies(first)
        work = _generalizing_task(first, fixed_levels)
        applied = Relation(first.driver.created(ROWS), relation.columns)
    remaining_arguments = {k: v for k, v in arguments.items() if k != "levels"}
    is_tried = arguments.get("limits") or "population" in relations or not arguments.get("ts")
    if is_tried:  # then there is a choice to refuse
        remaining_arguments["levels"] = dict.fromkeys(plans.columns(arguments["qi"]), 0)
    else:
        del shard_relations["hierarchies"]
    rows = Applied(runner, first.read(), work)
    return Call(rows, function, applied, remaining_arguments, shard_relations, settings, by)


@dataclass
class Applied:
    """A runner whose rows are generalized to fixed levels."""

    runner: Any
    columns: tuple[str, ...]
    work: Work
    _made: dict[tuple[str, ...], Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    def source(self, columns: tuple[str, ...]) -> Any:
        """Return the generalized rows with these columns."""
        if columns not in self._made:
            rows = self.runner.parted(self.runner.source(self.columns), [])
            named = ", ".join(map(identifier, columns))
            types = {name: self.work.types[name] for name in columns}
            query = f"select {named} from ({self.work.query})"
            work = replace(self.work, query=query, types=types)
            self._made[columns] = self.runner.run(rows, work)
        return self._made[columns]


def _fixed_levels(first: Call) -> dict[str, int]:
    """Return the fixed level of each quasi-identifier; raise if one has none."""
    function, given = first.function.name, first.arguments
    levels = {name.lower(): int(level) for name, level in (given.get("levels") or {}).items()}
    qi = plans.columns(given["qi"])
    if missing := [name for name in qi if name.lower() not in levels]:
        allowed = f"given for every column of qi on shards ({_WHY})"
        raise TanonError(must_be(function, "levels", allowed, f"none for {missing[0]!r}"))
    return {name: levels[name.lower()] for name in qi if levels[name.lower()] > 0}


def _sensitive_hierarchies(first: Call) -> dict[str, pa.Table]:
    """Return the hierarchies of sensitive values, which measure their distance."""
    rows = first.driver.connection.sql(
        f"from {first.driver.arguments['hierarchies']} "
        "where tanon._folded(attribute::varchar) = tanon._folded($name)",
        params={"name": str(first.arguments.get("sensitive"))},
    )
    return {"hierarchies": rows.to_arrow_table()}


def _population(first: Call, fixed_levels: Mapping[str, int]) -> dict[str, pa.Table]:
    """Return the population at the same levels, after checking it contains the source."""
    driver, name = first.driver, first.driver.arguments.get("population")
    if not isinstance(name, str):
        return {}
    first.carry_out(Stage(("population_holds_source",), "by", ("qi",)))
    driver.run_up_to("population_is_generalized", driver.plan())
    driver.run_up_to("wide_paths", driver.plan())
    joins, columns = "", []
    for n, (attribute, level) in enumerate(fixed_levels.items()):
        column = identifier(attribute)
        joins += f" join tanon_wide_paths as m{n} on m{n}.tanon_attribute = {literal(attribute)} "
        joins += f"and m{n}.tanon_level = {level} "
        joins += f"and m{n}.tanon_value is not distinct from tanon._value_text(r.{column})"
        columns.append(f"m{n}.tanon_general as {column}")
    replaced = f" replace ({', '.join(columns)})" if columns else ""
    rows = driver.connection.sql(f"select r.*{replaced} from {name} as r{joins}")
    return {"population": rows.to_arrow_table()}


def _generalizing_task(first: Call, fixed_levels: Mapping[str, int]) -> Work:
    """Return the task that generalizes the rows of a shard."""
    driver, rows = first.driver, first.driver.source
    rows = Table(ROWS, rows.create, columns=first.read())
    _copy_rows_of_each_value(first, rows, list(fixed_levels))
    driver.run_up_to("codes", driver.plan())  # raises what is wrong with hierarchies
    driver.run_up_to("paths", driver.plan())
    given, joins, columns = [], "", []
    for n, (name, level) in enumerate(fixed_levels.items()):
        table = _generalized_values(first, n, name, level)
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


def _copy_rows_of_each_value(first: Call, rows: Table, names: list[str]) -> None:
    """Copy rows that contain every value of these columns to the driver."""
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


def _generalized_values(first: Call, number: int, name: str, level: int) -> Table:
    """Return a table that maps each value of a column to its generalized value."""
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
