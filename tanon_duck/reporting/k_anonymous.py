"""Build the sections of a report on a k-anonymous release."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, Node, bars, lattice
from tanon_duck.reporting.shared import attacks, existing, utility, warnings
from tanon_duck.reporting.words import count, number, percent, spoken

LIMITS = (
    ("One release", "Two k-anonymous releases of one table can reveal more together. Publish "
     "each closed period once, in one granularity."),
    ("One row", "A reader who can link the rows of a person looks for the person who is in all "
     "of their groups."),
    ("Shared values", "If all persons of a group share a value, the release reveals it for each "
     "of them."),
    ("Kept columns", "The promise does not protect a kept column. A reader who knows its values "
                     "can "
     "single out more persons."),
    ("Figures", "Each attack is a simulation with stated knowledge. No figure is a legal "
     "judgement."),
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """Return the sentences that the page shows in red below the verdict."""
    kept = [f for f in facts.of("what if", "singled out") if f.text == "kept" and f.value]
    return [
        f"{fact.about} is released unprotected: a reader who also knows it singles out "
        f"{percent(fact.value)} of the respondents"
        for fact in kept
    ] + [
        f"All kept columns together single out {percent(fact.value)} of the respondents"
        for fact in facts.of("warnings", "together")
    ]


def verdict(facts: Facts) -> str:
    """Return one sentence that says whether the promise holds."""
    if not facts.hold:
        return "The promise does not hold: see the table of promises"
    least = facts.value("promise", "smallest group")
    if least is None:
        return "The promise holds: the release has no rows"
    shared = "quasi-identifiers and time" if _time(facts) else "quasi-identifiers"
    return f"The promise holds: {count(least)} respondents or more share {shared}"


def tiles(facts: Facts) -> list[Tile]:
    """Return the figures at the top of the page."""
    levels = [f"{f.about} {count(f.value)}" for f in facts.of("columns") if f.bound]
    return [
        *([Tile(spoken(_time(facts)), "granularity of the released time")] if _time(facts) else []),
        *([Tile(", ".join(levels), "levels of the generalized columns")] if levels else []),
        Tile(count(facts.value("promise", "smallest group")), "respondents in the smallest group"),
        Tile(percent(facts.value("promise", "share left out")), "of the rows suppressed"),
        Tile(count(facts.value("release", "respondents released")), "respondents released"),
    ]


def _time(facts: Facts) -> str:
    """Return the granularity of the released time, '' if there is no time."""
    return facts.text("release", "granularity")


def promises(facts: Facts) -> list[Promise]:
    """Return each promise with the figure that was found."""
    found = []
    for fact in facts.of("promise"):
        if fact.fact in ("smallest group", "smallest remainder"):
            found_figure = count(fact.value) if fact.value is not None else "no group"
            rows = "group" if fact.fact == "smallest group" else "row of the remainder"
            said = f"every {rows} has at least {count(fact.bound)} respondents"
        elif fact.fact == "share left out":
            found_figure, said = (
                percent(fact.value),
                f"at most {percent(fact.bound)} of the rows suppressed",
            )
        else:
            name = f"{fact.about}, {fact.fact}" if fact.about else fact.fact
            found_figure, said = number(fact.value), f"{name}: {fact.text} {number(fact.bound)}"
        found.append(Promise(said, found_figure, fact.holds is not False))
    return found


def sections(facts: Facts) -> list[Section]:
    """Return all sections that have facts in this edition."""
    return existing(
        _columns(facts), _choice(facts), _sizes(facts), _risk(facts), _left_out(facts),
        _what_if(facts), utility(facts), attacks(facts), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _columns(facts: Facts) -> Section:
    """Return the section that lists each column with its role and its change."""
    rows = [(f.about or "", f.fact, f.text or "") for f in facts.of("columns")]
    counted = [
        (fact.fact, number(fact.value) if fact.value is not None else fact.text or "")
        for fact in facts.of("release")
        if fact.fact != "granularity"
    ]
    return Section(
        "Released columns",
        tables=(
            Table.of(("Column", "Role", "Change"), rows),
            Table.of(("Counted", ""), counted),
        ),
    )


def _choice(facts: Facts) -> Section | None:
    """Return the section on granularities: a graph, and the suppressed shares."""
    names = facts.abouts("granularities")
    if not names:
        return None
    nodes, rows, shares = [], [], []
    allowed = next(f.bound for f in facts.of("granularities", "share below k"))
    for name in names:
        share = next(f for f in facts.of("granularities", "share below k") if f.about == name)
        chosen = next(f for f in facts.of("granularities", "chosen") if f.about == name)
        nodes.append(
            Node(spoken(name), percent(share.value), bool(share.holds), chosen.holds is True)
        )
        shares.append(Bar(spoken(name), share.value or 0, percent(share.value), not share.holds))
        rows.append((
            spoken(name), percent(share.value), "yes" if share.holds else "no",
            number(facts.value("granularities", "smallest group", name)),
            count(facts.value("granularities", "groups", name)),
            "released" if chosen.holds else share.text or "",
        ))  # fmt: skip
    pairs = [(spoken(f.about), spoken(f.text)) for f in facts.of("lattice")]
    return Section(
        "The trade-off: granularity of time",
        (
            "Coarser granularities are drawn higher. A line joins a granularity with the next "
            "coarser "
            "ones. The figure is the share of rows in groups below k. ✓ marks an allowed "
            "granularity, and the thick frame marks the released one.",
            *(("All figures are for the released levels of the columns.",)
              if any(f.value for f in facts.of("columns")) else ()),
        ),
        lattice("Candidate granularities, finer ones below", nodes, pairs),
        (Table.of(
            ("Granularity", "Below k", "Allowed", "Smallest group", "Groups", ""), rows
        ),),
        second=bars("Rows in groups below k, and the share that may be suppressed", shares, allowed,
             "allowed"),
    )  # fmt: skip


def _sizes(facts: Facts) -> Section | None:
    """Return the section on the sizes of groups, None if this edition hides them."""
    sizes = list(facts.of("group sizes", "groups"))
    if not sizes:
        return None
    drawn = [
        Bar(f"{f.about} respondents", f.value or 0, f"{count(f.value)} groups", f.holds is False)
        for f in sizes
    ]
    rows = [
        (f.about or "", count(f.value), count(facts.value("group sizes", "rows", f.about)),
         "suppressed" if f.holds is False else "released")
        for f in sizes
    ]  # fmt: skip
    return Section(
        "Group sizes",
        ("The number of groups by their number of respondents.",),
        bars("Groups by their number of respondents", drawn),
        (Table.of(("Respondents", "Groups", "Rows", ""), rows),),
    )


def _risk(facts: Facts) -> Section | None:
    """Return the section on the risk of re-identification before and after."""
    names, taken = facts.abouts("risk"), _time(facts)
    people = [(f.fact, percent(f.value)) for f in facts.of("risk") if f.about is None]
    as_released = Table.of(("Respondents, by the released columns and time", ""), people)
    if not names:
        return Section("Risk before and after", tables=(as_released,)) if people else None
    drawn, rows = [], []
    for name in names:
        shares = [
            facts.value("risk", fact, name)
            for fact in ("alone before", "below k before", "mean risk before", "mean risk after",
                         "largest risk after")
        ]  # fmt: skip
        drawn.append(Bar(
            spoken(name) + (" (released)" if name == taken else ""), shares[2] or 0,
            f"{percent(shares[2])} → {percent(shares[3])}", False,
        ))  # fmt: skip
        rows.append((spoken(name), *(percent(value) for value in shares)))
    return Section(
        "Risk before and after, by granularity",
        (
            "The chance of picking the right person of a group, averaged over all persons: before "
            "and after tanon suppresses groups below k.",
        ),
        bars("Mean chance of being found in a group, before suppression", drawn),
        (
            Table.of(("Granularity", "Alone", "Below k", "Mean before", "Mean after",
                      "Largest after"), rows),
            as_released,
        ),
    )  # fmt: skip


def _left_out(facts: Facts) -> Section | None:
    """Return the section on suppressed groups, None in the edition for others."""
    kept = list(facts.of("left out", "groups kept by"))
    if not kept:
        return None
    rows = [
        (spoken(f.about) if f.about else "no candidate", count(f.value),
         count(facts.value("left out", "rows kept by", f.about)))
        for f in kept
    ]  # fmt: skip
    groups = [
        (f.about or "", count(f.value), count(f.bound), spoken(f.text) if f.text else "none")
        for f in facts.of("left out", "group")
    ]
    return Section(
        "Suppressed groups, and the granularity that would release them",
        ("Only the owner may see this section, because small groups nearly identify persons.",),
        tables=(
            Table.of(("Granularity", "Groups", "Rows"), rows),
            Table.of(("Group", "Respondents", "Rows", "Released by"), groups, "The groups"),
        ),
    )


def _what_if(facts: Facts) -> Section | None:
    """Return the section on what each unprotected column would reveal."""
    names = facts.abouts("what if")
    if not names:
        return None
    drawn, rows = [], []
    for fact in sorted(facts.of("what if", "singled out"), key=lambda f: -(f.value or 0)):
        kept = fact.text == "kept"
        share = percent(fact.value)
        drawn.append(Bar(f"{fact.about} ({fact.text})", fact.value or 0, share, kept))
        guess = next(f for f in facts.of("what if", "guessed") if f.about == fact.about)
        rows.append((
            fact.about or "", fact.text or "", share,
            percent(facts.value("what if", "one value", fact.about)),
            f"{percent(guess.value)} ({percent(guess.bound)})",
        ))  # fmt: skip
    return Section(
        "What each unprotected column would reveal",
        (
            "A reader who knows the quasi-identifiers, the time and this column singles out this "
            "share of the respondents. The release does not contain columns without a role; their "
            "figures show the cost of releasing them.",
        ),
        bars("Respondents whom a column singles out", drawn),
        (Table.of(
            ("Column", "Role", "Singled out", "In groups of one value", "Guessed (without)"), rows
        ),),
    )  # fmt: skip
