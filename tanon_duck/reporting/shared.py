"""Build the sections that several kinds of report have."""

from __future__ import annotations

from tanon_duck.reporting.facts import Fact, Facts
from tanon_duck.reporting.page import Promise, Section, Table
from tanon_duck.reporting.pictures import Bar, bars, intervals
from tanon_duck.reporting.words import count, number, percent

# Anatomy promises neither of these, for a table or for a stream.
WHO_IS_IN_IT = (
    "Who is in the table",
    "Anatomy hides which person has which value. It does not hide who is in the table, because "
    "it releases quasi-identifiers unchanged.",
)
ONE_SECRET = (
    "One secret",
    "A second release with another secret reveals more, together with the first.",
)
_ATTACK_FIGURES = ("low", "high", "baseline", "control", "targets")


def existing(*made: Section | None) -> list[Section]:
    """Return the sections that are not None."""
    return [section for section in made if section is not None]


def at_most(facts: Facts) -> list[Promise]:
    """Return one promise for each upper bound."""
    return [
        Promise(f"{f.fact}: at most {number(f.bound)}", number(f.value), f.holds is not False)
        for f in facts.of("promise")
    ]


def attacks(facts: Facts) -> Section | None:
    """Return the section on simulated attacks, None if no attack was run.

    Each attack has a rate, its interval, and two rates to compare it with.
    """
    found = [f for f in facts.of("attacks") if f.fact not in _ATTACK_FIGURES]
    if not found:
        return None
    drawn, rows = [], []
    for fact in found:
        further = {name: _attack_figure(facts, name, fact) for name in _ATTACK_FIGURES}
        name = fact.fact + (f": {fact.about}" if fact.about else "")
        drawn.append({"name": name, "figure": percent(fact.value), "value": fact.value, **further})
        low, high = percent(further["low"]), percent(further["high"])
        rows.append((
            name, percent(fact.value), f"{low} to {high}", percent(further["baseline"]),
            percent(further["control"]), count(further["targets"]),
        ))  # fmt: skip
    notes = tuple((row[0], fact.text or "") for row, fact in zip(rows, found, strict=True))
    return Section(
        "Singling out, linkability, inference",
        (
            "The three questions of the Article 29 Working Party (WP216), each answered by a "
            "simulated attack. The dot is the share that the attack finds, and the bar is its 95 % "
            "interval. The short tick is the share that guessing finds without the release. The "
            "long tick is the share that the same attack finds in unprotected data.",
        ),
        intervals("What attacks find, from 0 to 100 %", drawn),
        (
            Table.of(
                ("Attack", "Found", "95 % interval", "Without", "Unprotected", "Tried on"), rows
            ),
        ),
        notes,
    )


def _attack_figure(facts: Facts, name: str, fact: Fact) -> float | None:
    """Return a further figure of an attack, for example its 'low' or 'baseline'."""
    found = (
        f.value for f in facts.of("attacks", name) if f.about == fact.about and f.text == fact.fact
    )
    return next(found, None)


def warnings(facts: Facts) -> Section:
    """Return the section on warnings; it says so if there are none."""
    notes = []
    for fact in facts.of("warnings"):
        share = f" ({percent(fact.value)})" if fact.value is not None else ""
        name = fact.fact + (f": {fact.about}" if fact.about else "")
        notes.append((name + share, fact.text or ""))
    said = () if notes else ("tanon found none of the problems that it looks for.",)
    return Section("Warnings", said, notes=tuple(notes))


def figures(facts: Facts, section: str, title: str) -> Section | None:
    """Return a section that lists the figures of `section`, None if it has none."""
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
    """Return the section on the sizes of Anatomy's groups, None without groups."""
    sizes = list(facts.of("group sizes", "groups"))
    if not sizes:
        return None
    drawn = [Bar(f"{f.about} rows", f.value or 0, f"{count(f.value)} groups") for f in sizes]
    return Section(
        "Groups of Anatomy",
        ("Each person of a group has one of the values of the group.",),
        bars("Groups by their number of rows", drawn),
        (Table.of(("Rows", "Groups"), [(f.about or "", count(f.value)) for f in sizes]),),
    )


def utility(facts: Facts) -> Section | None:
    """Return the section on the errors of random counts, None if none was asked."""
    asked = [f for f in facts.of("utility", "queries") if f.value]
    if not asked:
        return None
    drawn: list[Bar] = []
    rows: list[tuple[str, ...]] = []
    for name, queries in ((f.about or "", f.value) for f in asked):
        middle, far, near = (
            _without_rounding_error(facts.value("utility", fact, name))
            for fact in ("median relative error", "ninth decile", "median absolute error")
        )
        if middle is not None:
            drawn.append(Bar(_selectivity(name), middle, percent(middle)))
        rows.append(
            (_selectivity(name), count(queries), percent(middle), percent(far), number(near))
        )
    headings: tuple[str, ...] = (
        "Rows selected",
        "Queries",
        "Median error",
        "Ninth decile",
        "Median error in rows",
    )
    if not any(row[3] != "–" for row in rows):
        headings, rows = headings[:3], [row[:3] for row in rows]
    return Section(
        "How well it answers counts",
        (
            "The release and its source answer the same random counts over time and columns. The "
            "error of a query is a share of the true count; the table shows the median.",
        ),
        bars("Median relative error, by the share of rows that a query selects", drawn),
        (Table.of(headings, rows),),
    )


def _without_rounding_error(value: float | None) -> float | None:
    """Return 0 for errors below 1e-9, which come from adding shares."""
    return 0.0 if value is not None and value < 1e-9 else value


def _selectivity(selectivity: str) -> str:
    """Return the share of rows that a query selects in words."""
    words = {"none": "no row", "all": "any number of rows"}
    return words.get(selectivity, f"{selectivity} of the rows")
