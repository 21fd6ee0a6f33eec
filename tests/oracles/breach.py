"""The possible set of a target by its definition: every published row against every target."""

from oracles.simple_release import word


def holds(row, values, known):
    """Whether the published ranges hold the values at the known positions (None: withheld)."""
    return all(
        (row["low"][i] is None or row["low"][i] <= values[i])
        and (row["high"][i] is None or values[i] <= row["high"][i])
        for i in known
    )


def spells(row, values):
    """Whether the published word is that of the series at the published level ('.': withheld)."""
    own = word(values, row["level"])
    return all(
        letter == "." or ord(letter) - ord("a") == own[i] for i, letter in enumerate(row["word"])
    )


def possible(published, values, known):
    """Return the rows that may be the target's by values, by pattern and by both."""
    by_values = [row for row in published if holds(row, values, known)]
    by_pattern = [row for row in published if spells(row, values)]
    return by_values, by_pattern, [row for row in by_values if spells(row, values)]


def told(published, values, known):
    """Return the rows that may be the target's for who also reads own_pattern."""
    return [
        row
        for row in published
        if row.get("own_pattern") is not None
        and holds(row, values, known)
        and row["own_pattern"] == spells(row, values)
    ]


def breach(published, values, secret, known=None):
    """Return the three probabilities and the sizes of the three possible sets.

    Who knows values and pattern uses whichever of them, or both, tells most.
    """
    known = range(len(values)) if known is None else known
    sets = possible(published, values, known)
    every = (*sets, told(published, values, known))
    hits = [sum(row["secret"] == secret for row in rows) for rows in every]
    shares = [hit / len(rows) if rows else 0.0 for hit, rows in zip(hits, every, strict=True)]
    return (*shares[:2], max(shares), *(len(rows) for rows in sets))
