"""Nobody is late alone: a snapshot stays, moves on or is suppressed as a whole.

Where a record goes then depends on when it happened and on nothing else, so that to be late tells
no more about a value than the day itself. Open snapshots are cut into runs: a run is published
where its last snapshot is, if what it pools is l-eligible; a snapshot in no run is lost.
"""

from dataclasses import dataclass

from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


@dataclass
class Day:
    """One open snapshot, what losing it costs, and where runs that end here may begin."""

    counts: Counts
    records: int
    worth: int
    stays: bool
    begins: list[int] | None = None


class CoveredWindow:
    """Snapshots whose place is not decided yet, and those that wait for their slot."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.open: dict[int, Day] = {}
        self.waiting: dict[int, list[Flow]] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        if counts:
            self._open(now, counts)
        return self.release(now - self.settings.w + 1)

    def _open(self, home: int, counts: Counts) -> None:
        worth = sum(self.settings.betas[value] * n for value, n in counts.items())
        self.open[home] = Day(counts, sum(counts.values()), worth, self._eligible(counts))

    def _eligible(self, counts: Counts) -> bool:
        return eligible_level(counts.values(), self.settings.l) == max(counts.values())

    def release(self, last: int) -> list[Flow]:
        """Decide every snapshot up to last, hand out the slots up to it and what is lost."""
        released: list[Flow] = []
        while self.open and next(iter(self.open)) <= last:
            homes, slot = self._first_run()
            to = released if slot is None else self.waiting.setdefault(slot, [])
            for home in homes:
                counts = self.open.pop(home).counts
                to += [(value, home, slot, n) for value, n in counts.items()]
        for slot in sorted(slot for slot in self.waiting if slot <= last):
            released += self.waiting.pop(slot)
        return released

    def _first_run(self) -> tuple[list[int], int | None]:
        """Return the first run of the cheapest cut of all that is open, and its slot."""
        homes = list(self.open)
        if all(day.stays for day in self.open.values()):
            return homes[:1], homes[0]
        end = self._cut(homes)
        return (homes[:1], None) if end is None else ([h for h in homes if h <= end], end)

    def _cut(self, homes: list[int]) -> int | None:
        """Return where the first run of the cheapest cut ends, None if its snapshot is lost."""
        # what the snapshots before each place cost, and how the first of them fares then
        best: list[tuple[int, int | None]] = [(0, None)]
        for at, home in enumerate(homes):
            cost, end = best[at]
            choices = [(cost + self.open[home].worth, end)]
            moved, start = 0, at
            for begin in self._begins(home):
                while start and homes[start] > begin:
                    start -= 1
                    distance = home - homes[start]
                    moved += self.settings.mu[distance] * self.open[homes[start]].records
                if homes[start] != begin:
                    break
                choices.append((best[start][0] + moved, best[start][1] if start else home))
            best.append(min(choices, key=lambda choice: (choice[0], choice[1] is None)))
        return best[-1][1]

    def _begins(self, end: int) -> list[int]:
        """Return the snapshots where an eligible run with this end begins, the latest first."""
        day = self.open[end]
        if day.begins is None:
            day.begins = []
            pooled: dict[int, int] = {}
            for home in reversed(self.open):
                if end - home >= self.settings.w:
                    break
                if home > end:
                    continue
                for value, n in self.open[home].counts.items():
                    pooled[value] = pooled.get(value, 0) + n
                if self._eligible(pooled):
                    day.begins.append(home)
        return day.begins

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return not self.open

    def finish(self) -> list[Flow]:
        """End the stream: place what is still open for good."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the open records; those that are decided have a slot."""
        rows: list[Flow] = [flow for slot in sorted(self.waiting) for flow in self.waiting[slot]]
        for home, day in self.open.items():
            rows += [(value, home, None, n) for value, n in day.counts.items()]
        return State(self.now, rows)

    def restore(self, state: State) -> None:
        """Continue from the state of another window of the same settings."""
        self.now, self.open, self.waiting = state.now, {}, {}
        homes: dict[int, dict[int, int]] = {}
        for flow in state.rows:
            value, home, slot, n = flow
            if slot is None:
                homes.setdefault(home, {})[value] = n
            else:
                self.waiting.setdefault(slot, []).append(flow)
        for home in sorted(homes):
            self._open(home, homes[home])
