"""The sections of a report on a k-anonymous release, in the order in which they are read."""

from __future__ import annotations

from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.page import Promise, Section, Table, Tile
from tanon_duck.reporting.pictures import Bar, Node, bars, lattice
from tanon_duck.reporting.shared import attacks, there, utility, warnings
from tanon_duck.reporting.words import count, number, percent, spoken

LIMITS = (
    ("One release", "k-anonymity of two releases of one table does not add up: publish closed "
     "periods once, in one granularity."),
    ("One row", "Whoever can link the rows of a person looks for who is in all of the groups."),
    ("What is shared", "What all in a group have in common is told of each of them."),
    ("Kept columns", "A kept column is not protected: whoever knows it finds more than the promise "
     "says."),
    ("Fractions", "An attack here is a simulation with stated knowledge. No figure is a legal "
     "judgement."),
)  # fmt: skip


def alarms(facts: Facts) -> list[str]:
    """The lines that matter more than a verdict."""
    kept = [f for f in facts.of("what if", "singled out") if f.text == "kept" and f.value]
    return [
        f"{fact.about} leaves unprotected: whoever also knows it singles out "
        f"{percent(fact.value)} of the respondents"
        for fact in kept
    ] + [
        f"All kept columns together single out {percent(fact.value)} of the respondents"
        for fact in facts.of("warnings", "together")
    ]


def verdict(facts: Facts) -> str:
    """One sentence."""
    if not facts.hold:
        return "The promise does not hold: see what was promised and found"
    least = facts.value("promise", "smallest group")
    if least is None:
        return "The promise holds: the release has no rows"
    shared = "quasi-identifiers and time" if _time(facts) else "quasi-identifiers"
    return f"The promise holds: {count(least)} respondents or more share {shared}"


def tiles(facts: Facts) -> list[Tile]:
    """The figures that are read first."""
    levels = [f"{f.about} {count(f.value)}" for f in facts.of("columns") if f.bound]
    return [
        *([Tile(spoken(_time(facts)), "time is released by")] if _time(facts) else []),
        *([Tile(", ".join(levels), "levels of what is generalized")] if levels else []),
        Tile(count(facts.value("promise", "smallest group")), "respondents in the smallest group"),
        Tile(percent(facts.value("promise", "share left out")), "of the rows left out"),
        Tile(count(facts.value("release", "respondents released")), "respondents released"),
    ]


def _time(facts: Facts) -> str:
    """The granularity that is released; empty where there is no time."""
    return facts.text("release", "granularity")


def promises(facts: Facts) -> list[Promise]:
    """What is held to what."""
    found = []
    for fact in facts.of("promise"):
        if fact.fact in ("smallest group", "smallest remainder"):
            told = count(fact.value) if fact.value is not None else "no group"
            rows = "group" if fact.fact == "smallest group" else "row of the remainder"
            said = f"every {rows} has at least {count(fact.bound)} respondents"
        elif fact.fact == "share left out":
            told, said = percent(fact.value), f"at most {percent(fact.bound)} of the rows left out"
        else:
            name = f"{fact.about}, {fact.fact}" if fact.about else fact.fact
            told, said = number(fact.value), f"{name}: {fact.text} {number(fact.bound)}"
        found.append(Promise(said, told, fact.holds is not False))
    return found


def sections(facts: Facts) -> list[Section]:
    """All of them; those about which nothing may be told in this edition are not there."""
    return there(
        _columns(facts), _choice(facts), _sizes(facts), _risk(facts), _left_out(facts),
        _what_if(facts), utility(facts), attacks(facts), warnings(facts),
        Section("What is not promised", notes=LIMITS),
    )  # fmt: skip


def _columns(facts: Facts) -> Section:
    rows = [(f.about or "", f.fact, f.text or "") for f in facts.of("columns")]
    counted = [
        (fact.fact, number(fact.value) if fact.value is not None else fact.text or "")
        for fact in facts.of("release")
        if fact.fact != "granularity"
    ]
    return Section(
        "What was released, from what",
        tables=(
            Table.of(("Column", "Role", "What was done to it"), rows),
            Table.of(("Counted", ""), counted),
        ),
    )


def _choice(facts: Facts) -> Section | None:
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
        "The trade-off: how coarse time had to be",
        (
            "What lies higher is coarser; a line joins what is directly coarser. The figure is the "
            "share of rows in groups below k; ✓ is allowed. The thick frame is what was taken.",
            *(("Columns are at the levels that were taken.",)
              if any(f.value for f in facts.of("columns")) else ()),
        ),
        lattice("Granularities on offer, finer ones below", nodes, pairs),
        (Table.of(
            ("Granularity", "Below k", "Allowed", "Smallest group", "Groups", ""), rows
        ),),
        second=bars("Rows in groups below k, and what was allowed to be left out", shares, allowed,
             "allowed"),
    )  # fmt: skip


def _sizes(facts: Facts) -> Section | None:
    sizes = list(facts.of("group sizes", "groups"))
    if not sizes:
        return None
    drawn = [
        Bar(f"{f.about} respondents", f.value or 0, f"{count(f.value)} groups", f.holds is False)
        for f in sizes
    ]
    rows = [
        (f.about or "", count(f.value), count(facts.value("group sizes", "rows", f.about)),
         "left out" if f.holds is False else "released")
        for f in sizes
    ]  # fmt: skip
    return Section(
        "Group sizes",
        ("How many groups have so many respondents, as they are released.",),
        bars("Groups by their number of respondents", drawn),
        (Table.of(("Respondents", "Groups", "Rows", ""), rows),),
    )


def _risk(facts: Facts) -> Section | None:
    names, taken = facts.abouts("risk"), _time(facts)
    people = [(f.fact, percent(f.value)) for f in facts.of("risk") if f.about is None]
    as_released = Table.of(("Respondents, as columns and time are released", ""), people)
    if not names:
        return Section("Risk before and after", tables=(as_released,)) if people else None
    drawn, rows = [], []
    for name in names:
        told = [
            facts.value("risk", fact, name)
            for fact in ("alone before", "below k before", "mean risk before", "mean risk after",
                         "largest risk after")
        ]  # fmt: skip
        drawn.append(Bar(
            spoken(name) + (" (released)" if name == taken else ""), told[2] or 0,
            f"{percent(told[2])} → {percent(told[3])}", False,
        ))  # fmt: skip
        rows.append((spoken(name), *(percent(value) for value in told)))
    return Section(
        "Risk before and after, by granularity",
        (
            "The chance of picking the right one of a group, on average over all who are in one: "
            "before groups below k are left out, and after.",
        ),
        bars("Mean chance of being found in a group, before leaving out", drawn),
        (
            Table.of(("Granularity", "Alone", "Below k", "Mean before", "Mean after",
                      "Largest after"), rows),
            as_released,
        ),
    )  # fmt: skip


def _left_out(facts: Facts) -> Section | None:
    kept = list(facts.of("left out", "groups kept by"))
    if not kept:
        return None
    rows = [
        (spoken(f.about) if f.about else "none on offer", count(f.value),
         count(facts.value("left out", "rows kept by", f.about)))
        for f in kept
    ]  # fmt: skip
    groups = [
        (f.about or "", count(f.value), count(f.bound), spoken(f.text) if f.text else "none")
        for f in facts.of("left out", "group")
    ]
    return Section(
        "What is left out, and what would have kept it",
        ("For the owner alone: these groups are nearly names.",),
        tables=(
            Table.of(("Kept whole by", "Groups", "Rows"), rows),
            Table.of(("Group", "Respondents", "Rows", "Kept by"), groups, "The groups"),
        ),
    )


def _what_if(facts: Facts) -> Section | None:
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
        "What each unprotected column would give away",
        (
            "Whoever knows quasi-identifiers, time and this column as well singles out so many of "
            "the respondents. Columns that stay home are not in the release: what they say is "
            "what keeping them would cost.",
        ),
        bars("Respondents whom a column singles out", drawn),
        (Table.of(
            ("Column", "Role", "Singled out", "In groups of one value", "Guessed (without)"), rows
        ),),
    )  # fmt: skip
