"""Build the sections of a report on the two tables of Anatomy."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Tile
from tanon_duck.reporting.shared import (
    ONE_SECRET,
    WHO_IS_IN_IT,
    at_most,
    attacks,
    existing,
    figures,
    group_sizes,
    utility,
    warnings,
)
from tanon_duck.reporting.words import count, percent

LIMITS = (
    WHO_IS_IN_IT,
    ("Shared properties", "If all values of a group share a property, the release reveals it for "
     "each person of the group."),
    ONE_SECRET,
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """Return the sentences that the page shows in red below the verdict."""
    return [
        f"{percent(fact.value)} of the rows belong to persons whose value a reader can infer: only "
        "one value is in all groups of such a person"
        for fact in facts.of("warnings", "followed")
    ]


def verdict(facts: Facts) -> str:
    """Return one sentence that says whether the promise holds."""
    return (
        "The promise holds: no value is too frequent in any group"
        if facts.hold else "The promise does not hold: see the table of promises"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the top of the page."""
    return [
        Tile(count(facts.value("release", "rows released", "in groups")), "rows released"),
        Tile(count(facts.value("release", "groups", "in groups")), "groups"),
        Tile(
            percent(facts.value("promise", "largest share of a value in a group")),
            "largest share of a value in a group",
        ),
    ]


def promises(facts: Facts) -> list[Promise]:
    """Return each promise with the figure that was found."""
    return at_most(facts)


def sections(facts: Facts) -> list[Section]:
    """Return all sections that have facts in this edition."""
    return existing(
        figures(facts, "release", "What was released"), group_sizes(facts), utility(facts),
        attacks(facts), warnings(facts), Section("What is not promised", notes=LIMITS),
    )  # fmt: skip
