"""Keep the driver's database: it merges results of shards and has no row of the table.

It checks arguments before any shard runs, merges partial results and decides from them. It runs the
same SQL as one machine.
"""

from collections.abc import Mapping
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck.errors import TanonError, one_line
from tanon_duck.interfaces import call_sql
from tanon_duck.interfaces.connection import connect
from tanon_duck.macros import catalog
from tanon_duck.macros.call_plan import Plan
from tanon_duck.quoting import identifier, literal
from tanon_duck.scaling import plans
from tanon_duck.scaling.plans import relation_of
from tanon_duck.scaling.shard import RESULT, ROWS, Table, add, as_bytes, types

_AGGREGATES = {"sum": "sum", "min": "min", "max": "max", "or": "bool_or"}


def merges(step: str) -> Mapping[str, str] | None:
    """Return the aggregate of each merged column of a step, for example {'n': 'sum'}.

    Rows with equal other columns become one row. None means that all rows are kept.
    """
    rules: Mapping[str, str] | None = plans.written()["merges"].get(step)
    return rules


class Driver:
    """The driver's side of one call on shards."""

    def __init__(
        self,
        function: str,
        arguments: Mapping[str, Any],
        create: str,
        relations: Mapping[str, pa.Table],
        settings: Mapping[str, str],
    ) -> None:
        self.function = function
        self.arguments = {relation_of(catalog.function(function)): ROWS, **arguments}
        self.settings = settings
        self.source = Table(ROWS, create)
        self._plans: dict[str, Plan] = {}
        self.given: dict[str, Table] = {}  # steps that are known, by the names of their CTEs
        self.along: dict[str, Table] = {}  # relations that go along to every shard
        self.connection = connect()
        for name, value in settings.items():
            self.connection.execute(f"set {name} = {literal(value)}")
        self.source.put(self.connection)
        for name, rows in relations.items():
            self._along(name, rows)

    def close(self) -> None:
        self.connection.close()

    def _along(self, argument: str, rows: pa.Table) -> None:
        """Store a relation that each shard receives whole."""
        name = f"shard_of_{argument}"
        self.connection.register("tanon_arriving", rows)
        self._run(f"create temp table {name} as from tanon_arriving")
        self.connection.unregister("tanon_arriving")
        self.along[name] = Table(name, self.created(name), as_bytes(rows))
        self.arguments[argument] = name

    def plan(self, function: str = "") -> Plan:
        """Return the plan of the call, or of another function with the same arguments."""
        name = function or self.function
        if name not in self._plans:
            known = [a.name for a in catalog.function(name).header.arguments]
            given = {k: v for k, v in self.arguments.items() if not function or k in known}
            self._plans[name] = self._planned(name, given)
        return self._plans[name]

    def _planned(self, function: str, given: Mapping[str, Any]) -> Plan:
        also, library = self._stages_of(function).steps(), plans.library()
        return call_sql.plan_with(also, library, self.connection, function, **given)

    def _stages_of(self, function: str) -> plans.Plan:
        return plans.plan(plans.name_of(catalog.function(function), self.arguments))

    def check(self) -> None:
        """Raise if an argument is wrong, by running the call without rows."""
        stages = self._stages_of(self.function).stages
        beside = [n for s in stages if s.how == "along" for n in s.what if n in self.arguments]
        plan = self.plan()
        if beside:
            without = {name: f"(from {self.arguments[name]} limit 0)" for name in beside}
            given = self.arguments | without
            plan = self._planned(self.function, given)
        self._run(f"create or replace temp table {RESULT} as {plan.rest(())}")

    def given_steps(self) -> list[str]:
        """Return the names of the steps whose tables are known."""
        return [name.removeprefix("tanon_") for name in self.given]

    def created(self, table: str) -> str:
        """Return the CREATE TABLE statement of a temporary table."""
        return types(self.connection, table)[1]

    def types(self, table: str) -> dict[str, str]:
        """Return the columns of a table with their types."""
        return types(self.connection, table)[0]

    def make(self, step: str, function: str = "") -> str:
        """Create the empty table of a step; return the table's name."""
        name = f"tanon_{step}"
        self.run_up_to(step, self.plan(function))
        return name

    def run_up_to(self, step: str, plan: Plan) -> None:
        """Create the table of a step from the rows in this database."""
        name = f"tanon_{step}"
        query = plan.up_to(step, self.given_steps())
        self._run(f"create or replace temp table {name} as {query}")

    def merge(self, step: str, function: str, partials: list[pa.Table], known_as: str = "") -> None:
        """Merge the rows that all shards returned for a step, and store its table.

        `known_as` is another name for the table.
        """
        name = self.make(step, function)
        if self.is_guard(step):
            return  # a check has no rows to merge
        for rows in partials:
            add(self.connection, name, rows)
        if merges(step) is not None:
            self._run(f"create or replace temp table {name} as {self.merged(step)}")
        if known_as not in ("", step):
            self._run(f"create or replace temp table tanon_{known_as} as from {name}")
        self.know(known_as or step)

    def is_guard(self, step: str) -> bool:
        """Return whether a step only checks: it raises or returns one column 'fine'."""
        return list(self.types(f"tanon_{step}")) == ["tanon_fine"]

    def merged(self, step: str, table: str = "") -> str:
        """Return SQL that merges the rows of a step in `table`."""
        merging, known = merges(step), self.types(f"tanon_{step}")
        rules = merging or {}
        keys = [identifier(c) for c in known if c not in rules]
        columns = [
            f"{_AGGREGATES[rules[c]]}({identifier(c)})::{t} as {identifier(c)}"
            if c in rules
            else identifier(c)
            for c, t in known.items()
        ]
        grouped = f" group by {', '.join(keys)}" if keys and merging is not None else ""
        return f"select {', '.join(columns)} from {table or f'tanon_{step}'}{grouped}"

    def decide(self, step: str, function: str = "", known_as: str = "") -> None:
        """Compute a step from known tables and store it; a check may raise."""
        name = self.make(step, function)
        if known_as not in ("", step):
            self._run(f"create or replace temp table tanon_{known_as} as from {name}")
        self.know(known_as or step)

    def know(self, step: str) -> None:
        """Send the table of a step to the shards from now on."""
        name = f"tanon_{step}"
        rows = self.connection.sql(f"from {name}").to_arrow_table()
        self.given[name] = Table(name, self.created(name), as_bytes(rows))

    def know_partitions(self, partitions: int) -> None:
        """Store the number of shards for steps that choose the shard of a row."""
        self._run(f"create temp table tanon_partitions as select {partitions} as tanon_partitions")
        self.know("partitions")

    def result(self) -> pa.Table:
        """Return the result of a function that needs no further rows of shards."""
        query = self.plan().rest(self.given_steps())
        try:
            return self.connection.sql(query).to_arrow_table()
        except duckdb.Error as error:
            raise TanonError(one_line(error)) from None

    def _run(self, statement: str) -> duckdb.DuckDBPyConnection:
        try:
            return self.connection.execute(statement)
        except duckdb.Error as error:
            raise TanonError(one_line(error)) from None
