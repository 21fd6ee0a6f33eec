"""The sections of a report on a stream of snapshots, repositioned and split by Anatomy."""

from __future__ import annotations

from tanon_duck.reporting.curves import before_and_after
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, bars
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
from tanon_duck.reporting.words import count, number, percent

LIMITS = (
    WHO_IS_IN_IT,
    ("Late and suppressed records", "With late 'any' most of them have the value that was too "
     "frequent. A reader who misses a person on their day, or everywhere, can guess it."),
    ONE_SECRET,
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """What being late or missing tells."""
    known = {
        "true day of the late": "the true day of a late record",
        "true day of the missing": "the true day of a suppressed record",
        "missing": "that a person is in the stream, and finds them nowhere,",
    }
    return [
        f"A reader who knows {what} is right up to {percent(fact.value)}"
        for warning, what in known.items()
        for fact in facts.of("warnings", warning)
    ]


def verdict(facts: Facts) -> str:
    """One sentence."""
    return (
        "The promise holds: every published snapshot is l-eligible"
        if facts.hold else "The promise does not hold: see what was promised and found"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """The figures that are read first."""
    return [
        Tile(count(facts.value("release", "records released")), "records released"),
        Tile(count(facts.value("release", "snapshots")), "snapshots"),
        Tile(number(facts.value("loss", "information loss")), "information loss"),
        Tile(
            percent(facts.value("loss", "error of counts in 7")), "error of counts in 7 snapshots"
        ),
    ]


def promises(facts: Facts) -> list[Promise]:
    """What is held to what."""
    return at_most(facts)


def sections(facts: Facts) -> list[Section]:
    """All of them."""
    return there(
        figures(facts, "release", "What was released"), _eligibility(facts), _distances(facts),
        group_sizes(facts), figures(facts, "loss", "What it costs, and what queries notice"),
        utility(facts), attacks(facts), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _eligibility(facts: Facts) -> Section | None:
    before = {f.about: f for f in facts.of("eligibility", "before")}
    after = {f.about: f for f in facts.of("eligibility", "after")}
    starts = list(dict.fromkeys([*before, *after]))
    if not starts:
        return None
    allowed = next(f.bound for f in facts.of("eligibility")) or 1
    rows = [
        (start or "", *(
            number(found[start].value) if start in found else "–" for found in (before, after)
        ), after[start].text or "" if start in after else "nothing")
        for start in starts
    ]  # fmt: skip
    drawn = [
        [(found[s].value or 4 * allowed) if s in found else 4 * allowed for s in starts]
        for found in (before, after)
    ]
    return Section(
        "Eligibility before and after",
        ("The largest l for which each snapshot is eligible: dotted before, whole after. An empty "
         "snapshot is eligible for any.",),
        before_and_after("Eligibility over time", drawn[0], drawn[1], allowed,
                         f"the dashed line is l = {number(allowed)}"),
        (Table.of(("Snapshot", "Before", "After", "Published"), rows),),
    )  # fmt: skip


def _distances(facts: Facts) -> Section | None:
    found = list(facts.of("distances"))
    if not found:
        return None
    drawn = [
        Bar(f"{f.about} snapshots later" if f.about != "0" else "at their own snapshot",
            f.value or 0, count(f.value))
        for f in found
    ]  # fmt: skip
    rows = [(f.about or "", count(f.value)) for f in found]
    return Section(
        "How far records moved",
        picture=bars("Records by the snapshots they moved", drawn),
        tables=(Table.of(("Snapshots later", "Records"), rows),),
    )
