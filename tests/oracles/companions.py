"""The cheapest placement in which no way tells more than its day, by trying every way to split."""

from functools import cache
from itertools import product


def cheapest_with_companions(l, w, mu, betas, days, last):  # noqa: E741
    """Minimal loss over days {home: {value: n}}, published in slots up to last or suppressed."""
    values = sorted({value for counts in days.values() for value in counts})
    pooled = {(0,) * (len(values) * (last + 1)): 0}
    for home, counts in days.items():
        reached = {}
        for split, cost in fair_splits(l, w, mu, betas, home, counts, last):
            for before, spent in pooled.items():
                after = list(before)
                for slot, way in split:
                    for value, n in way.items():
                        after[slot * len(values) + values.index(value)] += n
                key = tuple(after)
                reached[key] = min(reached.get(key, spent + cost), spent + cost)
        pooled = reached
    return min(
        cost
        for sizes, cost in pooled.items()
        if all(
            l * max(sizes[at : at + len(values)]) <= sum(sizes[at : at + len(values)])
            for at in range(0, len(sizes), len(values))
        )
    )


def fair_splits(l, w, mu, betas, home, counts, last):  # noqa: E741
    """(ways that are published, their cost and that of what is lost), each way fair."""
    slots = [*range(home, min(home + w - 1, last) + 1), None]
    size = sum(counts.values())
    found = {}
    for parts in product(*(tuple(compositions(n, len(slots))) for n in counts.values())):
        ways = [
            (slot, {value: part[i] for value, part in zip(counts, parts, strict=True)})
            for i, slot in enumerate(slots)
        ]
        if all(is_fair(l, way, counts, size) for _, way in ways):
            cost = sum(
                n * (betas[value] if slot is None else mu[slot - home])
                for slot, way in ways
                for value, n in way.items()
            )
            found[repr(ways)] = [(s, way) for s, way in ways if s is not None], cost
    return found.values()


def is_fair(l, way, counts, size):  # noqa: E741
    total = sum(way.values())
    return all(l * n <= total or n * size <= counts[value] * total for value, n in way.items())


@cache
def compositions(n, parts):
    """All ways to write n as a sum of so many counts."""
    if parts == 1:
        return [(n,)]
    return [(i, *rest) for i in range(n + 1) for rest in compositions(n - i, parts - 1)]
