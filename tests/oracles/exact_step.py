"""The cheapest outcome of one recycle-reposition step, by exhaustive search.

Slot sizes per value before `now` stay as they are, the newest slot takes what it likes, any
record may be published in any slot from its home on. No greedy, no chains, no timestamp order.
"""

from functools import cache


def cheapest(l, w, now, mu, betas, rows, counts):  # noqa: E741
    """Minimal loss of the window's records: rows (value, home, slot or None, n) + arrivals."""
    options = {}
    for value in {row[0] for row in rows} | set(counts):
        homes, sizes = [], {}
        for v, home, slot, n in rows:
            if v == value:
                homes += [home] * n
                if slot is not None:
                    sizes[slot] = sizes.get(slot, 0) + n
        homes += [now] * counts.get(value, 0)
        options[value] = _costs_by_size(homes, sizes, now, mu[:w], betas[value])
    best = None
    for level in range(max((max(o) for o in options.values()), default=0) + 1):
        sums = {0: 0}
        for costs in options.values():
            merged = {}
            for size, cost in sums.items():
                for n, extra in costs.items():
                    if n <= level:
                        key = size + n
                        merged[key] = min(merged.get(key, cost + extra), cost + extra)
            sums = merged
        for size, cost in sums.items():
            if size >= l * level and (best is None or cost < best):
                best = cost
    return best


def _costs_by_size(homes, sizes, now, mu, beta):
    """Records published now -> cheapest assignment that fills the earlier slots exactly."""
    slots = sorted(sizes)

    @cache
    def place(index, open_places, taken):
        if index == len(homes):
            return 0 if not any(open_places) and not taken else None
        best = None
        outcomes = [(beta, open_places, taken)]
        for i, slot in enumerate(slots):
            if open_places[i] and 0 <= slot - homes[index] < len(mu):
                left = (*open_places[:i], open_places[i] - 1, *open_places[i + 1 :])
                outcomes.append((mu[slot - homes[index]], left, taken))
        if taken and now - homes[index] < len(mu):
            outcomes.append((mu[now - homes[index]], open_places, taken - 1))
        for cost, places, rest in outcomes:
            tail = place(index + 1, places, rest)
            if tail is not None and (best is None or cost + tail < best):
                best = cost + tail
        return best

    start = tuple(sizes[slot] for slot in slots)
    costs = {n: place(0, start, n) for n in range(len(homes) + 1)}
    return {n: cost for n, cost in costs.items() if cost is not None}
