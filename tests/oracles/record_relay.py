"""The corrected greedy of recycle-reposition on single records, written to be obvious.

Every record is a [value, home] pair in a list per slot; every relay moves records one by one.
"""

import itertools
import math


class RecordRelay:
    def __init__(self, l, w, mu, betas):  # noqa: E741
        self.l, self.w, self.mu, self.betas = l, w, mu, betas
        self.published = {}  # slot -> value -> homes
        self.suppressed = {}  # home -> value -> number
        self.now = None
        self.undone = self.relayed = 0

    def step(self, now, counts):
        self.now = now
        for slot in [slot for slot in self.published if slot <= now - self.w]:
            del self.published[slot], self.suppressed[slot]
        self.published[now] = {value: [now] * n for value, n in counts.items() if n}
        self.suppressed[now] = {}
        while not self._eligible():
            longest = max(map(len, self.published[now].values()))
            value = min(v for v, homes in self.published[now].items() if len(homes) == longest)
            self.published[now][value].pop()
            self.suppressed[now][value] = self.suppressed[now].get(value, 0) + 1
        self._greedy()
        self._assert_invariants()

    def _eligible(self):
        sizes = [len(homes) for homes in self.published[self.now].values()]
        return self.l * max(sizes, default=0) <= sum(sizes)

    def _size(self):
        return sum(map(len, self.published[self.now].values()))

    def _chain(self, value):
        """Home of the best suppressed record and the relay's (from, to, ts) hops."""
        homes = [h for h, pool in self.suppressed.items() if pool.get(value)]
        if not homes:
            return None
        home = max(homes)
        slots = [
            s
            for s in sorted(self.published)
            if home < s < self.now and self.published[s].get(value)
        ]
        stops = [home, *slots, self.now] if home < self.now else [home]
        hops = []
        for here, there in itertools.pairwise(stops):
            homes_here = self.published[here].get(value, [])
            ts = home if here == home else max(homes_here)
            hops.append((here, there, ts))
        return home, hops

    def _gain(self, value):
        chain = self._chain(value)
        if chain is None:
            return None
        psi = sum(self.mu[there - ts] - self.mu[here - ts] for here, there, ts in chain[1])
        return self.betas[value] - psi

    def _relay(self, value):
        home, hops = self._chain(value)
        self.suppressed[home][value] -= 1
        self.published[home].setdefault(value, []).append(home)
        for here, there, ts in hops:
            self.published[here][value].remove(ts)
            self.published[there].setdefault(value, []).append(ts)

    def _best(self, below):
        candidates = []
        for value in sorted({v for pool in self.suppressed.values() for v in pool}):
            gain = self._gain(value)
            if gain is not None and len(self.published[self.now].get(value, [])) < below:
                candidates.append((-gain, value))
        return min(candidates) if candidates else None

    def _copy(self):
        return (
            {s: {v: list(homes) for v, homes in p.items()} for s, p in self.published.items()},
            {h: dict(pool) for h, pool in self.suppressed.items()},
        )

    def _greedy(self):
        h = max(map(len, self.published[self.now].values()), default=0)
        total = 0
        while (best := self._best(h)) and best[0] < 0:
            self._relay(best[1])
            total -= best[0]
        best_total, mark, smallest = total, self._copy(), 0
        while True:
            need = max(0, math.ceil(self.l * (h + 1)) - self._size())
            relayed, any_positive = 0, False
            while best := self._best(h + 1):
                if relayed >= need and best[0] >= 0:
                    break
                self._relay(best[1])
                relayed += 1
                total -= best[0]
                smallest = min(smallest, -best[0])
                any_positive |= best[0] < 0
            if relayed < need or not any_positive:
                break
            h += 1
            if total > best_total:
                best_total, mark = total, self._copy()
                continue
            if self.l.denominator == 1:
                break
            slack = math.ceil(self.l * h) - self.l * h
            if total + slack * max(0, -smallest) <= best_total:
                break
        self.published, self.suppressed = mark

    def _assert_invariants(self):
        for value in range(len(self.betas)):
            youngest = None
            for slot in sorted(self.published):
                homes = self.published[slot].get(value, [])
                assert all(0 <= slot - home <= self.w - 1 for home in homes)
                if homes:
                    assert youngest is None or min(homes) >= youngest, "I1"
                    youngest = max(homes)
            for home, pool in self.suppressed.items():
                if pool.get(value):
                    later = [
                        ts
                        for s, p in self.published.items()
                        if s >= home
                        for ts in p.get(value, [])
                    ]
                    assert all(ts >= home for ts in later), "I2"

    def cells(self):
        """(value, home, slot or None) -> records of the window."""
        cells = {}
        for slot, places in self.published.items():
            for value, homes in places.items():
                for home in homes:
                    cells[value, home, slot] = cells.get((value, home, slot), 0) + 1
        for home, pool in self.suppressed.items():
            for value, n in pool.items():
                if n:
                    cells[value, home, None] = n
        return cells
