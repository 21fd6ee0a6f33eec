"""Advance, finish, deliver, read and verify a publication."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.algorithms.reposition.eligibility import rational_l
from tanon_duck.algorithms.reposition.stream import IntArray, Repositioner
from tanon_duck.algorithms.reposition.window import Flow, Settings, State
from tanon_duck.errors import TanonError, must_be
from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.delivering import Delivery, deliver, deliveries, rehearse
from tanon_duck.publishing.names import columns_of
from tanon_duck.publishing.parameters import FUNCTION, Parameters, checked_parameters, refuse
from tanon_duck.publishing.progress import Progress as Progress
from tanon_duck.publishing.progress import progress_between
from tanon_duck.publishing.tables import Tables
from tanon_duck.publishing.transactions import transaction
from tanon_duck.quoting import Quoted, literal, literals


class Publication:
    """A stream that is published in steps; ``tanon_duck.publication`` returns it."""

    def __init__(self, name: str, parameters: Parameters, tables: Tables) -> None:
        self.name = name
        self.parameters = parameters
        self.tables = tables

    def released(self) -> duckdb.DuckDBPyRelation:
        """Return the released rows for the owner: time, quasi-identifiers, value."""
        return self.tables.connection.sql(self.all_released())

    def all_released(self) -> str:
        """Return SQL for the released rows, which are for the owner."""
        return self.tables.of_schema("from {{ schema }}.released")

    def suppressed(self) -> duckdb.DuckDBPyRelation:
        """Return the suppressed rows, each with the reason."""
        return self.tables.connection.sql(self.tables.of_schema("from {{ schema }}.suppressed"))

    def individuals(self) -> duckdb.DuckDBPyRelation:
        """Return the released table of quasi-identifiers and group numbers."""
        return self.tables.connection.sql(self.pair("individuals"))

    def values(self) -> duckdb.DuckDBPyRelation:
        """Return the released table of the sensitive values of each group."""
        return self.tables.connection.sql(self.pair("values"))

    def pair(self, table: str) -> str:
        """Return SQL for the table 'individuals' or 'values'."""
        sql, parameters = self.tables.of_schema, self.parameters
        named = ((n, getattr(parameters, n)) for n in ("respondent", "ts", "sensitive", "l"))
        return of_text(
            "from tanon.publish_table_pair({{ source }}, qi := {{ qi }}, l := {{ l }}, "
            "sensitive := {{ sensitive }}, result := {{ table }}, partition := {{ ts }}, "
            "allow_identifying := {{ allow_identifying }}, respondent := {{ respondent }}, "
            "rows_are_persons := {{ rows_are_persons }}, secret := {{ secret }})",
            source=literal(sql("{{ schema }}.released")),
            table=literal(table), rows_are_persons=parameters.rows_are_persons,
            qi=literals(parameters.qi), allow_identifying=literals(parameters.allow_identifying),
            secret=literal(sql("(select secret from {{ schema }}.state)")),
            **{n: v and literal(v) for n, v in named},
        )  # fmt: skip

    def refuse_another_secret(self, given: object) -> None:
        """Raise if `given` is a secret and not the publication's secret."""
        if given is not None and str(given).lower() != self.tables.record("state")["secret"]:
            raise TanonError(
                f"tanon.{FUNCTION}: secret must be the one that {self.name!r} was begun with, "
                "got another; to continue, omit it"
            )

    def manifest(self) -> dict[str, Any]:
        """Return the parameters, versions, counts and deliveries of the publication."""
        return self.tables.record("manifest") | {"deliveries": deliveries(self)}

    def advance(self, upto: Any, force: bool = False, dry_run: bool = False) -> Progress:
        """Read the snapshots up to an instant, and release those that are final.

        ``force`` permits an instant after the last row of the source. A dry run changes nothing.
        """
        with self.step(commit=not dry_run):
            return self.advance_within(upto, force)

    def advance_within(self, upto: Any, force: bool) -> Progress:
        """Advance inside a transaction that the caller has opened."""
        snapshot = self._snapshot_of(upto)
        if not force:
            self.tables.refuse_beyond_source(snapshot, upto)
        return self._step(snapshot, finish=False)

    def finish(self, dry_run: bool = False) -> Progress:
        """End the stream: release the snapshots that still wait."""
        with self.step(commit=not dry_run):
            return self._step(None, finish=True)

    def step(self, commit: bool = True) -> AbstractContextManager[None]:
        """Open a transaction for one step; roll it back if `commit` is false."""
        return transaction(self.tables.connection, self.name, commit)

    def deliver(
        self,
        folder: str | PathLike[str],
        whole: bool = False,
        ending: str = ".parquet",
        dry_run: bool = False,
    ) -> list[Delivery]:
        """Write the two tables for others and a manifest into a new subfolder."""
        return (rehearse if dry_run else deliver)(self, Path(folder), whole, ending)

    def check(self, individuals: str, values: str) -> duckdb.DuckDBPyRelation:
        """Check two received tables; return one row for each promise."""
        parameters = self.parameters
        self._refuse_wrong_columns(
            "individuals", individuals, [parameters.ts, *parameters.qi, "a_group"]
        )
        self._refuse_wrong_columns(
            "values", values, [parameters.ts, "a_group", parameters.sensitive, "records"]
        )
        check, given = self.check_of(individuals, values)
        return self.tables.connection.sql(f"from tanon.{check}", params=given)

    def _refuse_wrong_columns(self, name: str, table: str, wanted: list[str]) -> None:
        """Raise if `table` cannot be read or lacks a column of `wanted`."""
        if not isinstance(table, str):
            allowed = "a table, a view, a file or a query in parentheses"
            raise refuse(name, allowed, f"a {type(table).__name__}")
        connection = self.tables.connection
        query = "select tanon._relation($table)"
        (relation,) = connection.execute(query, {"table": table}).fetchall()[0]
        found = {c.lower() for c, _ in columns_of(connection, Quoted(f"from {relation}"))}
        if missing := [column for column in wanted if column.lower() not in found]:
            allowed = f"a table with columns {', '.join(wanted)}"
            got = f"one without {', '.join(missing)}"
            raise TanonError(must_be(FUNCTION, name, allowed, got))

    def check_of(self, individuals: str, values: str) -> tuple[str, dict[str, Any]]:
        """Return the call that checks two tables, and its prepared values."""
        parameters = self.parameters
        given = {
            "qi": [parameters.ts, "a_group"],
            "sensitive": parameters.sensitive,
            "l": parameters.l,
        }
        return (
            "check_release($values, qi := $qi, sensitive := $sensitive, l := $l, "
            "records := 'records', individuals := $individuals)",
            given | {"individuals": individuals, "values": values},
        )

    def verify(self) -> None:
        """Compare the source with all that was read, released and suppressed."""
        seen = self.tables.record("state")["seen"]
        if seen is not None:
            self.tables.refuse_changes(seen)
            self.tables.refuse_imbalance(seen)
            self.tables.refuse_changed_releases(seen)

    def rebase(self, source: str) -> None:
        """Continue from another source that contains all rows that were read."""
        connection = self.tables.connection
        with transaction(connection, self.name):
            changed = checked_parameters(connection, self.name, {"source": source}, self.parameters)
            other = Publication(self.name, changed, Tables(connection, self.name, changed))
            other.tables.refuse_lossy()
            other.verify()
            other.tables.rename_source()
        self.parameters, self.tables = other.parameters, other.tables

    def _snapshot_of(self, upto: Any) -> int:
        """Return the number of the snapshot that contains the instant `upto`."""
        of_type = self.tables.names["ts_type"]
        try:
            snapshot = self.tables.one(
                "select tanon._snapshot(cast($upto as {{ ts_type }}), {{ pace }})", upto=upto
            )
            if snapshot is not None:
                self._instant(snapshot + 1)
        except duckdb.Error:
            snapshot = None
        if snapshot is None:
            raise refuse("upto", f"an instant of type {of_type}, as ts is", upto)
        return int(snapshot)

    def _instant(self, snapshot: int) -> Any:
        """Return the first instant of a snapshot, given its number."""
        return self.tables.one(
            "select tanon._snapshot_start({{ null_ts }}, $i::bigint, {{ pace }})", i=snapshot
        )

    def _step(self, upto: int | None, finish: bool) -> Progress:
        """Read snapshots up to the number `upto`, release what is final, store counts."""
        tables, before, manifest = self.tables, self.tables.record("state"), self.manifest()
        new = self._checked_end(upto, before["seen"], manifest)
        self._read_arrivals(before["seen"], new)
        settings, stream = self._resumed(before)
        arrivals = tables.arrivals()
        flows = self._final_flows(stream, arrivals, new, finish)
        state = State(stream.state().now, []) if finish else stream.state()
        step, released = before["steps"] + 1, self._last_released(state, finish)
        is_covered = self.parameters.lateness == "covered"
        tables.release(flows, state.rows, step, before["released"], is_covered)
        tables.account(
            settings,
            flows,
            step,
            int(arrivals[2].sum()) + tables.repeats(),
            seen=new,
            finished=finish,
            now=state.now,
            placed=state.placed,
            released=released,
        )
        return progress_between(manifest, self.manifest())

    def _checked_end(self, upto: int | None, seen: int | None, manifest: Mapping[str, Any]) -> int:
        """Return the number of the last snapshot of this step, or raise."""
        if manifest["finished"]:
            raise TanonError(
                f"tanon.{FUNCTION}: {self.name!r} is finished, and nothing can be added; "
                "to publish more, begin a publication under another name"
            )
        if upto is not None and seen is not None and upto < seen:
            raise refuse("upto", f"{manifest['seen_upto']} or later", self._instant(upto))
        if upto is None and seen is None:
            raise TanonError(
                f"tanon.{FUNCTION}: {self.name!r} has read no snapshot yet; "
                "advance it first with advance(upto) or --upto"
            )
        return int(seen if upto is None else upto)  # type: ignore[arg-type]

    def _read_arrivals(self, seen: int | None, new: int) -> None:
        """Check the snapshots after `seen` up to `new`, and number their values."""
        tables = self.tables
        tables.refuse_lossy()
        window = {"until": tables.start(new + 1)}
        window |= {} if seen is None else {"from_ts": tables.start(seen + 1)}
        tables.refuse_wrong_times(window)
        if seen is not None:
            tables.refuse_what_looks_changed(seen)
        tables.store_repeats(seen, window["until"])
        tables.run("arrivals", **window)
        tables.refuse_spellings()

    def _resumed(self, before: Mapping[str, Any]) -> tuple[Settings, Repositioner]:
        """Return the settings, and the algorithm in the state after the last step."""
        parameters = self.parameters
        settings = Settings(
            rational_l(parameters.l),
            parameters.w,
            tuple(before["mu"]),
            self.tables.suppression_costs(),
        )
        state = None
        if before["now"] is not None:
            state = State(before["now"], self.tables.waiting_records(), before["placed"])
        return settings, Repositioner(
            settings, parameters.method, parameters.start, state, parameters.lateness
        )

    def _final_flows(
        self,
        stream: Repositioner,
        arrivals: tuple[IntArray, IntArray, IntArray],
        new: int,
        finish: bool,
    ) -> list[Flow]:
        """Return the flows that become final when snapshots up to `new` have arrived."""
        try:
            flows = stream.advance(*arrivals, upto=new)
            return flows + stream.finish() if finish else flows
        except ImportError as error:
            argument = "method" if self.parameters.method == "window" else "start"
            named = f"{argument} {getattr(self.parameters, argument)!r}"
            raise TanonError(f"tanon.{FUNCTION}: {named} {error}") from None
        except ValueError as error:
            raise TanonError(f"tanon.{FUNCTION}: {error}") from None

    def _last_released(self, state: State, finish: bool) -> int | None:
        """Return the last snapshot that is final after this step, or None."""
        if finish or state.now is None:
            return state.now
        if not state.placed and self.parameters.method != "window":
            return None
        last = state.now - self.parameters.w + 1
        first = self.tables.one("select min(snapshot) from {{ schema }}.state_seen")
        return last if last >= first else None
