"""The cheapest l-eligible placement of records in a few slots, by trying every slot size."""

from itertools import product


def cheapest_placement(l, w, mu, betas, pending, low, high):  # noqa: E741
    """Minimal loss of publishing or suppressing pending {(value, home): n} in low..high."""
    slots = range(low, high + 1)
    choices = []
    for value in sorted({value for value, _ in pending}):
        homes = [home for (v, home), n in pending.items() if v == value for _ in range(n)]
        cheapest = {}
        for places in product([None, *slots], repeat=len(homes)):
            cost = 0
            for home, slot in zip(homes, places, strict=True):
                if slot is None:
                    cost += betas[value]
                elif 0 <= slot - home <= w - 1:
                    cost += mu[slot - home]
                else:
                    break
            else:
                sizes = tuple(places.count(slot) for slot in slots)
                cheapest[sizes] = min(cost, cheapest.get(sizes, cost))
        choices.append(list(cheapest.items()))
    return min(
        sum(cost for _, cost in combination)
        for combination in product(*choices)
        if all(
            l * max(column) <= sum(column)
            for column in zip(*(s for s, _ in combination), strict=True)
        )
    )
