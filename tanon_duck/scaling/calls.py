"""A call on shards, stage after stage, whatever runs them."""

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
    """What an engine does: shuffle rows by key, and run SQL over each shard."""

    keeps: bool  # whether rows that were parted once are there for another stage

    @property
    def partitions(self) -> int:
        """Into how many shards."""

    def source(self, columns: tuple[str, ...]) -> Any:
        """The rows of the relation, with these columns."""

    def parted(self, data: Any, keys: list[str]) -> Any:
        """The same rows, those with equal keys in one shard; without keys, however they lie."""

    def run(self, data: Any, work: Work) -> Any:
        """What comes out of the work over every shard; stays where it is."""

    def collected(self, data: Any) -> pa.Table:
        """The rows of data, here."""


@dataclass(frozen=True)
class Relation:
    """What a runner's rows look like: a CREATE TABLE without rows, and the names of columns."""

    create: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """Rows that are here, or that lie with the runner."""

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
        """Whether several stages look at the rows of the relation."""
        looking = [s for s in self.stages if not s.of and s.how not in ("decided", "numbered by")]
        return len([s for s in looking if s.what != ("shown",)]) > 1

    def answer(self) -> Answer:
        """Check, then run every stage; the rows that the function gives."""
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
        """What leaves, parted and sorted anew by what it shows, where it lay by what it hides."""
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
        """What leaves, its groups numbered by what is equal in each, and by nothing else."""
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
        """Let shards tell, or leave, what a stage says, or decide it."""
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
        """The steps that are tables in every shard of a stage."""
        return [*self.driver.given_steps(), *([_arriving(stage)] if stage.of else [])]

    def told(self, data: Any, work: Work) -> dict[str, list[pa.Table]]:
        """What every shard tells of each step."""
        rows = self.runner.collected(self.runner.run(data, work)).cast(TOLD).to_pylist()
        if wrong := [row["wrong"] for row in rows if row["wrong"]]:
            raise TanonError(f"{min(wrong)} (counted in one shard of the rows)")
        found: dict[str, list[pa.Table]] = {}
        for row in rows:
            found.setdefault(row["step"], []).append(pa.ipc.open_stream(row["rows"]).read_all())
        return found

    def _data(self, stage: Stage) -> Any:
        """The rows of a stage, parted as it wants them."""
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
        """The columns of the relation that the call reads."""
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
        """The number of a shard of rows that were left, and what makes a step of those of one."""
        columns = ", ".join(map(identifier, self.driver.types(self.driver.make(stage.as_step))))
        return stage.keys[0], (
            f"create or replace temp table tanon_{stage.as_step} as "
            f"select {columns} from {LEFT} where {stage.keys[0]} = {{}}"
        )


def _wants_secret(header: Header, given: Mapping[str, Any]) -> bool:
    """Whether a call is keyed, always or because it was asked to be."""
    keyed = header.argument("keyed")
    return header.argument("secret") is not None and (keyed is None or bool(given.get("keyed")))


def _arriving(stage: Stage) -> str:
    """The step that the rows of a stage are, which were left by another one."""
    return stage.as_step or stage.of


def _out(work: Work, types: Mapping[str, str]) -> Work:
    """The same work, with the types of what comes out."""
    return replace(work, types=types)
