"""Which equal series a grouping tears apart, and whether they could have stayed together."""

from collections import Counter
from itertools import combinations


def torn(series, groups):
    """Return (series, group, group) for every series that stands in two groups."""
    homes = {}
    for row, group in zip(map(tuple, series), groups, strict=True):
        homes.setdefault(row, set()).add(group)
    return [(row, *pair) for row, found in homes.items() for pair in combinations(sorted(found), 2)]


def could_part(rows, smallest):
    """Tell whether the rows make two sides of at least that many, no equal rows apart.

    Every set of different rows is tried as one of the sides.
    """
    counts = list(Counter(map(tuple, rows)).values())
    total = sum(counts)
    return any(
        smallest <= sum(side) <= total - smallest
        for size in range(1, len(counts))
        for side in combinations(counts, size)
    )


def torn_without_need(series, groups, smallest):
    """Return the torn series whose two groups could have been made without tearing any."""
    return [
        (row, one, other)
        for row, one, other in torn(series, groups)
        if could_part(
            [s for s, g in zip(series, groups, strict=True) if g in (one, other)], smallest
        )
    ]
