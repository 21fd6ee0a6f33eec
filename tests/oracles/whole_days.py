"""The cheapest way to cut snapshots into runs that move as a whole, by trying every cut."""

from itertools import product


def cheapest_cut(l, w, mu, betas, days):  # noqa: E741
    """Minimal loss over days {home: {value: n}}: each ends a run, goes with the next or is lost."""
    homes = sorted(days)
    best = None
    for fates in product(("ends", "with next", "lost"), repeat=len(homes)):
        cost = cost_of(l, w, mu, betas, days, homes, fates)
        if cost is not None and (best is None or cost < best):
            best = cost
    return best


def cost_of(l, w, mu, betas, days, homes, fates):  # noqa: E741
    cost, run = 0, []
    for home, fate in zip(homes, fates, strict=True):
        if fate == "lost":
            if run:
                return None
            cost += sum(betas[value] * n for value, n in days[home].items())
            continue
        run.append(home)
        if fate == "with next":
            continue
        pooled = {}
        for member in run:
            if home - member >= w:
                return None
            for value, n in days[member].items():
                pooled[value] = pooled.get(value, 0) + n
                cost += mu[home - member] * n
        if l * max(pooled.values()) > sum(pooled.values()):
            return None
        run = []
    return None if run else cost
