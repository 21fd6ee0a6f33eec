"""Run a call on shards stage by stage, with any engine."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import pyarrow as pa

from tanon_duck import secret
from tanon_duck.errors import TanonError
from tanon_duck.macros import catalog
from tanon_duck.macros.header import Header
from tanon_duck.quoting import identifier
from tanon_duck.scaling import plans
from tanon_duck.scaling.driver import Driver
from tanon_duck.scaling.shard import RESULT, TOLD, Table, Work
from tanon_duck.scaling.stages import Stage, told

LEFT = "shard_of_left"


class Runner(Protocol):
    """An engine: it shuffles rows by keys and runs SQL on each shard."""

    keeps: bool  # whether rows that were parted once are there for another stage

    @property
    def partitions(self) -> int:
        """Return the number of shards."""

    def source(self, columns: tuple[str, ...]) -> Any:
        """Return the rows of the relation with these columns."""

    def parted(self, data: Any, keys: list[str]) -> Any:
        """Divide rows so that equal keys share a shard; without keys, leave them."""

    def run(self, data: Any, work: Work) -> Any:
        """Run the task on each shard; the result stays with the engine."""

    def collected(self, data: Any) -> pa.Table:
        """Return rows of the engine as one table in this process."""


@dataclass(frozen=True)
class Relation:
    """A relation as an empty CREATE TABLE and the names of its columns."""

    create: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The rows of a result, in this process or with the engine."""

    rows: pa.Table | None = None
    left: Any = None
    types: Mapping[str, str] | None = None


class Call:
    """One call while it runs."""

    def __init__(
        self,
        runner: Runner,
        function: str,
        relation: Relation,
        arguments: Mapping[str, Any],
        relations: Mapping[str, pa.Table],
        settings: Mapping[str, str],
        by: str | None = None,
    ) -> None:
        self.runner, self.function = runner, catalog.function(function)
        given = {k: v for k, v in arguments.items() if v is not None}
        if _wants_secret(self.function.header, given) and "secret" not in given:
            given["secret"] = secret.held_secret()
        self.arguments = given
        self.stages = plans.chosen(self.function, {**given, **relations}, by)
        self.relation = relation
        self.driver = Driver(function, given, relation.create, relations, settings)
        self.driver.know_partitions(runner.partitions)
        self.left: dict[str, Any] = {}
        self._parted: dict[tuple[str, ...], Any] = {}

    def __enter__(self) -> "Call":
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.close()

    def reads_again(self) -> bool:
        """Return whether several stages read the rows of the relation."""
        looking = [s for s in self.stages if not s.of and s.how not in ("decided", "numbered by")]
        return len([s for s in looking if s.what != ("shown",)]) > 1

    def answer(self) -> Answer:
        """Check the arguments, run all stages and return the rows of the function."""
        self.driver.check()
        types = self.driver.types(RESULT)
        for stage in self.stages:
            if stage.what == ("query",):
                query = self.driver.plan().rest(self._known(stage))
                work = self._work(stage, query=query)
                left = self.runner.run(self._data(stage), _out(work, types))
                return Answer(left=self._shown(left, types), types=types)
            self.carry_out(stage)
        return Answer(rows=self.driver.result())

    def _shown(self, left: Any, types: Mapping[str, str]) -> Any:
        """Divide and sort released rows by released columns only.

        Their former place could reveal hidden columns.
        """
        stage = next((s for s in self.stages if s.what == ("shown",)), None)
        if stage is None:
            return left
        keys = plans.keys(self.function, stage, self.arguments)
        keys_of_all = " asc nulls last, ".join(f"tanon._order_key({identifier(c)})" for c in types)
        query = f"from ({self._numbered()}) order by {keys_of_all} asc nulls last"
        rows = Table(RESULT, self.driver.created(RESULT))
        work = Work(rows, query=query, types=types, settings=self.driver.settings)
        return self.runner.run(self.runner.parted(left, keys), work)

    def _numbered(self) -> str:
        """Return SQL that numbers groups by the columns that are equal within a group."""
        numbers = [
            f"(md5_number_lower(row({', '.join(map(identifier, stage.keys))})::varchar) >> 1)"
            f"::bigint as {identifier(name)}"
            for stage in self.stages
            if stage.how == "numbered by"
            for name in stage.what
        ]
        replaced = f" replace ({', '.join(numbers)})" if numbers else ""
        return f"select *{replaced} from {RESULT}"

    def carry_out(self, stage: Stage) -> None:
        """Run one stage on the shards, or decide it in the driver."""
        steps = [told(what) for what in stage.what]
        if stage.how == "decided":
            for function, step, known_as in steps:
                self.driver.decide(step, function, known_as)
            return
        if stage.how == "left by":
            ((function, step, _),) = steps
            types = self.driver.types(self.driver.make(step, function))
            work = _out(self._work(stage, query=self._query(stage, function, step)), types)
            self.left[step] = self.runner.run(self._data(stage), work)
            return
        queries = {step: self._query(stage, function, step) for function, step, _ in steps}
        found = self.told(self._data(stage), self._work(stage, queries=queries))
        for function, step, known_as in steps:
            self.driver.merge(step, function, found.get(step, []), known_as)

    def _query(self, stage: Stage, function: str, step: str) -> str:
        return self.driver.plan(function).up_to(step, self._known(stage))

    def _known(self, stage: Stage) -> list[str]:
        """Return the steps whose tables each shard of a stage receives."""
        return [*self.driver.given_steps(), *([_arriving(stage)] if stage.of else [])]

    def told(self, data: Any, work: Work) -> dict[str, list[pa.Table]]:
        """Run a task on each shard; return the returned tables by step.

        Raise if a shard returned an error.
        """
        rows = self.runner.collected(self.runner.run(data, work)).cast(TOLD).to_pylist()
        if wrong := [row["wrong"] for row in rows if row["wrong"]]:
            raise TanonError(f"{min(wrong)} (counted in one shard of the rows)")
        found: dict[str, list[pa.Table]] = {}
        for row in rows:
            found.setdefault(row["step"], []).append(pa.ipc.open_stream(row["rows"]).read_all())
        return found

    def _data(self, stage: Stage) -> Any:
        """Return the rows of a stage, divided by its keys."""
        keys = plans.keys(self.function, stage, self.arguments)
        if stage.of:
            return self.runner.parted(self.left[stage.of], keys)
        if not keys and self._parted and self.runner.keeps:
            return next(iter(self._parted.values()))
        if tuple(keys) not in self._parted:
            source = self.runner.source(self.read())
            self._parted[tuple(keys)] = self.runner.parted(source, keys)
        return self._parted[tuple(keys)]

    def read(self) -> tuple[str, ...]:
        """Return the columns of the relation that the call reads."""
        return plans.read(self.function, self.arguments, self.relation.columns)

    def _work(
        self, stage: Stage, queries: Mapping[str, str] | None = None, query: str = ""
    ) -> Work:
        driver = self.driver
        given = [*driver.along.values(), *driver.given.values()]
        rows = Table(driver.source.name, driver.source.create, columns=self.read())
        if not stage.of:
            return Work(rows, tuple(given), (), queries or {}, query, settings=driver.settings)
        name = f"tanon_{stage.of}"
        driver.connection.execute(f"create or replace temp table {LEFT} as from {name} limit 0")
        given = [*(t for t in given if t.name != name), driver.source]
        rows = Table(LEFT, driver.created(LEFT))
        if stage.as_step:
            each = self._one_by_one(stage)
            return Work(
                rows, tuple(given), (), query=query, settings=driver.settings, one_by_one=each
            )
        before = (f"create temp table {name} as {driver.merged(stage.of, LEFT)}",)
        return Work(rows, tuple(given), before, queries or {}, query, settings=driver.settings)

    def _one_by_one(self, stage: Stage) -> tuple[str, str]:
        """Return the group number, and SQL that selects the rows of one number."""
        columns = ", ".join(map(identifier, self.driver.types(self.driver.make(stage.as_step))))
        return stage.keys[0], (
            f"create or replace temp table tanon_{stage.as_step} as "
            f"select {columns} from {LEFT} where {stage.keys[0]} = {{}}"
        )


def _wants_secret(header: Header, given: Mapping[str, Any]) -> bool:
    """Return whether the call needs a secret."""
    keyed = header.argument("keyed")
    return header.argument("secret") is not None and (keyed is None or bool(given.get("keyed")))


def _arriving(stage: Stage) -> str:
    """Return the step whose rows the stage receives."""
    return stage.as_step or stage.of


def _out(work: Work, types: Mapping[str, str]) -> Work:
    """Return the task with the types of its result."""
    return replace(work, types=types)
