"""Answer the questions of the page with SQL: columns, counts, series and reports."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from tanon_duck.algorithms import checkpoint
from tanon_duck.errors import TanonError, must_be
from tanon_duck.exploring import counting
from tanon_duck.exploring.questions import Question, text, texts, whole
from tanon_duck.quoting import identifier
from tanon_duck.reporting import report

_MOST_SERIES = 1000
_GROUPS_DRAWN = 8


@dataclass(frozen=True)
class Names:
    """How SQL, policies and command lines name the table."""

    title: str
    sql: str
    policy: str
    words: str
    hierarchies: str = ""  # the table of hierarchies, if there is one
    hierarchies_words: str = ""


@dataclass
class ExploredTable:
    """The table that the page shows; it answers one question at a time."""

    connection: duckdb.DuckDBPyConnection
    source: str
    names: Names
    hierarchies: str = ""  # name of a table of the connection
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stops: int = 0  # number of requests to stop
    _stops_at_start: int = 0  # how often that was when the question that is answered stops_before

    def answer(self, name: str, question: Question) -> dict[str, Any]:
        """Answer a question of the page, for example 'counts'; raise if it is unknown."""
        known: dict[str, Callable[[Question], dict[str, Any]]] = {
            "columns": self._columns, "counts": self._counts, "report": self._report,
            "series": self._series, "series_report": self._series_report,
        }  # fmt: skip
        if name == "stop":
            self._stop()
            return {}
        if name not in known:
            known_names = f"one of {', '.join([*known, 'stop'])}"
            raise TanonError(must_be("explore", "question", known_names, name))
        stops_before = self._stops
        with self._lock:
            self._stops_at_start = stops_before
            try:
                return known[name](question)
            except duckdb.Error:
                if self._stops == stops_before:
                    raise
                raise TanonError("explore: stopped; the table is unchanged") from None

    def close(self) -> None:
        """Stop the running query, wait for it and close the connection."""
        self._stop()
        with self._lock:
            self.connection.close()

    def _stop(self) -> None:
        """Interrupt the running query, and all further queries of its question."""
        self._stops += 1
        self.connection.interrupt()
        checkpoint.stop()

    def _ask(self, sql: str, given: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run a query unless the question was stopped; return its rows."""
        if self._stops != self._stops_at_start:
            raise duckdb.InterruptException("stopped")
        return self.connection.execute(sql, dict(given)).fetchall()

    def _rows(self, function: str, **arguments: Any) -> list[dict[str, Any]]:
        """Call a table function of tanon; return its rows as dictionaries."""
        if self._stops != self._stops_at_start:
            raise duckdb.InterruptException("stopped")
        given = ", ".join(f"{name} := ${name}" for name in arguments)
        cursor = self.connection.execute(f"from tanon.{function}({given})", arguments)
        names = [column[0] for column in cursor.description or ()]
        return [
            {name: _json_value(value) for name, value in zip(names, row, strict=True)}
            for row in cursor.fetchall()
        ]

    def _columns(self, question: Question) -> dict[str, Any]:
        """Return each column with its declared and its proposed role."""
        given = {"respondent": text(question, "respondent")} if question.get("respondent") else {}
        declared = {row["column_name"]: row for row in self._rows("roles", source=self.source)}
        columns = self._rows("suggest_roles", source=self.source, **given)
        for column in columns:
            column["declared"] = declared.get(column["column_name"], {}).get("role")
        levels = counting.heights(self._ask, self.hierarchies) if self.hierarchies else []
        return {"columns": columns, "names": vars(self.names), "levels": levels}

    def _counts(self, question: Question) -> dict[str, Any]:
        """Return the groups of each granularity, counted by size."""
        setting = _setting(question)
        source = counting.generalized(
            self._ask, identifier(self.source), self.hierarchies, self._levels(setting)
        )
        reasons = self._reasons(setting) if setting.sensitive else {}
        offer = tuple(name for name in setting.granularities if reasons.get(name) is None)
        found = counting.sizes(self._ask, source, replace(setting, granularities=offer))
        names = setting.granularities if setting.ts else (counting.WITHOUT_TIME,)
        if not setting.sensitive and len(found) < len(names):
            reasons = self._reasons(setting)
        graph = self._rows("granularity_graph", granularities=list(names)) if setting.ts else []
        rows, people = self._size(setting.respondent)
        bits = {
            name: counting.entropy(
                self._ask, counting.at_granularity(source, setting.ts, name), setting.ts
            )
            for name in (found if setting.ts else ())
        }
        order = counting.by_length(self._ask, names) if setting.ts else list(names)
        return {
            "rows": rows,
            "people": people,
            "bits": sum(counting.entropy(self._ask, source, name) for name in setting.qi),
            "granularities": [
                {
                    "name": name,
                    "reason": reasons.get(name),
                    "sizes": found.get(name, []),
                    "bits": bits.get(name, 0.0),
                    "place": order.index(name),
                }
                for name in names
            ],
            "finer": [[row["finer"], row["coarser"]] for row in graph],
            "most_values": counting.MOST_VALUES,
        }

    def _levels(self, setting: counting.Setting) -> Mapping[str, int]:
        """Return the levels of the setting; raise if they fit no quasi-identifier."""
        if setting.levels and not self.hierarchies:
            raise TanonError(must_be("explore", "levels", "omitted without --hierarchies", "some"))
        for name in setting.levels:
            if name not in setting.qi:
                allowed = "levels of quasi-identifiers"
                raise TanonError(must_be("explore", "levels", allowed, repr(name)))
        return setting.levels

    def _reasons(self, setting: counting.Setting) -> dict[str, str | None]:
        """Return why a granularity cannot be used, None if it can."""
        if not setting.ts:
            return {}
        found = self._rows(
            "granularity_metrics", source=self.source, respondent=setting.respondent,
            qi=list(setting.qi), ts=setting.ts, granularities=list(setting.granularities), k=2,
        )  # fmt: skip
        return {row["granularity"]: row["reason"] for row in found}

    def _size(self, respondent: str) -> tuple[int, int]:
        """Return the numbers of rows and of respondents."""
        counts = f"count(*), count(distinct {identifier(respondent)})"
        ((rows, people),) = self._ask(f"select {counts} from {identifier(self.source)}", {})
        return int(rows), int(people)

    def _report(self, question: Question) -> dict[str, Any]:
        """Return a report on a release with the settings of the page."""
        arguments = _event_arguments(question) | {
            "k": whole(question, "k"),
            "max_suppression": whole(question, "permille") / 1000,
            "keep": texts(question, "keep"),
            "allow_identifying": texts(question, "keep"),
        }
        return self._report_page("events", question, {"source": self.source, **arguments})

    def _report_page(
        self, kind: str, question: Question, arguments: dict[str, Any]
    ) -> dict[str, Any]:
        """Return a report as HTML in which the user's name replaces the table's."""
        audience = text(question, "audience")
        made = report(self.connection, kind, audience=audience, **arguments)
        arguments_shown = {
            name: self.names.sql if value == self.source else value
            for name, value in made.arguments.items()
        }
        return {"html": replace(made, arguments=arguments_shown).html, "verdict": made.page.verdict}

    def _series(self, question: Question) -> dict[str, Any]:
        """Publish a sample of series; return losses and the largest groups."""
        arguments, sample = _series_arguments(question), self._sample(question)
        loss = self._loss(arguments, sample)
        groups = self.connection.execute(
            "select k_group, count(*)::bigint, any_value(low), any_value(high), "
            "list(distinct word order by word asc nulls last) from explored group by k_group "
            "order by count(*) desc nulls last, k_group asc nulls last"
        ).fetchall()
        names = ("group", "series", "low", "high", "words")
        drawn = [dict(zip(names, row, strict=True)) for row in groups[:_GROUPS_DRAWN]]
        return {"loss": loss, "groups": len(groups), "drawn": drawn}

    def _loss(self, arguments: dict[str, Any], sample: str) -> dict[str, Any]:
        """Publish the sample into a temporary table, and measure its loss."""
        given = ", ".join(f"{name} := ${name}" for name in ("source", *arguments, "for_owner"))
        self.connection.execute(
            f"create or replace temp table explored as from tanon.publish_series({given})",
            {"source": sample, **arguments, "for_owner": True},
        )
        (loss,) = self._rows(
            "series_loss",
            release="explored",
            source=sample,
            series_id=arguments["series_id"],
            series=arguments["series"],
        )
        return loss

    def _sample(self, question: Question) -> str:
        """Return SQL for a sample of series."""
        many, name = whole(question, "sample"), identifier(text(question, "series_id"))
        if not 0 < many <= _MOST_SERIES:
            allowed = f"between 1 and {_MOST_SERIES}"
            raise TanonError(must_be("explore", "sample", allowed, str(many)))
        return (
            f"(from {identifier(self.source)} "
            f"order by hash(tanon._value_text({name})) asc nulls last, {name} asc nulls last "
            f"limit {many})"
        )

    def _series_report(self, question: Question) -> dict[str, Any]:
        """Return a report on the release of a sample."""
        arguments, sample = _series_arguments(question), self._sample(question)
        self._loss(arguments, sample)
        rest = {name: arguments[name] for name in ("series_id", "series", "k", "p", "sensitive")}
        return self._report_page(
            "series", question, {"release": "explored", "source": sample, **rest}
        )


def _event_arguments(question: Question) -> dict[str, Any]:
    """Return the arguments of a question about events."""
    return {
        "respondent": text(question, "respondent"),
        "qi": texts(question, "qi"),
        "ts": text(question, "ts"),
        "granularities": texts(question, "granularities"),
    }


def _setting(question: Question) -> counting.Setting:
    """Return the setting of a question; raise if its levels are not numbers."""
    levels = question.get("levels", {})
    if not isinstance(levels, dict) or not all(
        isinstance(level, int) and not isinstance(level, bool) and level >= 0
        for level in levels.values()
    ):
        allowed = "whole numbers of 0 or more by column"
        raise TanonError(must_be("explore", "levels", allowed, repr(levels)))
    given = _event_arguments(question)
    sensitive = text(question, "sensitive") if question.get("sensitive") else ""
    return counting.Setting(
        given["respondent"], tuple(given["qi"]), given["ts"], tuple(given["granularities"]), levels,
        sensitive,
    )  # fmt: skip


def _series_arguments(question: Question) -> dict[str, Any]:
    """Return the arguments of a question about series."""
    return {
        "series_id": text(question, "series_id"),
        "series": texts(question, "series"),
        "k": whole(question, "k"),
        "p": whole(question, "p"),
        "algorithm": text(question, "algorithm"),
        "sensitive": texts(question, "sensitive"),
        "allow_identifying": texts(question, "sensitive"),
    }


def _json_value(value: Any) -> Any:
    """Return None for NaN and infinity, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
