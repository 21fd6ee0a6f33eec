"""The tables of a publication, and the statements that move it on by one step."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck import quoting
from tanon_duck._version import __version__
from tanon_duck.algorithms.reposition.stream import IntArray
from tanon_duck.algorithms.reposition.window import Flow, Settings, loss
from tanon_duck.errors import TanonError, must_be
from tanon_duck.macros.jinja_statements import of_file
from tanon_duck.publishing.costs import costs
from tanon_duck.publishing.parameters import (
    ELSEWHERE,
    FUNCTION,
    Parameters,
    refuse,
)
from tanon_duck.publishing.statements import Statements
from tanon_duck.quoting import Quoted

REASON = "no l-eligible snapshot within the window could take it"


class Tables(Statements):
    """What is read from a publication's tables, refused, and written."""

    def create(self, parameters: Parameters, secret: str) -> None:
        """Create the schema with empty tables and the parameters."""
        mu, beta, by_value = costs(self.connection, parameters)
        if problem := self.one("select tanon._snapshot_problem({{ null_ts }}, {{ pace }})"):
            raise TanonError(f"tanon.{FUNCTION}: {problem}")
        self.run("create", version=quoting.literal(__version__))
        lists = {"qi": list(parameters.qi), "allow_identifying": list(parameters.allow_identifying)}
        self.connection.execute(of_file("describe", **self.names), asdict(parameters) | lists)
        self.rows(
            "update {{ schema }}.state set mu = $mu, beta = $beta, secret = $secret",
            secret=secret,
            mu=mu,
            beta=beta,
        )
        for value, cost in by_value:
            self._keep_beta(value, cost)

    def _keep_beta(self, value: Any, cost: int) -> None:
        into = "insert into {{ schema }}.state_beta values ($value, $cost)"
        try:
            self.rows(into, value=value, cost=cost)
        except duckdb.ConversionException:
            wanted = f"given for values of type {self.names['sa_type']}, as sensitive is"
            raise refuse("suppress_cost", wanted, value) from None

    def refuse_beyond_source(self, snapshot: int, upto: Any) -> None:
        """Raise if a snapshot is later than the last one of which there are rows."""
        last, shown = self.rows(
            "select tanon._snapshot(last_ts, {{ pace }}), last_ts::varchar "
            "from (select max({{ ts }}) as last_ts from {{ source }})"
        )[0]
        if last is None or snapshot > last:
            wanted = f"at most {shown or 'a time'}, the last time in source, unless force=True "
            raise refuse("upto", wanted + "or --beyond-source says that no more will come", upto)

    def refuse_lossy(self) -> None:
        """Raise if columns of another type than at the beginning hold what that type cannot."""
        for column in self._read[1]:
            lossy = self.sql(
                "select count(*) from {{ given }} "
                "where {{ name }} "
                "is distinct from try_cast(try_cast({{ name }} as {{ type }}) as {{ now }})",
                **column,
            )
            count = self.connection.execute(lossy).fetchall()[0][0]
            if count:
                raise TanonError(
                    f"tanon.{FUNCTION}: source must keep its columns as they were, got {count} "
                    f"values of {column['name']} that are not of type {column['type']}; {ELSEWHERE}"
                )

    def rename_source(self) -> None:
        """Write down where the source is."""
        self.rows('update {{ schema }}.manifest set "source" = $s', s=self.parameters.source)

    def refuse_changed_releases(self, seen: int) -> None:
        """Raise if released or suppressed hold other rows than those that were put there."""
        for table, at, instead in self.run("kept", until=self.start(seen + 1)):
            raise TanonError(
                f"tanon.{FUNCTION}: {table} must hold what was put there, got {instead} at {at}"
            )

    def refuse_imbalance(self, seen: int) -> None:
        """Raise unless every record of the source is released, suppressed or waiting, once."""
        for at, records in self.run("balance", until=self.start(seen + 1)):
            raise TanonError(
                f"tanon.{FUNCTION}: every record must be released, suppressed or waiting, once, "
                f"got {records} at {at} that are not"
            )

    def refuse_wrong_times(self, window: Mapping[str, Quoted]) -> None:
        """Raise if a time is NULL or does not fit the granularity."""
        ((absent, problem),) = self.run("times", **window)
        if absent:
            raise TanonError(
                f"tanon.{FUNCTION}: ts must be free of NULL, got {absent} rows with NULL"
            )
        if problem:
            raise TanonError(f"tanon.{FUNCTION}: {problem}")

    def refuse_spellings(self) -> None:
        """Raise if values differ for us that the source's collation takes for one."""
        for ((one, other),) in self.run("spellings"):
            allowed = "spelt in one way where its collation takes several for one value"
            raise TanonError(must_be(FUNCTION, "sensitive", allowed, f"{one!r} and {other!r}"))

    def refuse_what_looks_changed(self, seen: int) -> None:
        """Raise if a snapshot that was seen has changed; quick where none has."""
        until = self.start(seen + 1)
        if self.run("looks_changed", until=until) == [(True,)]:
            self.refuse_changes(seen)
            self.run("hashed_anew", until=until)

    def refuse_changes(self, seen: int) -> None:
        """Raise if a snapshot that was seen has changed, by fingerprints of all rows."""
        changed = self.run("changed", until=self.start(seen + 1))
        if changed:
            named = [
                f"{now} records {f'instead of {was}' if was != now else 'with other values'} "
                f"at {at}"
                for at, was, now in changed
            ]
            more = f" and {len(named) - 3} more snapshots" if len(named) > 3 else ""
            raise TanonError(
                f"tanon.{FUNCTION}: source must keep the snapshots that were seen, got "
                + ", ".join(named[:3])
                + more
            )

    def arrivals(self) -> tuple[IntArray, IntArray, IntArray]:
        """Instants, numbered values and counts of what arrives."""
        arrived = self.connection.execute(
            self.sql(
                "select snapshot, number, records - repeats as records "
                "from tanon_arrivals as a "
                "join tanon_values as v on a.sensitive is not distinct from v.sensitive "
                "where records > repeats order by all asc nulls last"
            )
        ).fetchnumpy()
        instants, values, records = (
            arrived[name].astype("int64") for name in ("snapshot", "number", "records")
        )
        return instants, values, records

    def betas(self) -> list[int]:
        """The cost of suppression for each numbered value."""
        found = self.rows(
            "select coalesce(b.cost, state.beta), v.sensitive::varchar "
            "from tanon_values as v cross join {{ schema }}.state "
            "left join {{ schema }}.state_beta as b "
            "on b.sensitive is not distinct from v.sensitive "
            "order by number asc nulls last"
        )
        for cost, value in found:
            if cost is None:
                raise refuse(
                    "suppress_cost", "given for every value of sensitive", f"none for {value}"
                )
        return [cost for cost, _ in found]

    def open_rows(self) -> list[Flow]:
        """The open records by numbered value."""
        found = self.rows(
            "select number, home, slot, records from {{ schema }}.state_open as o "
            "join tanon_values as v on o.sensitive is not distinct from v.sensitive "
            "order by all asc nulls last"
        )
        return [(value, home, slot, records) for value, home, slot, records in found]

    def release(
        self,
        flows: Sequence[Flow],
        rows: Sequence[Flow],
        step: int,
        released: int | None,
        is_covered: bool,
    ) -> None:
        """Assign rows to the flows, check them, let them go, and keep what is still open."""
        self._with_flows("tanon_open", rows)
        self._with_flows("tanon_flows", flows)
        homes = [home for _, home, _, _ in flows] or [0]
        window = {"from_ts": self.start(min(homes)), "until": self.start(max(homes) + 1)}
        self.run("assign", step=step, lowest_home=min(homes), **window)
        if self.names["persons"]:
            self._refuse_persons_together(step, window)
        wrong = self.run("check", step=step, released=released, is_covered=is_covered)
        if wrong:
            found = ", ".join(sorted({what for (what,) in wrong}))
            raise TanonError(f"tanon.{FUNCTION}: nothing is released, the check found {found}")
        self.run("release", reason=quoting.literal(REASON))
        for name in ("tanon_open", "tanon_flows"):
            self.connection.unregister(name)

    def keep_repeats(self, seen: int | None, until: Quoted) -> None:
        """Write down in which of the snapshots that arrive a person has only repeats."""
        if self.names["repeats"]:
            near = {} if seen is None else {"near_ts": self.start(seen - self.parameters.w + 2)}
            self.run("repeats", until=until, **near)

    def _refuse_persons_together(self, step: int, window: Mapping[str, Quoted]) -> None:
        """Raise if a person could hold more than one l-th of a snapshot."""
        ((persons, snapshots),) = self.run("together", step=step, **window)
        if persons:
            raise TanonError(
                f"tanon.{FUNCTION}: no person must hold more than one l-th of a published "
                f"snapshot, got {persons} persons who could in {snapshots} snapshots: "
                "repeats 'one' publishes a person once in w snapshots"
            )

    def repeats(self) -> int:
        """How many of the records that arrive are repeats."""
        return int(self.one("select coalesce(sum(repeats), 0) from tanon_arrivals"))

    def account(
        self,
        settings: Settings,
        flows: Sequence[Flow],
        step: int,
        arrived: int,
        **state: int | None,
    ) -> None:
        """Write down where the stream stands and what it has cost."""
        moves = [(slot - home, n) for _, home, slot, n in flows if slot is not None]
        published = sum(n for _, n in moves)
        self.run(
            "account",
            version=quoting.literal(__version__),
            step=step,
            arrived=arrived,
            published=published,
            moved=sum(n for distance, n in moves if distance),
            suppressed=sum(n for _, _, _, n in flows) - published + self.repeats(),
            max_distance=max((distance for distance, _ in moves), default=None),
            distance=sum(distance * n for distance, n in moves),
            loss=loss(settings, flows),
            **state,
        )

    def _with_flows(self, name: str, flows: Sequence[Flow]) -> None:
        columns = list(zip(*flows, strict=True)) or [(), (), (), ()]
        arrays = [pa.array(column, pa.int64()) for column in columns]
        self.connection.register(name, pa.table(arrays, ["value", "home", "slot", "records"]))
