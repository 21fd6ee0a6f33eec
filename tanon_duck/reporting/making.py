"""Make a report: call the SQL function, draw the page, save it."""

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
# For each kind: the publisher, the title of the report, the module with its sections.
KINDS = {
    "events": ("publish_events", "k-anonymous release", k_anonymous),
    "table_pair": ("publish_table_pair", "release by Anatomy", anatomy),
    "stream": ("publish_stream", "stream of snapshots", stream),
    "series": ("publish_series", "(k,P)-anonymous release", series),
    "itemsets": ("publish_itemsets", "collection of itemsets", itemsets),
}
# The default number of random queries.
QUERY_COUNT = 200
_EDITIONS = {
    "owner": "Edition for the owner: it may name small groups. Do not publish it.",
    "public": "Edition for others: it contains no values and no groups below the promised size.",
}


@dataclass(frozen=True)
class Report:
    """The facts about one release, drawn as a page.

    A notebook shows the page. `save` writes it to a file.
    """

    kind: str
    arguments: dict[str, Any]
    facts: Facts
    audience: str = "owner"
    record: record.Record = field(default_factory=record.Record)
    engine: str = field(default=duckdb.__version__)

    @property
    def passed(self) -> bool:
        """Return whether every promise holds."""
        return self.facts.hold

    @cached_property
    def page(self) -> Page:
        """Return the page: verdict, figures, promises and sections."""
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
        """Return each picture by the title of its section."""
        return {s.title: s.picture for s in self.page.sections if s.picture is not None}

    @cached_property
    def html(self) -> str:
        """Return the page as one HTML file that needs no other file."""
        return written(self.page)

    def _repr_html_(self) -> str:
        return framed(self.html)

    def save(self, path: str | os.PathLike[str], force: bool = False) -> Path:
        """Write the page to a file that only its owner may read.

        Raise if the file exists, unless `force` is true.
        """
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
        """Return the sections on digests and earlier releases, for the owner only.

        A digest identifies a table, so that the edition for others does not contain it.
        """
        found = []
        if self.record.digests and self.audience == "owner":
            rows = [(name, words.count(int(rows)), digest) for name, rows, digest in
                    self.record.digests]  # fmt: skip
            said = "tanon.row_digest computes the digest of a table again."
            table = Table.of(("Table", "Rows", "Digest of the rows, in any order"), rows)
            found.append(Section("Digests", (said,), tables=(table,)))
        if self.record.releases and self.audience == "owner":
            table = Table.of(("Released", "Table", "Function", "Rows", "Digest"),
                             self.record.releases)  # fmt: skip
            said = "A reader of two releases of one table can learn more than each of them reveals."
            found.append(Section("Releases of this table on record", (said,), tables=(table,)))
        return found

    def _arguments_to_show(self) -> dict[str, Any]:
        """Return the arguments; for others, '(a query)' replaces each query.

        The text of a query may contain values.
        """
        if self.audience == "owner":
            return self.arguments
        header = catalog.function(f"report_{self.kind}").header
        relations = {
            name: self.arguments.get(name) for name in (a.name for a in header.relations())
        }
        return self.arguments | without_queries({n: v for n, v in relations.items() if v})

    def _made(self) -> Section:
        """Return the section with the versions and the call that repeats the report."""
        shown = self._arguments_to_show()
        publisher = KINDS[self.kind][0]
        given = ",\n    ".join(f"{name} := {as_sql(value)}" for name, value in shown.items())
        return Section(
            "How it was made, and how to make it again",
            (
                f"tanon_duck {__version__} on DuckDB {self.engine}. The call below "
                f"returns the facts of this report; tanon.{publisher} makes the release.",
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
    """Collect the facts about a release and return them as a report."""
    chosen, source = None, arguments.get("source")
    if release is not None and kind in KINDS and _has_release(kind):
        arguments, release = arguments | {"release": release}, None
    if release is not None:
        publisher, found, chosen = record.arguments_of(connection, release)
        kind = kind or next((k for k, (name, *_) in KINDS.items() if name == publisher), publisher)
        _check(kind, audience)
        found |= arguments
        source = found.get("source")
        found = record.as_recorded(connection, found)
        arguments |= record.report_arguments(f"report_{kind}", publisher, found)
    kind = kind or "none"
    _check(kind, audience)
    function = f"report_{kind}"
    names = [a.name for a in catalog.function(function).header.arguments]
    if "queries" in names:
        arguments = arguments | {"queries": arguments.get("queries", QUERY_COUNT)}
    for name in arguments:
        if name not in names:
            raise TanonError(unknown_argument(function, name, names))
    known_of = record.of(connection, source, release)
    given = ", ".join(f"{name} := ${name}" for name in arguments)
    rows = connection.execute(f"from tanon.{function}({given})", arguments).fetchall()
    if release is not None:
        record.check_same(Facts.read(rows, "owner"), release, chosen)
    shown = {name: value for name, value in arguments.items() if name != "secret"}
    return Report(kind, shown, Facts.read(rows, audience), audience, known_of)


def _has_release(kind: str) -> bool:
    """Return whether the report function of a kind has an argument `release`."""
    return catalog.function(f"report_{kind}").header.argument("release") is not None


def _check(kind: str, audience: str) -> None:
    """Raise if the kind or the audience does not exist."""
    if kind not in KINDS:
        raise TanonError(must_be("report", "kind", f"one of {', '.join(KINDS)}", repr(kind)))
    if audience not in AUDIENCES:
        allowed = f"one of {', '.join(AUDIENCES)}"
        raise TanonError(must_be("report", "audience", allowed, repr(audience)))
