"""The sections of a report on itemsets without inference channels."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, bars
from tanon_duck.reporting.shared import figures, there, warnings
from tanon_duck.reporting.words import count, percent

LIMITS = (
    ("Bounds", "That an itemset is missing says that its support is below min_support, and bounds "
     "can be deduced from that."),
    ("One release", "A second release, a transaction later, shows by how much each support rose."),
    ("Impossible patterns", "Who knows that a pattern cannot occur counts the imagined "
     "transactions in it."),
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """Where much had to be changed, or what was closed can be read."""
    said = {
        "much changed": "of the transactions were added or left out: the supports say little",
        "told count": "of the closed patterns can be read back by whoever knows k",
    }
    return [
        f"{percent(fact.value)} {said[fact.fact]}"
        for fact in facts.of("warnings")
        if fact.fact in said
    ]


def verdict(facts: Facts) -> str:
    """One sentence."""
    return (
        "The promise holds: no supports give a small pattern away"
        if facts.hold else "The promise does not hold: supports give small patterns away"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """The figures that are read first."""
    found = [
        Tile(count(facts.value("release", "itemsets")), "itemsets released"),
        Tile(percent(facts.value("loss", "share of supports changed")), "of the supports changed"),
        Tile(percent(facts.value("loss", "mean change")), "mean change of a support"),
    ]
    closed = facts.value("channels", "all")
    return found if closed is None else [*found, Tile(count(closed), "channels closed")]


def promises(facts: Facts) -> list[Promise]:
    """What is held to what."""
    return [
        Promise(f"no channels: {f.text}", f"{count(f.value)} channels", f.holds is not False)
        for f in facts.of("promise")
    ]


def sections(facts: Facts) -> list[Section]:
    """All of them."""
    return there(
        figures(facts, "release", "What was released"), _channels(facts), _supports(facts),
        figures(facts, "loss", "What it costs"), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _channels(facts: Facts) -> Section | None:
    found = list(facts.of("channels", "closed"))
    if not found:
        return None
    drawn = [Bar(f"{f.about} transactions", f.value or 0, count(f.value), True) for f in found]
    rows = [(f.about or "", count(f.value)) for f in found]
    return Section(
        "Channels closed",
        ("For the owner alone: patterns of so few transactions could have been worked out.",),
        bars("Channels by the transactions that show the pattern", drawn),
        (Table.of(("Transactions", "Channels"), rows),),
    )


def _supports(facts: Facts) -> Section | None:
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
