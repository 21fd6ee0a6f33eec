"""The sections of a report on the two tables of Anatomy."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Tile
from tanon_duck.reporting.shared import (
    ONE_SECRET,
    WHO_IS_IN_IT,
    at_most,
    attacks,
    figures,
    group_sizes,
    there,
    utility,
    warnings,
)
from tanon_duck.reporting.words import count, percent

LIMITS = (
    WHO_IS_IN_IT,
    ("What is shared", "What the values of a group have in common is told of all who are in it."),
    ONE_SECRET,
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """What is learnt of individuals beside the promise."""
    return [
        f"{percent(fact.value)} of the rows are of somebody who is followed from one partition to "
        "the next: one value is in all of their groups"
        for fact in facts.of("warnings", "followed")
    ]


def verdict(facts: Facts) -> str:
    """One sentence."""
    return (
        "The promise holds: no value is too frequent in any group"
        if facts.hold else "The promise does not hold: see what was promised and found"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """The figures that are read first."""
    return [
        Tile(count(facts.value("release", "rows released", "in groups")), "rows released"),
        Tile(count(facts.value("release", "groups", "in groups")), "groups"),
        Tile(
            percent(facts.value("promise", "largest share of a value in a group")),
            "largest share of a value in a group",
        ),
    ]


def promises(facts: Facts) -> list[Promise]:
    """What is held to what."""
    return at_most(facts)


def sections(facts: Facts) -> list[Section]:
    """All of them."""
    return there(
        figures(facts, "release", "What was released"), group_sizes(facts), utility(facts),
        attacks(facts), warnings(facts), Section("What is not promised", notes=LIMITS),
    )  # fmt: skip
