"""Build the sections of a report on a (k,P)-anonymous release of series."""

from __future__ import annotations

import json

from tanon_duck.reporting.curves import envelopes
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, bars
from tanon_duck.reporting.shared import attacks, existing, figures, warnings
from tanon_duck.reporting.words import count, number, percent

LIMITS = (
    ("Sensitive values", "A k above P protects ranges only. The sensitive value is one of P "
                         "values, "
     "or of fewer if a value repeats within a P-group or continues the series."),
    ("One release", "A second release with other arguments or one more reading forms other groups "
     "of the same persons, and both releases together reveal more."),
    ("Suppressed series", "No count contains a suppressed series."),
)  # fmt: skip
_DRAWN = 6


def alarms(facts: Facts) -> list[str]:
    """Return a sentence for each attack that succeeds more often than promised."""
    found = [
        f"An adversary who {fact.text} is right {percent(fact.value)} of the time"
        for fact in facts.of("attacks", "inference")
        if fact.value is not None and fact.bound is not None and fact.value > fact.bound
    ]
    worst = facts.value("breach", "worst by both")
    if worst is not None and worst > 0.5:
        found.append(f"A reader can guess a sensitive value with a chance of {percent(worst)}")
    return found


def verdict(facts: Facts) -> str:
    """Return one sentence that says whether the promise holds."""
    return (
        "The promise holds: every series shares its ranges and its word with others"
        if facts.hold else "The promise does not hold: see the table of promises"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the top of the page."""
    found = [
        Tile(count(facts.value("release", "series released")), "series released"),
        Tile(number(facts.value("loss", "value loss")), "value loss"),
        Tile(number(facts.value("loss", "pattern loss")), "pattern loss"),
    ]
    worst = facts.value("breach", "worst by both")
    worst_tile = Tile(percent(worst), "worst chance of a sensitive value")
    return found if worst is None else [*found, worst_tile]


def promises(facts: Facts) -> list[Promise]:
    """Return each promise with the figure that was found."""
    return [
        Promise(f"at least {count(f.bound)} {f.fact}", count(f.value), f.holds is not False)
        for f in facts.of("promise")
    ]


def sections(facts: Facts) -> list[Section]:
    """Return all sections that have facts in this edition."""
    return existing(
        figures(facts, "release", "What was released"), _words(facts),
        figures(facts, "loss", "What it costs"), figures(facts, "breach", "Breach"),
        _answers(facts), attacks(facts), _warned(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _words(facts: Facts) -> Section | None:
    """Return the section on ranges and SAX words, None if this edition hides them."""
    rows = list(facts.of("words"))
    if not rows:
        return None
    drawn = []
    for fact in sorted(rows, key=lambda f: -(f.value or 0))[:_DRAWN]:
        low, high = json.loads(fact.text or "[[],[]]")
        if None not in (*low, *high):
            drawn.append((f"{fact.fact}: {count(fact.value)} series", low, high))
    table = [(fact.fact, count(fact.value), count(fact.bound)) for fact in rows]
    return Section(
        "Ranges and words",
        (
            "Only the owner may see this section, because ranges end at readings of persons. The "
            "picture "
            "shows the largest groups.",
        ),
        envelopes("The range that the series of a group share at each position", drawn),
        (Table.of(("Word", "Series", "Level"), table),),
    )


def _answers(facts: Facts) -> Section | None:
    """Return the section on random queries, None if none was asked.

    Queries for series have precision and recall. Counts have a relative error.
    """
    asked = [f for f in facts.of("utility", "queries") if f.value]
    if not asked:
        return None
    drawn, rows = [], []
    for kind, queries in ((f.about or "", f.value) for f in asked):
        precision, recall, error = (
            facts.value("utility", fact, kind)
            for fact in ("precision", "recall", "median relative error")
        )
        for name, share in (("precision", precision), ("recall", recall), ("median error", error)):
            if share is not None:
                drawn.append(Bar(f"{kind}: {name}", share, percent(share), name == "median error"))
        rows.append((kind, count(queries), percent(precision), percent(recall), percent(error)))
    return Section(
        "How well it answers queries",
        ("The release and its source answer the same random queries. Precision and recall describe "
         "the series that a query finds. Errors are shares of the true count.",),
        bars("Precision and recall, and errors of counts", drawn),
        (Table.of(("Query", "Queries", "Precision", "Recall", "Median error"), rows),),
    )  # fmt: skip


def _warned(facts: Facts) -> Section:
    """Return the section on warnings.

    Without a sensitive column no warning can be found, and the section says so.
    """
    if facts.value("breach", "worst by both") is None:
        said = "The call names no sensitive column, so that tanon looked for no warnings about one."
        return Section("Warnings", (said,))
    return warnings(facts)
