"""Build the sections of a report on a published stream of snapshots."""

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
    existing,
    figures,
    group_sizes,
    utility,
    warnings,
)
from tanon_duck.reporting.words import count, number, percent

LIMITS = (
    WHO_IS_IN_IT,
    ("Late and suppressed records", "With lateness 'any' most of these records have the value that "
     "was too frequent. A reader who does not find a person can guess it."),
    ONE_SECRET,
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """Return a sentence for each guess that late or suppressed records allow."""
    known = {
        "true day of the late": "the true day of a late record",
        "true day of the missing": "the true day of a suppressed record",
        "missing": "that a person is in the stream, and does not find the person,",
    }
    return [
        f"A reader who knows {what} is right up to {percent(fact.value)}"
        for warning, what in known.items()
        for fact in facts.of("warnings", warning)
    ]


def verdict(facts: Facts) -> str:
    """Return one sentence that says whether the promise holds."""
    return (
        "The promise holds: every published snapshot is l-eligible"
        if facts.hold else "The promise does not hold: see the table of promises"
    )  # fmt: skip


def tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the top of the page."""
    return [
        Tile(count(facts.value("release", "records released")), "records released"),
        Tile(count(facts.value("release", "snapshots")), "snapshots"),
        Tile(number(facts.value("loss", "information loss")), "information loss"),
        Tile(
            percent(facts.value("loss", "error of counts in 7")), "error of counts in 7 snapshots"
        ),
    ]


def promises(facts: Facts) -> list[Promise]:
    """Return each promise with the figure that was found."""
    return at_most(facts)


def sections(facts: Facts) -> list[Section]:
    """Return all sections that have facts in this edition."""
    return existing(
        figures(facts, "release", "What was released"), _eligibility(facts), _distances(facts),
        group_sizes(facts), figures(facts, "loss", "Loss, and errors of queries"),
        utility(facts), attacks(facts), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _eligibility(facts: Facts) -> Section | None:
    """Return the section on the largest l of each snapshot, before and after."""
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
        ("The largest l for which each snapshot is eligible. The dotted line is before, the solid "
         "line "
         "after. An empty snapshot is eligible for every l.",),
        before_and_after("Eligibility over time", drawn[0], drawn[1], allowed,
                         f"the dashed line is l = {number(allowed)}"),
        (Table.of(("Snapshot", "Before", "After", "Published"), rows),),
    )  # fmt: skip


def _distances(facts: Facts) -> Section | None:
    """Return the section on how many snapshots later records are released."""
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
