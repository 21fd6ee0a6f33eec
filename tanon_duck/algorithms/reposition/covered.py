"""Nobody is late alone: a snapshot stays, moves on or is suppressed as a whole.

Where a record goes then depends on when it happened and on nothing else, so that to be late tells
no more about a value than the day itself. Open snapshots are cut into runs: a run is published
where its last snapshot is, if what it pools is l-eligible; a snapshot in no run is lost.
"""

from dataclasses import dataclass, field

from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


@dataclass
class Day:
    """One open snapshot: its records, its worth, and how far back runs that end here may begin."""

    counts: dict[int, int]
    worth: int
    begins: list[int] = field(default_factory=list)

    @property
    def records(self) -> int:
        """All of its records."""
        return sum(self.counts.values())


class CoveredWindow:
    """Snapshots whose place is not yet decided, and those that wait for their slot."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.open: dict[int, Day] = {}
        self.decided: list[Flow] = []

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        if counts:
            self._arrive(now, counts)
        return self.release(now - self.settings.w + 1)

    def _arrive(self, now: int, counts: Counts) -> None:
        worth = sum(self.settings.betas[value] * n for value, n in counts.items())
        day = self.open[now] = Day(dict(counts), worth)
        pooled: dict[int, int] = {}
        for home in reversed(self.open):
            if now - home >= self.settings.w:
                break
            for value, n in self.open[home].counts.items():
                pooled[value] = pooled.get(value, 0) + n
            if eligible_level(pooled.values(), self.settings.l) == max(pooled.values()):
                day.begins.append(home)

    def release(self, last: int) -> list[Flow]:
        """Decide every snapshot up to last, hand out the slots up to it and what is lost."""
        while self.open and next(iter(self.open)) <= last:
            for home, slot in self._first_run():
                day = self.open.pop(home)
                self.decided += [(value, home, slot, n) for value, n in day.counts.items()]
        released = [flow for flow in self.decided if flow[2] is None or flow[2] <= last]
        self.decided = [flow for flow in self.decided if flow[2] is not None and flow[2] > last]
        return released

    def _first_run(self) -> list[tuple[int, int | None]]:
        """Place the snapshots of the first run of the cheapest cut of all that is open."""
        homes = list(self.open)
        if self.open[homes[0]].begins == homes[:1] and self._all_stay():
            return [(homes[0], homes[0])]
        ends = self._cut(homes)
        if ends is None:
            return [(homes[0], None)]
        return [(home, ends) for home in homes if home <= ends]

    def _all_stay(self) -> bool:
        return all(home in day.begins for home, day in self.open.items())

    def _cut(self, homes: list[int]) -> int | None:
        """Return where the first run ends, None if its first snapshot is lost."""
        place = {home: i for i, home in enumerate(homes)}
        # what the snapshots up to each place cost at least, and where the first run then ends
        best: list[tuple[int, int | None]] = [(0, None)]
        for at, home in enumerate(homes):
            day = self.open[home]
            choices = [(best[at][0] + day.worth, best[at][1])]
            moved, start = 0, at
            for begin in day.begins:
                if begin not in place:
                    break
                while start > place[begin]:
                    start -= 1
                    distance = home - homes[start]
                    moved += self.settings.mu[distance] * self.open[homes[start]].records
                choices.append((best[start][0] + moved, best[start][1] if start else home))
            best.append(min(choices, key=lambda choice: (choice[0], choice[1] is None)))
        return best[-1][1]

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return not self.open

    def finish(self) -> list[Flow]:
        """End the stream: place what is still open for good."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the open records; those that are decided have a slot."""
        rows: list[Flow] = list(self.decided)
        for home, day in self.open.items():
            rows += [(value, home, None, n) for value, n in day.counts.items()]
        return State(self.now, sorted(rows, key=lambda row: (row[1], row[0])), placed=False)

    def restore(self, state: State) -> None:
        """Continue from the state of another window of the same settings."""
        self.now, self.open = state.now, {}
        self.decided = [row for row in state.rows if row[2] is not None]
        homes: dict[int, dict[int, int]] = {}
        for value, home, slot, n in state.rows:
            if slot is None:
                homes.setdefault(home, {})[value] = n
        for home in sorted(homes):
            self._arrive(home, homes[home])
