"""A report on one release: asked of SQL, drawn, kept."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck._version import __version__
from tanon_duck.checking.frames import framed
from tanon_duck.checking.running import without_queries
from tanon_duck.errors import TanonError, file_exists, must_be, unknown_argument
from tanon_duck.interfaces.files.outputs import half_written
from tanon_duck.macros import catalog
from tanon_duck.quoting import as_sql
from tanon_duck.reporting import anatomy, itemsets, k_anonymous, record, series, stream, words
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Page, Section, Table, written
from tanon_duck.reporting.pictures import Picture

AUDIENCES = ("owner", "public")
# What each kind is a report on, and who knows its sections.
KINDS = {
    "events": ("publish_events", "k-anonymous release", k_anonymous),
    "table_pair": ("publish_table_pair", "release by Anatomy", anatomy),
    "stream": ("publish_stream", "stream of snapshots", stream),
    "series": ("publish_series", "(k,P)-anonymous release", series),
    "itemsets": ("publish_itemsets", "collection of itemsets", itemsets),
}
# How many random counts the release of a page answers, unless it is said otherwise.
ASKED = 200
_EDITIONS = {
    "owner": "Edition for the owner: it may name small groups, and is not for release",
    "public": "Edition for others: no values, no groups below what is promised",
}


@dataclass(frozen=True)
class Report:
    """What was found of a release; it shows itself in a notebook, and saves itself."""

    kind: str
    arguments: dict[str, Any]
    facts: Facts
    audience: str = "owner"
    record: record.Record = field(default_factory=record.Record)
    engine: str = field(default=duckdb.__version__)

    @property
    def passed(self) -> bool:
        """Whether all that was promised holds."""
        return self.facts.hold

    @cached_property
    def page(self) -> Page:
        """What the report says, in sections."""
        _, title, kind = KINDS[self.kind]
        return Page(
            f"Report on a {title}",
            _EDITIONS[self.audience],
            kind.verdict(self.facts),
            self.passed,
            tuple(kind.alarms(self.facts)),
            tuple(kind.tiles(self.facts)),
            tuple(kind.promises(self.facts)),
            (*kind.sections(self.facts), *self._on_record(), self._made()),
        )

    @property
    def pictures(self) -> dict[str, Picture]:
        """The drawings by the titles of their sections."""
        return {s.title: s.picture for s in self.page.sections if s.picture is not None}

    @cached_property
    def html(self) -> str:
        """One file that needs nothing else."""
        return written(self.page)

    def _repr_html_(self) -> str:
        return framed(self.html)

    def save(self, path: str | os.PathLike[str], force: bool = False) -> Path:
        """Write the page to a new file that only its owner may read, whole or not at all."""
        target = Path(path)

        def refuse() -> None:
            if target.exists() and not force:
                raise TanonError(file_exists(target) + "; force=True replaces it")

        refuse()
        usual = os.umask(0o077)
        try:
            with half_written(target, None if force else refuse) as part:
                part.write_text(self.html, encoding="utf-8")
        finally:
            os.umask(usual)
        return target

    def _on_record(self) -> list[Section]:
        """Digests, by which anybody can tell a table, and so for the owner; releases before."""
        found = []
        if self.record.digests and self.audience == "owner":
            rows = [(name, words.count(int(rows)), digest) for name, rows, digest in
                    self.record.digests]  # fmt: skip
            said = "Whoever has a table can compute these again: tanon.row_digest."
            table = Table.of(("Table", "Rows", "Digest of the rows, in any order"), rows)
            found.append(Section("Digests", (said,), tables=(table,)))
        if self.record.releases and self.audience == "owner":
            table = Table.of(("Released", "Table", "Function", "Rows", "Digest"),
                             self.record.releases)  # fmt: skip
            said = "Releases of one table add up: who holds two of them knows more than each says."
            found.append(Section("Releases of this table on record", (said,), tables=(table,)))
        return found

    def _told(self) -> dict[str, Any]:
        """The arguments; for others without the text of queries, which may name values."""
        if self.audience == "owner":
            return self.arguments
        header = catalog.function(f"report_{self.kind}").header
        relations = {
            name: self.arguments.get(name) for name in (a.name for a in header.relations())
        }
        return self.arguments | without_queries({n: v for n, v in relations.items() if v})

    def _made(self) -> Section:
        """How to come to the same."""
        told = self._told()
        publisher = KINDS[self.kind][0]
        given = ",\n    ".join(f"{name} := {as_sql(value)}" for name, value in told.items())
        return Section(
            "How it was made, and how to make it again",
            (
                f"tanon_duck {__version__} on DuckDB {self.engine}. These are the facts of this "
                f"report, to be asked for again; tanon.{publisher} makes the release.",
            ),
            code=f"from tanon.report_{self.kind}(\n    {given});",
        )


def report(
    connection: duckdb.DuckDBPyConnection,
    kind: str | None = None,
    *,
    release: str | None = None,
    audience: str = "owner",
    **arguments: Any,
) -> Report:
    """Ask for all facts about a release and draw them.

    ``kind`` is what is reported on, ``arguments`` are those of the function that publishes it;
    or ``release`` is one on record, and both are found there. ``audience`` is ``owner`` or
    ``public``: the edition for others holds no values and no small groups.
    """
    chosen, source = None, arguments.get("source")
    if release is not None:
        publisher, found, chosen = record.arguments_of(connection, release)
        kind = kind or next((k for k, (name, *_) in KINDS.items() if name == publisher), publisher)
        _check(kind, audience)
        found |= arguments
        source = found.get("source")
        found = record.as_recorded(connection, found)
        arguments |= record.told_by(f"report_{kind}", publisher, found)
    kind = kind or "none"
    _check(kind, audience)
    function = f"report_{kind}"
    names = [a.name for a in catalog.function(function).header.arguments]
    if "queries" in names:
        arguments = arguments | {"queries": arguments.get("queries", ASKED)}
    for name in arguments:
        if name not in names:
            raise TanonError(unknown_argument(function, name, names))
    known_of = record.of(connection, source, release)
    given = ", ".join(f"{name} := ${name}" for name in arguments)
    rows = connection.execute(f"from tanon.{function}({given})", arguments).fetchall()
    if release is not None:
        record.check_same(Facts.read(rows, "owner"), release, chosen)
    told = {name: value for name, value in arguments.items() if name != "secret"}
    return Report(kind, told, Facts.read(rows, audience), audience, known_of)


def _check(kind: str, audience: str) -> None:
    if kind not in KINDS:
        raise TanonError(must_be("report", "kind", f"one of {', '.join(KINDS)}", repr(kind)))
    if audience not in AUDIENCES:
        allowed = f"one of {', '.join(AUDIENCES)}"
        raise TanonError(must_be("report", "audience", allowed, repr(audience)))
