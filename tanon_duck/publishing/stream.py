"""The handle of a publication: advance it, finish it, read it, verify it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
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
from tanon_duck.publishing.parameters import FUNCTION, Parameters, judged, refuse
from tanon_duck.publishing.tables import Tables
from tanon_duck.publishing.transactions import transaction
from tanon_duck.quoting import Quoted, literal, literals


@dataclass(frozen=True)
class Progress:
    """What one advance did; rows are counted."""

    seen_upto: Any
    released_upto: Any
    records: int
    published: int
    suppressed: int


class Publication:
    """A stream that is being published; made by ``publication``."""

    def __init__(self, name: str, parameters: Parameters, tables: Tables) -> None:
        self.name = name
        self.parameters = parameters
        self.tables = tables

    def released(self) -> duckdb.DuckDBPyRelation:
        """The eligible snapshots, for the owner: new time, quasi-identifiers, value."""
        return self.tables.connection.sql(self.all_released())

    def all_released(self) -> str:
        """SQL for the same."""
        return self.tables.of_schema("from {{ schema }}.released")

    def suppressed(self) -> duckdb.DuckDBPyRelation:
        """The rows that were kept back, each with the reason."""
        return self.tables.connection.sql(self.tables.of_schema("from {{ schema }}.suppressed"))

    def individuals(self) -> duckdb.DuckDBPyRelation:
        """One of the two tables for others: quasi-identifiers and group of all released so far."""
        return self.tables.connection.sql(self.pair("individuals"))

    def values(self) -> duckdb.DuckDBPyRelation:
        """The other one: the sensitive values of each group. Later ones go on from both."""
        return self.tables.connection.sql(self.pair("values"))

    def pair(self, table: str) -> str:
        """SQL for one of the two tables; the secret is read where it is kept."""
        sql, kept = self.tables.of_schema, self.parameters
        named = ((n, getattr(kept, n)) for n in ("respondent", "ts", "sensitive", "l"))
        return of_text(
            "from tanon.publish_table_pair({{ source }}, qi := {{ qi }}, l := {{ l }}, "
            "sensitive := {{ sensitive }}, result := {{ table }}, partition := {{ ts }}, "
            "allow_identifying := {{ accept }}, respondent := {{ respondent }}, "
            "rows_are_persons := {{ alone }}, secret := {{ secret }})",
            source=literal(sql("{{ schema }}.released")),
            table=literal(table), alone=kept.rows_are_persons,
            qi=literals(kept.qi), accept=literals(kept.allow_identifying),
            secret=literal(sql("(select secret from {{ schema }}.state)")),
            **{n: v and literal(v) for n, v in named},
        )  # fmt: skip

    def refuse_another_secret(self, given: object) -> None:
        """Raise if a secret is given that is not the one the publication was begun with."""
        if given is not None and str(given).lower() != self.tables.record("state")["secret"]:
            raise TanonError(
                f"tanon.{FUNCTION}: secret must be the one that {self.name!r} was begun with, "
                "or be left out, got another"
            )

    def manifest(self) -> dict[str, Any]:
        """The parameters, the versions, what was kept and lost so far, and the deliveries."""
        return self.tables.record("manifest") | {"deliveries": deliveries(self)}

    def advance(self, upto: Any, force: bool = False, dry_run: bool = False) -> Progress:
        """Take in the snapshots up to an instant, all complete, and release what is final.

        An instant beyond the last time in the source is refused unless force: snapshots that are
        taken for empty cannot be filled later. A dry run does and checks all of it, says what it
        came to, and takes it back.
        """
        with self.step(keep=not dry_run):
            return self.advance_within(upto, force)

    def advance_within(self, upto: Any, force: bool) -> Progress:
        """The same in a transaction that is open."""
        snapshot = self._snapshot_of(upto)
        if not force:
            self.tables.refuse_beyond_source(snapshot, upto)
        return self._step(snapshot, finish=False)

    def finish(self, dry_run: bool = False) -> Progress:
        """End the stream: release the snapshots that are still open as they stand."""
        with self.step(keep=not dry_run):
            return self._step(None, finish=True)

    def step(self, keep: bool = True) -> AbstractContextManager[None]:
        """A transaction of its own; one that is not kept leaves everything as it was."""
        return transaction(self.tables.connection, self.name, keep)

    def deliver(
        self,
        folder: str | PathLike[str],
        whole: bool = False,
        ending: str = ".parquet",
        dry_run: bool = False,
    ) -> list[Delivery]:
        """Write the two tables for others, and a manifest, into a new folder in this one.

        They hold what was released since the last delivery, or with whole everything; put behind
        one another they are individuals() and values(), word for word. Nothing new makes no folder.
        A delivery that was begun and not done, as when the process was killed, comes first. A dry
        run checks what would leave and says how much it is, and writes nothing.
        """
        return (rehearse if dry_run else deliver)(self, Path(folder), whole, ending)

    def check(self, individuals: str, values: str) -> duckdb.DuckDBPyRelation:
        """What is promised of the two tables, as they were received, and what is found in them."""
        kept = self.parameters
        self._refuse_another("individuals", individuals, [kept.ts, *kept.qi, "a_group"])
        self._refuse_another("values", values, [kept.ts, "a_group", kept.sensitive, "records"])
        check, given = self.check_of(individuals, values)
        return self.tables.connection.sql(f"from tanon.{check}", params=given)

    def _refuse_another(self, name: str, table: str, wanted: list[str]) -> None:
        """Raise if it is no table, or none with the columns of this one of the two."""
        if not isinstance(table, str):
            allowed = "a table, a view, a file or a query in parentheses"
            raise refuse(name, allowed, f"a {type(table).__name__}")
        connection = self.tables.connection
        asked = "select tanon._relation($table)"
        (relation,) = connection.execute(asked, {"table": table}).fetchall()[0]
        there = {c.lower() for c, _ in columns_of(connection, Quoted(f"from {relation}"))}
        if missing := [column for column in wanted if column.lower() not in there]:
            allowed = f"a table with columns {', '.join(wanted)}"
            got = f"one without {', '.join(missing)}"
            raise TanonError(must_be(FUNCTION, name, allowed, got))

    def check_of(self, individuals: str, values: str) -> tuple[str, dict[str, Any]]:
        """The call of a check of two tables, and its arguments."""
        kept = self.parameters
        given = {"qi": [kept.ts, "a_group"], "sensitive": kept.sensitive, "l": kept.l}
        return (
            "check_release($values, qi := $qi, sensitive := $sensitive, l := $l, "
            "records := 'records', individuals := $individuals)",
            given | {"individuals": individuals, "values": values},
        )

    def verify(self) -> None:
        """Compare all that was seen with the source, and all that was released with both.

        Every record of the source must be released, suppressed or waiting, once, and the rows of
        released and suppressed must be those that the plan deals from the source.
        """
        seen = self.tables.record("state")["seen"]
        if seen is not None:
            self.tables.refuse_changes(seen)
            self.tables.refuse_imbalance(seen)
            self.tables.refuse_changed_releases(seen)

    def rebase(self, source: str) -> None:
        """Go on from another source, which must hold every row that was seen as it was.

        A table or a view of another name, or a query that gives renamed columns their old names or
        retyped values their old types. As ``verify`` does, all that was seen is compared with it,
        and all that was released is dealt from it once more, so that nothing can leave twice.
        """
        connection = self.tables.connection
        with transaction(connection, self.name):
            moved = judged(connection, self.name, {"source": source}, self.parameters)
            other = Publication(self.name, moved, Tables(connection, self.name, moved))
            other.tables.refuse_lossy()
            other.verify()
            other.tables.rename_source()
        self.parameters, self.tables = other.parameters, other.tables

    def _snapshot_of(self, upto: Any) -> int:
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
        return self.tables.one(
            "select tanon._snapshot_start({{ null_ts }}, $i::bigint, {{ pace }})", i=snapshot
        )

    def _step(self, upto: int | None, finish: bool) -> Progress:
        tables, before, kept = self.tables, self.tables.record("state"), self.manifest()
        new = self._checked_end(upto, before["seen"], kept)
        self._take_in(before["seen"], new)
        settings, stream = self._resumed(before)
        arrivals = tables.arrivals()
        flows = self._flows(stream, arrivals, new, finish)
        state = State(stream.state().now, []) if finish else stream.state()
        step, released = before["steps"] + 1, self._released(state, finish)
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
        return _progress(kept, self.manifest())

    def _checked_end(self, upto: int | None, seen: int | None, kept: Mapping[str, Any]) -> int:
        """The last snapshot of this step."""
        if kept["finished"]:
            raise TanonError(f"tanon.{FUNCTION}: {self.name!r} is finished: nothing can be added")
        if upto is not None and seen is not None and upto < seen:
            raise refuse("upto", f"{kept['seen_upto']} or later", self._instant(upto))
        if upto is None and seen is None:
            raise TanonError(f"tanon.{FUNCTION}: {self.name!r} has seen nothing yet: advance it")
        return int(seen if upto is None else upto)  # type: ignore[arg-type]

    def _take_in(self, seen: int | None, new: int) -> None:
        """Refuse late and changed snapshots, then number what arrives."""
        tables = self.tables
        tables.refuse_lossy()
        window = {"until": tables.start(new + 1)}
        window |= {} if seen is None else {"from_ts": tables.start(seen + 1)}
        tables.refuse_wrong_times(window)
        if seen is not None:
            tables.refuse_what_looks_changed(seen)
        tables.keep_repeats(seen, window["until"])
        tables.run("arrivals", **window)
        tables.refuse_spellings()

    def _resumed(self, before: Mapping[str, Any]) -> tuple[Settings, Repositioner]:
        """The settings for the values at hand, and the stream as the last step left it."""
        kept = self.parameters
        settings = Settings(rational_l(kept.l), kept.w, tuple(before["mu"]), self.tables.betas())
        state = None
        if before["now"] is not None:
            state = State(before["now"], self.tables.open_rows(), before["placed"])
        return settings, Repositioner(settings, kept.method, kept.start, state, kept.lateness)

    def _flows(
        self,
        stream: Repositioner,
        arrivals: tuple[IntArray, IntArray, IntArray],
        new: int,
        finish: bool,
    ) -> list[Flow]:
        """What becomes final now."""
        try:
            flows = stream.advance(*arrivals, upto=new)
            return flows + stream.finish() if finish else flows
        except ImportError as error:
            asked = "method" if self.parameters.method == "window" else "start"
            named = f"{asked} {getattr(self.parameters, asked)!r}"
            raise TanonError(f"tanon.{FUNCTION}: {named} {error}") from None
        except ValueError as error:
            raise TanonError(f"tanon.{FUNCTION}: {error}") from None

    def _released(self, state: State, finish: bool) -> int | None:
        """The last snapshot that is final after this step."""
        if finish or state.now is None:
            return state.now
        if not state.placed and self.parameters.method != "window":
            return None
        last = state.now - self.parameters.w + 1
        first = self.tables.one("select min(snapshot) from {{ schema }}.state_seen")
        return last if last >= first else None


def _progress(before: Mapping[str, Any], after: Mapping[str, Any]) -> Progress:
    added = {name: after[name] - before[name] for name in ("records", "published", "suppressed")}
    return Progress(after["seen_upto"], after["released_upto"], **added)
