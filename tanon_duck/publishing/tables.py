"""Read, check and write the tables of a publication."""

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
    FUNCTION,
    REBASE_ADVICE,
    Parameters,
    refuse,
)
from tanon_duck.publishing.statements import Statements
from tanon_duck.quoting import Quoted

REASON = "no l-eligible snapshot within the window could take it"


class Tables(Statements):
    """The tables of a publication: methods that create, check, read and write them.

    Methods named `refuse_...` raise a TanonError and change nothing.
    """

    def create(self, parameters: Parameters, secret: str) -> None:
        """Create the schema with empty tables, and store parameters, costs and secret."""
        found = costs(self.connection, parameters)
        if problem := self.one("select tanon._snapshot_problem({{ null_ts }}, {{ pace }})"):
            raise TanonError(f"tanon.{FUNCTION}: {problem}")
        self.run("create", version=quoting.literal(__version__))
        lists = {"qi": list(parameters.qi), "allow_identifying": list(parameters.allow_identifying)}
        self.connection.execute(of_file("describe", **self.names), asdict(parameters) | lists)
        self.rows(
            "update {{ schema }}.state set mu = $mu, beta = $beta, secret = $secret",
            secret=secret,
            mu=found.moves,
            beta=found.suppression,
        )
        for value, cost in found.suppression_by_value:
            self._store_suppression_cost(value, cost)

    def _store_suppression_cost(self, value: Any, cost: int) -> None:
        """Store the cost of suppressing a record that has this sensitive value."""
        into = "insert into {{ schema }}.state_beta values ($value, $cost)"
        try:
            self.rows(into, value=value, cost=cost)
        except duckdb.ConversionException:
            wanted = f"given for values of type {self.names['sa_type']}, as sensitive is"
            raise refuse("suppress_cost", wanted, value) from None

    def refuse_beyond_source(self, snapshot: int, upto: Any) -> None:
        """Raise if `snapshot` is later than the last snapshot of the source.

        `upto` is the instant that the caller passed; the message shows it.
        """
        last, shown = self.rows(
            "select tanon._snapshot(last_ts, {{ pace }}), last_ts::varchar "
            "from (select max({{ ts }}) as last_ts from {{ source }})"
        )[0]
        if last is None or snapshot > last:
            wanted = f"at most {shown or 'a time'}, the last time in source, unless force=True "
            raise refuse(
                "upto", wanted + "or --beyond-source says that no more rows will arrive", upto
            )

    def refuse_lossy(self) -> None:
        """Raise if a column has a new type and a value that its old type cannot hold."""
        for column in self._names_and_retyped[1]:
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
                    f"values of {column['name']} that are not of type {column['type']}; "
                    f"{REBASE_ADVICE}"
                )

    def rename_source(self) -> None:
        """Store the new name or query of the source in the manifest."""
        self.rows('update {{ schema }}.manifest set "source" = $s', s=self.parameters.source)

    def refuse_changed_releases(self, seen: int) -> None:
        """Raise if rows of `released` or `suppressed` were changed later.

        `seen` is the number of the last snapshot that was read.
        """
        for table, start, found in self.run("kept", until=self.start(seen + 1)):
            raise TanonError(
                f"tanon.{FUNCTION}: {table} must contain the rows that tanon wrote, "
                f"got {found} at {start}"
            )

    def refuse_imbalance(self, seen: int) -> None:
        """Raise unless each record is released, suppressed or waiting exactly once."""
        for start, records in self.run("balance", until=self.start(seen + 1)):
            raise TanonError(
                f"tanon.{FUNCTION}: every record must be released, suppressed or waiting, once, "
                f"got {records} records at {start} that are not"
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
        """Raise if the collation treats two spellings as one sensitive value.

        Grouping would count them together, while the keyed hash treats them as two values.
        """
        for ((one, other),) in self.run("spellings"):
            allowed = "spelt in one way where its collation takes several for one value"
            raise TanonError(must_be(FUNCTION, "sensitive", allowed, f"{one!r} and {other!r}"))

    def refuse_what_looks_changed(self, seen: int) -> None:
        """Raise if a snapshot that was read has changed since.

        A cheap comparison comes first. Fingerprints of all rows are compared only if it finds a
        difference.
        """
        until = self.start(seen + 1)
        if self.run("looks_changed", until=until) == [(True,)]:
            self.refuse_changes(seen)
            self.run("hashed_anew", until=until)

    def refuse_changes(self, seen: int) -> None:
        """Compare fingerprints of all rows that were read; raise if one has changed.

        The message names up to three snapshots, for example '9 records instead of 8 at 2024-03-02'.
        """
        changed = self.run("changed", until=self.start(seen + 1))
        if changed:
            descriptions = [
                f"{now} records {f'instead of {was}' if was != now else 'with other values'} "
                f"at {start}"
                for start, was, now in changed
            ]
            more = f" and {len(descriptions) - 3} more snapshots" if len(descriptions) > 3 else ""
            raise TanonError(
                f"tanon.{FUNCTION}: source must keep the snapshots that were read, got "
                + ", ".join(descriptions[:3])
                + more
            )

    def arrivals(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the new records as three arrays: snapshot, number of the value, count."""
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

    def suppression_costs(self) -> list[int]:
        """Return the cost of suppressing a record for each numbered sensitive value."""
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

    def waiting_records(self) -> list[Flow]:
        """Return the records that wait for their release, as flows.

        Each flow is (number of the value, snapshot of origin, snapshot of release or None,
        records).
        """
        found = self.rows(
            "select number, home, slot, records from {{ schema }}.state_open as o "
            "join tanon_values as v on o.sensitive is not distinct from v.sensitive "
            "order by all asc nulls last"
        )
        return [(value, home, slot, records) for value, home, slot, records in found]

    def release(
        self,
        flows: Sequence[Flow],
        waiting: Sequence[Flow],
        step: int,
        released: int | None,
        is_covered: bool,
    ) -> None:
        """Assign records to the flows, check the snapshots and release them.

        `flows` are final now. `waiting` stays open for later steps. `released` is the last snapshot
        that was released before this step. Raise if the check finds an error; the transaction is
        then rolled back.
        """
        self._register_flows("tanon_open", waiting)
        self._register_flows("tanon_flows", flows)
        homes = [home for _, home, _, _ in flows] or [0]
        window = {"from_ts": self.start(min(homes)), "until": self.start(max(homes) + 1)}
        self.run("assign", step=step, lowest_home=min(homes), **window)
        if self.names["persons"]:
            self._refuse_persons_together(step, window)
        wrong = self.run("check", step=step, released=released, is_covered=is_covered)
        if wrong:
            found = ", ".join(sorted({problem for (problem,) in wrong}))
            raise TanonError(
                f"tanon.{FUNCTION}: tanon released nothing, because its check found {found}"
            )
        self.run("release", reason=quoting.literal(REASON))
        for name in ("tanon_open", "tanon_flows"):
            self.connection.unregister(name)

    def store_repeats(self, seen: int | None, until: Quoted) -> None:
        """Store the snapshots in which a person has only repeats."""
        if self.names["repeats"]:
            near = {} if seen is None else {"near_ts": self.start(seen - self.parameters.w + 2)}
            self.run("repeats", until=until, **near)

    def _refuse_persons_together(self, step: int, window: Mapping[str, Quoted]) -> None:
        """Raise if a person could hold more than one l-th of a snapshot."""
        ((persons, snapshots),) = self.run("together", step=step, **window)
        if persons:
            raise TanonError(
                f"tanon.{FUNCTION}: no person must hold more than one l-th of a published "
                f"snapshot, got {persons} persons who could in {snapshots} snapshots; "
                "pass repeats 'one' to publish a person once in w snapshots"
            )

    def repeats(self) -> int:
        """Return how many of the arriving records are repeats of a person."""
        return int(self.one("select coalesce(sum(repeats), 0) from tanon_arrivals"))

    def account(
        self,
        settings: Settings,
        flows: Sequence[Flow],
        step: int,
        arrived: int,
        **state: int | None,
    ) -> None:
        """Store the state of the stream, and add the counts and costs of this step.

        `arrived` is the number of records that this step read. `state` holds further columns of the
        state, for example seen=12.
        """
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

    def _register_flows(self, name: str, flows: Sequence[Flow]) -> None:
        """Register flows as a table `name` that the SQL of a step can read."""
        columns = list(zip(*flows, strict=True)) or [(), (), (), ()]
        arrays = [pa.array(column, pa.int64()) for column in columns]
        self.connection.register(name, pa.table(arrays, ["value", "home", "slot", "records"]))
