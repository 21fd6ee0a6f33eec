"""The sections of a report on a (k,P)-anonymous release."""

from __future__ import annotations

import json

from tanon_duck.reporting.curves import envelopes
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, bars
from tanon_duck.reporting.shared import attacks, figures, there, warnings
from tanon_duck.reporting.words import count, number, percent

LIMITS = (
    ("Sensitive values", "k beyond P protects ranges. The sensitive value is one of P, and less "
     "where it repeats within a P-group or continues the series."),
    ("One release", "A second release, with other arguments or one more reading, cuts the same "
     "persons into other groups, and both together tell more."),
    ("Withheld series", "A series that is left out is not in any count."),
)  # fmt: skip
_DRAWN = 6


def alarms(facts: Facts) -> list[str]:
    """An adversary who is right more often than promised, or sees the sensitive value."""
    found = [
        f"Who {fact.text} is right {percent(fact.value)} of the time"
        for fact in facts.of("attacks", "inference")
        if fact.value is not None and fact.bound is not None and fact.value > fact.bound
    ]
    worst = facts.value("breach", "worst by both")
    if worst is not None and worst > 0.5:
        found.append(f"Somebody's sensitive value is told with a chance of {percent(worst)}")
    return found


def verdict(facts: Facts) -> str:
    """One sentence."""
    return (
        "The promise holds: every series shares its ranges and its word with others"
        if facts.hold else "The promise does not hold: see what was promised and found"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """The figures that are read first."""
    found = [
        Tile(count(facts.value("release", "series released")), "series released"),
        Tile(number(facts.value("loss", "value loss")), "value loss"),
        Tile(number(facts.value("loss", "pattern loss")), "pattern loss"),
    ]
    worst = facts.value("breach", "worst by both")
    told = Tile(percent(worst), "worst chance of a sensitive value")
    return found if worst is None else [*found, told]


def promises(facts: Facts) -> list[Promise]:
    """What is held to what."""
    return [
        Promise(f"at least {count(f.bound)} {f.fact}", count(f.value), f.holds is not False)
        for f in facts.of("promise")
    ]


def sections(facts: Facts) -> list[Section]:
    """All of them."""
    return there(
        figures(facts, "release", "What was released"), _words(facts),
        figures(facts, "loss", "What it costs"), figures(facts, "breach", "Breach"),
        _answers(facts), attacks(facts), _warned(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _words(facts: Facts) -> Section | None:
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
        ("For the owner alone, as ranges end at readings. The largest groups are drawn.",),
        envelopes("The range that the series of a group share at each position", drawn),
        (Table.of(("Word", "Series", "Level"), table),),
    )


def _answers(facts: Facts) -> Section | None:
    """Random queries of each kind: sets of series are found or not, counts are near or not."""
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
        ("Random queries, answered by the release and by its source. Precision and recall are of "
         "the series that are found, errors a share of the true count.",),
        bars("Precision and recall, and errors of counts", drawn),
        (Table.of(("Query", "Asked", "Precision", "Recall", "Median error"), rows),),
    )  # fmt: skip


def _warned(facts: Facts) -> Section:
    """Of a release without a sensitive column nothing was looked for."""
    if facts.value("breach", "worst by both") is None:
        said = "No sensitive column is named: what the release tells of one was not looked for."
        return Section("Warnings", (said,))
    return warnings(facts)
