"""Build the sections of a report on itemsets without inference channels."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, bars
from tanon_duck.reporting.shared import existing, figures, warnings
from tanon_duck.reporting.words import count, percent

LIMITS = (
    ("Bounds", "If an itemset is missing, its support is below min_support. A reader can deduce "
     "bounds from that."),
    ("One release", "A second release, one transaction later, shows how much each support rose."),
    ("Impossible patterns", "A reader who knows that a pattern cannot occur can count "
     "the added transactions that contain it."),
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """Return the sentences that the page shows in red below the verdict."""
    said = {
        "much changed": "of the transactions were added or suppressed, so that supports are "
        "inaccurate",
        "told count": "of the closed patterns can be computed by a reader who knows k",
    }
    return [
        f"{percent(fact.value)} {said[fact.fact]}"
        for fact in facts.of("warnings")
        if fact.fact in said
    ]


def verdict(facts: Facts) -> str:
    """Return one sentence that says whether the promise holds."""
    return (
        "The promise holds: no supports reveal a small pattern"
        if facts.hold else "The promise does not hold: supports reveal small patterns"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the top of the page."""
    found = [
        Tile(count(facts.value("release", "itemsets")), "itemsets released"),
        Tile(percent(facts.value("loss", "share of supports changed")), "of the supports changed"),
        Tile(percent(facts.value("loss", "mean change")), "mean change of a support"),
    ]
    closed = facts.value("channels", "all")
    return found if closed is None else [*found, Tile(count(closed), "channels closed")]


def promises(facts: Facts) -> list[Promise]:
    """Return each promise with the figure that was found."""
    return [
        Promise(f"no channels: {f.text}", f"{count(f.value)} channels", f.holds is not False)
        for f in facts.of("promise")
    ]


def sections(facts: Facts) -> list[Section]:
    """Return all sections that have facts in this edition."""
    return existing(
        figures(facts, "release", "What was released"), _channels(facts), _supports(facts),
        figures(facts, "loss", "What it costs"), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _channels(facts: Facts) -> Section | None:
    """Return the section on closed channels, None in the edition for others."""
    found = list(facts.of("channels", "closed"))
    if not found:
        return None
    drawn = [Bar(f"{f.about} transactions", f.value or 0, count(f.value), True) for f in found]
    rows = [(f.about or "", count(f.value)) for f in found]
    return Section(
        "Channels closed",
        (
            "Only the owner may see this section. Without closing, a reader could deduce these "
            "patterns of "
            "few transactions.",
        ),
        bars("Channels by the transactions that show the pattern", drawn),
        (Table.of(("Transactions", "Channels"), rows),),
    )


def _supports(facts: Facts) -> Section | None:
    """Return the section on how much supports changed, None without facts."""
    found = list(facts.of("supports"))
    if not found:
        return None
    drawn = [Bar(f"{f.about} % or less", f.value or 0, count(f.value)) for f in found]
    rows = [(f"{f.about} % or less", count(f.value)) for f in found]
    return Section(
        "By how much supports changed",
        picture=bars("Itemsets by how much their support changed", drawn),
        tables=(Table.of(("Change", "Itemsets"), rows),),
    )
