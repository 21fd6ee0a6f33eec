"""Sections that reports of every kind have."""

from __future__ import annotations

from tanon_duck.reporting.facts import Fact, Facts
from tanon_duck.reporting.page import Promise, Section, Table
from tanon_duck.reporting.pictures import Bar, bars, intervals
from tanon_duck.reporting.words import count, number, percent

# What Anatomy does not promise, of a table or of a stream.
WHO_IS_IN_IT = (
    "Who is in it",
    "Anatomy hides who has which value. It does not hide who is there: quasi-identifiers are "
    "released as they are.",
)
ONE_SECRET = (
    "One secret",
    "A second deal with another secret tells more, together with the first.",
)
_BESIDE = ("low", "high", "baseline", "control", "targets")


def there(*made: Section | None) -> list[Section]:
    """The sections that have something to tell."""
    return [section for section in made if section is not None]


def at_most(facts: Facts) -> list[Promise]:
    """Promises that are bounds from above."""
    return [
        Promise(f"{f.fact}: at most {number(f.bound)}", number(f.value), f.holds is not False)
        for f in facts.of("promise")
    ]


def attacks(facts: Facts) -> Section | None:
    """What simulated adversaries find, next to what they are compared with."""
    found = [f for f in facts.of("attacks") if f.fact not in _BESIDE]
    if not found:
        return None
    drawn, rows = [], []
    for fact in found:
        beside = {name: _beside(facts, name, fact) for name in _BESIDE}
        name = fact.fact + (f": {fact.about}" if fact.about else "")
        drawn.append({"name": name, "figure": percent(fact.value), "value": fact.value, **beside})
        low, high = percent(beside["low"]), percent(beside["high"])
        rows.append((
            name, percent(fact.value), f"{low} to {high}", percent(beside["baseline"]),
            percent(beside["control"]), count(beside["targets"]),
        ))  # fmt: skip
    notes = tuple((row[0], fact.text or "") for row, fact in zip(rows, found, strict=True))
    return Section(
        "Singling out, linkability, inference",
        (
            "The three questions of the Article 29 Working Party (WP216), each asked by an attack. "
            "The dot is what it finds, the bar its 95 % interval; the short tick is what guessing "
            "without the release finds, the long one what the same attack finds where nothing is "
            "protected.",
        ),
        intervals("What attacks find, from 0 to 100 %", drawn),
        (
            Table.of(
                ("Attack", "Found", "95 % interval", "Without", "Unprotected", "Tried on"), rows
            ),
        ),
        notes,
    )


def _beside(facts: Facts, name: str, fact: Fact) -> float | None:
    found = (
        f.value for f in facts.of("attacks", name) if f.about == fact.about and f.text == fact.fact
    )
    return next(found, None)


def warnings(facts: Facts) -> Section:
    """What was warned of; a page without warnings says so."""
    notes = []
    for fact in facts.of("warnings"):
        share = f" ({percent(fact.value)})" if fact.value is not None else ""
        name = fact.fact + (f": {fact.about}" if fact.about else "")
        notes.append((name + share, fact.text or ""))
    said = () if notes else ("None of the things that are looked for was found.",)
    return Section("Warnings", said, notes=tuple(notes))


def figures(facts: Facts, section: str, title: str) -> Section | None:
    """A section whose facts are a list of figures."""
    rows = [
        (f.fact + (f": {f.about}" if f.about else ""),
         number(f.value) if f.value is not None else f.text or "",
         (f.text or "") if f.value is not None else "")
        for f in facts.of(section)
    ]  # fmt: skip
    if not rows:
        return None
    headings: tuple[str, ...] = ("", "Found", "What it means")
    if not any(meaning for _, _, meaning in rows):
        return Section(title, tables=(Table.of(headings[:2], [row[:2] for row in rows]),))
    return Section(title, tables=(Table.of(headings, rows),))


def group_sizes(facts: Facts) -> Section | None:
    """The groups of Anatomy by their rows."""
    sizes = list(facts.of("group sizes", "groups"))
    if not sizes:
        return None
    drawn = [Bar(f"{f.about} rows", f.value or 0, f"{count(f.value)} groups") for f in sizes]
    return Section(
        "Groups of Anatomy",
        ("Whoever is in a group has one of its values.",),
        bars("Groups by their number of rows", drawn),
        (Table.of(("Rows", "Groups"), [(f.about or "", count(f.value)) for f in sizes]),),
    )


def utility(facts: Facts) -> Section | None:
    """How far answers are from the true ones, by how many rows are asked for."""
    asked = [f for f in facts.of("utility", "queries") if f.value]
    if not asked:
        return None
    drawn: list[Bar] = []
    rows: list[tuple[str, ...]] = []
    for name, queries in ((f.about or "", f.value) for f in asked):
        middle, far, near = (
            _beyond_noise(facts.value("utility", fact, name))
            for fact in ("median relative error", "ninth decile", "median absolute error")
        )
        if middle is not None:
            drawn.append(Bar(_asked_for(name), middle, percent(middle)))
        rows.append((_asked_for(name), count(queries), percent(middle), percent(far), number(near)))
    headings: tuple[str, ...] = (
        "Queries for",
        "Asked",
        "Median error",
        "One in ten errs by",
        "In rows",
    )
    if not any(row[3] != "–" for row in rows):
        headings, rows = headings[:3], [row[:3] for row in rows]
    return Section(
        "How well it answers counts",
        (
            "Random counts over time and columns, answered by the release and by its source; "
            "errors as a share of the true count, of the middle query.",
        ),
        bars("Median relative error, by how many rows are asked for", drawn),
        (Table.of(headings, rows),),
    )


def _beyond_noise(value: float | None) -> float | None:
    """What is left of the last digits of shares that are added up is nothing."""
    return 0.0 if value is not None and value < 1e-9 else value


def _asked_for(selectivity: str) -> str:
    said = {"none": "no row", "all": "any number of rows"}
    return said.get(selectivity, f"{selectivity} of the rows")
