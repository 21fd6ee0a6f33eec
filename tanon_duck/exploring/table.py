"""What the page asks of the table: its columns, counts, series and the report, all by SQL."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from tanon_duck.errors import TanonError, must_be
from tanon_duck.quoting import identifier
from tanon_duck.reporting import report

Question = Mapping[str, Any]
_MOST_SERIES = 1000
_GROUPS_DRAWN = 8


@dataclass(frozen=True)
class Names:
    """How the table is called outside: in SQL, in a policy, on the command line."""

    title: str
    sql: str
    policy: str
    words: str


@dataclass
class Explored:
    """One table that is looked at; questions are answered one after the other."""

    connection: duckdb.DuckDBPyConnection
    source: str
    names: Names
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, name: str, question: Question) -> dict[str, Any]:
        """What is known; an error of ours for a question that is none."""
        known: dict[str, Callable[[Question], dict[str, Any]]] = {
            "columns": self._columns, "counts": self._counts, "report": self._report,
            "series": self._series, "series_report": self._series_report,
        }  # fmt: skip
        if name not in known:
            raise TanonError(must_be("explore", "question", f"one of {', '.join(known)}", name))
        with self._turn:
            return known[name](question)

    def close(self) -> None:
        """Stop what runs, and wait until it has."""
        self.connection.interrupt()
        with self._turn:
            self.connection.close()

    def _rows(self, function: str, **arguments: Any) -> list[dict[str, Any]]:
        """The rows of a function of ours, each by the names of its columns."""
        given = ", ".join(f"{name} := ${name}" for name in arguments)
        cursor = self.connection.execute(f"from tanon.{function}({given})", arguments)
        names = [column[0] for column in cursor.description or ()]
        return [
            {name: _told(value) for name, value in zip(names, row, strict=True)}
            for row in cursor.fetchall()
        ]

    def _columns(self, question: Question) -> dict[str, Any]:
        """Each column with its declared role, and the proposed one beside it."""
        given = {"uid": _text(question, "uid")} if question.get("uid") else {}
        declared = {row["column_name"]: row for row in self._rows("roles", source=self.source)}
        columns = self._rows("suggest_roles", source=self.source, **given)
        for column in columns:
            column["declared"] = declared.get(column["column_name"], {}).get("role")
        return {"columns": columns, "names": vars(self.names)}

    def _counts(self, question: Question) -> dict[str, Any]:
        """Groups of each size for each granularity: all that the page needs to judge by itself."""
        asked = _events(question)
        offer = asked["granularities"]
        sizes: dict[str, list[list[int]]] = {}
        for row in self._rows("group_sizes", source=self.source, **asked):
            told = [row["frequency"], row["groups"], row["tuples"]]
            sizes.setdefault(row["granularity"], []).append(told)
        reasons = self._reasons(asked) if len(sizes) < len(offer) else {}
        rows, people = self._size(asked["uid"])
        return {
            "rows": rows,
            "people": people,
            "granularities": [
                {"name": name, "reason": reasons.get(name), "sizes": sizes.get(name, [])}
                for name in offer
            ],
            "finer": [
                [row["finer"], row["coarser"]]
                for row in self._rows("granularity_graph", granularities=offer)
            ],
        }

    def _reasons(self, asked: dict[str, Any]) -> dict[str, str | None]:
        """Why granularities without groups have none; of an empty table nothing stands against."""
        found = self._rows("granularity_metrics", source=self.source, k=2, **asked)
        return {row["granularity"]: row["reason"] for row in found}

    def _size(self, uid: str) -> tuple[int, int]:
        found = self.connection.execute(
            f"select count(*), count(distinct {identifier(uid)}) from {identifier(self.source)}"
        ).fetchone()
        return (int(found[0]), int(found[1])) if found else (0, 0)

    def _report(self, question: Question) -> dict[str, Any]:
        """The report of these settings, in the edition that is asked for."""
        asked = _events(question) | {
            "k": _whole(question, "k"),
            "max_suppression": _whole(question, "permille") / 1000,
            "keep": _texts(question, "keep"),
            "accept": _texts(question, "keep"),
        }
        return self._drawn("k_anonymous", question, {"source": self.source, **asked})

    def _drawn(self, kind: str, question: Question, arguments: dict[str, Any]) -> dict[str, Any]:
        audience = _text(question, "audience")
        made = report(self.connection, kind, audience=audience, **arguments)
        told = {
            name: self.names.sql if value == self.source else value
            for name, value in made.arguments.items()
        }
        return {"html": replace(made, arguments=told).html, "verdict": made.page.verdict}

    def _series(self, question: Question) -> dict[str, Any]:
        """A release of a sample: its losses, and the envelopes of its largest groups."""
        asked, sample = _of_series(question), self._sample(question)
        loss = self._loss(asked, sample)
        groups = self.connection.execute(
            "select k_group, count(*)::bigint, any_value(low), any_value(high), "
            "list(distinct pr order by pr) from explored group by k_group "
            "order by count(*) desc, k_group"
        ).fetchall()
        names = ("group", "series", "low", "high", "words")
        drawn = [dict(zip(names, row, strict=True)) for row in groups[:_GROUPS_DRAWN]]
        return {"loss": loss, "groups": len(groups), "drawn": drawn}

    def _loss(self, asked: dict[str, Any], sample: str) -> dict[str, Any]:
        """Make the owner's release of the sample, as a table of the session, and measure it."""
        given = ", ".join(f"{name} := ${name}" for name in ("source", *asked, "for_owner"))
        self.connection.execute(
            f"create or replace temp table explored as from tanon.kp_anonymize({given})",
            {"source": sample, **asked, "for_owner": True},
        )
        (loss,) = self._rows(
            "kp_loss", published="explored", source=sample, id=asked["id"], series=asked["series"]
        )
        return loss

    def _sample(self, question: Question) -> str:
        """So many series, the same ones each time: those whose names hash lowest."""
        many, name = _whole(question, "sample"), identifier(_text(question, "id"))
        if not 0 < many <= _MOST_SERIES:
            allowed = f"between 1 and {_MOST_SERIES}"
            raise TanonError(must_be("explore", "sample", allowed, str(many)))
        ordered = f"order by hash({name}::varchar), {name} limit {many}"
        return f"(from {identifier(self.source)} {ordered})"

    def _series_report(self, question: Question) -> dict[str, Any]:
        asked, sample = _of_series(question), self._sample(question)
        self._loss(asked, sample)
        rest = {name: asked[name] for name in ("id", "series", "k", "p", "sensitive")}
        return self._drawn("kp", question, {"published": "explored", "source": sample, **rest})


def _events(question: Question) -> dict[str, Any]:
    return {
        "uid": _text(question, "uid"),
        "qi": _texts(question, "qi"),
        "ts": _text(question, "ts"),
        "granularities": _texts(question, "granularities"),
    }


def _of_series(question: Question) -> dict[str, Any]:
    return {
        "id": _text(question, "id"),
        "series": _texts(question, "series"),
        "k": _whole(question, "k"),
        "p": _whole(question, "p"),
        "algorithm": _text(question, "algorithm"),
        "sensitive": _texts(question, "sensitive"),
        "accept": _texts(question, "sensitive"),
    }


def _text(question: Question, name: str) -> str:
    found = question.get(name)
    if not isinstance(found, str):
        raise TanonError(must_be("explore", name, "a text", repr(found)))
    return found


def _texts(question: Question, name: str) -> list[str]:
    found = question.get(name)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise TanonError(must_be("explore", name, "a list of texts", repr(found)))
    return found


def _whole(question: Question, name: str) -> int:
    found = question.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise TanonError(must_be("explore", name, "a whole number", repr(found)))
    return found


def _told(value: Any) -> Any:
    """As JSON has it: there is no NaN in it."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
