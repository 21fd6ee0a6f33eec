"""The tables of a publication, and the statements that move it on by one step."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

import duckdb
import pyarrow as pa

from tanon_duck import quoting
from tanon_duck._version import __version__
from tanon_duck.algorithms.reposition.stream import IntArray
from tanon_duck.algorithms.reposition.window import Flow, Settings, loss
from tanon_duck.errors import TanonError, must_be
from tanon_duck.macros.statements import of_file, of_text
from tanon_duck.publishing.costs import costs
from tanon_duck.publishing.names import Names, names_of, schema_of
from tanon_duck.publishing.parameters import (
    ELSEWHERE,
    FUNCTION,
    Parameters,
    look_at_source,
    refuse,
)
from tanon_duck.quoting import Quoted

REASON = "no l-eligible snapshot within the window could take it"


class Tables:
    """One publication's schema on one connection."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        name: str,
        parameters: Parameters,
        exists: bool = True,
    ) -> None:
        self.connection, self.parameters = connection, parameters
        self.schema = schema_of(connection, name)
        self._exists = exists

    @cached_property
    def _read(self) -> tuple[Names, list[dict[str, Quoted]]]:
        if self._exists:
            look_at_source(self.connection, self.parameters, ELSEWHERE)
        return names_of(self.connection, self.schema, self.parameters, self._exists)

    @property
    def names(self) -> Names:
        """What the statements fill in: read from the source when it is first needed."""
        return self._read[0]

    def of_schema(self, text: str) -> Quoted:
        """SQL that needs no source, with our schema filled in."""
        return of_text(text, schema=self.schema)

    def sql(self, text: str, **more: Quoted | int | None) -> Quoted:
        """SQL with our names and these filled in."""
        return of_text(text, **self.names, **more)

    def run(self, statement: str, **more: Quoted | int | None) -> list[tuple[Any, ...]]:
        """Run a file of statements, return the rows of the last one."""
        return self.connection.execute(of_file(statement, **self.names, **more)).fetchall()

    def rows(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query with our names and with prepared values."""
        return self.connection.execute(self.sql(sql), values or None).fetchall()

    def one(self, sql: str, **values: Any) -> Any:
        """The single value of a query."""
        return self.rows(sql, **values)[0][0]

    def record(self, table: str) -> dict[str, Any]:
        """The one row of the manifest or the state."""
        cursor = self.connection.execute(
            of_text(
                "from {{ schema }}.{{ table }}",
                schema=self.schema,
                table=quoting.identifier(table),
            )
        )
        columns = [column[0] for column in cursor.description or ()]
        return dict(zip(columns, cursor.fetchall()[0], strict=True))

    def start(self, snapshot: int) -> Quoted:
        """SQL for the first instant of a snapshot."""
        text = "tanon._snapshot_start({{ null_ts }}, {{ snapshot }}, {{ pace }})"
        return self.sql(text, snapshot=snapshot)

    def create(self, parameters: Parameters, secret: str) -> None:
        """Create the schema with empty tables and the parameters."""
        mu, beta, by_value = costs(self.connection, parameters)
        if problem := self.one("select tanon._snapshot_problem({{ null_ts }}, {{ pace }})"):
            raise TanonError(f"tanon.{FUNCTION}: {problem}")
        self.run("create", version=quoting.literal(__version__))
        lists = {"qi": list(parameters.qi), "accept": list(parameters.accept)}
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
            wanted = f"given for values of type {self.names['sa_type']}, as sa is"
            raise refuse("beta", wanted, value) from None

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
            raise TanonError(must_be(FUNCTION, "sa", allowed, f"{one!r} and {other!r}"))

    def refuse_changes(self, seen: int, low: int | None) -> None:
        """Raise if snapshots that were seen have changed from low on; earlier ones are counted."""
        window: dict[str, Quoted | int] = {}
        if low is not None and self.run("older", low=low, from_ts=self.start(low)) == [(True,)]:
            window = {"low": low, "from_ts": self.start(low)}
        changed = self.run("changed", until=self.start(seen + 1), **window)
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
                "select snapshot, number, records from tanon_arrivals as a "
                "join tanon_values as v on a.sa is not distinct from v.sa "
                "order by all asc nulls last"
            )
        ).fetchnumpy()
        instants, values, records = (
            arrived[name].astype("int64") for name in ("snapshot", "number", "records")
        )
        return instants, values, records

    def betas(self) -> list[int]:
        """The cost of suppression for each numbered value."""
        found = self.rows(
            "select coalesce(b.cost, state.beta), v.sa::varchar "
            "from tanon_values as v cross join {{ schema }}.state "
            "left join {{ schema }}.state_beta as b on b.sa is not distinct from v.sa "
            "order by number asc nulls last"
        )
        for cost, value in found:
            if cost is None:
                raise refuse("beta", "given for every value of sa", f"none for {value}")
        return [cost for cost, _ in found]

    def open_rows(self) -> list[Flow]:
        """The open records by numbered value."""
        found = self.rows(
            "select number, home, slot, records from {{ schema }}.state_open as o "
            "join tanon_values as v on o.sa is not distinct from v.sa "
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
        wrong = self.run("check", step=step, released=released, is_covered=is_covered)
        if wrong:
            found = ", ".join(sorted({what for (what,) in wrong}))
            raise TanonError(f"tanon.{FUNCTION}: nothing is released, the check found {found}")
        self.run("release", reason=quoting.literal(REASON))
        for name in ("tanon_open", "tanon_flows"):
            self.connection.unregister(name)

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
            suppressed=sum(n for _, _, _, n in flows) - published,
            max_distance=max((distance for distance, _ in moves), default=None),
            distance=sum(distance * n for distance, n in moves),
            loss=loss(settings, flows),
            **state,
        )

    def _with_flows(self, name: str, flows: Sequence[Flow]) -> None:
        columns = list(zip(*flows, strict=True)) or [(), (), (), ()]
        arrays = [pa.array(column, pa.int64()) for column in columns]
        self.connection.register(name, pa.table(arrays, ["value", "home", "slot", "records"]))
