"""The method 'step' with late = 'covered': a snapshot stays, moves or is suppressed as a whole.

The slot of a record then depends only on its origin. So an adversary who sees that a record is
late learns no more about its value than from the origin.

The snapshots of the window are divided into runs of adjacent snapshots. All records of a run are
published in the slot of its last snapshot. So the records of a run together must be l-eligible.
A snapshot in no run is suppressed. ``_end_of_first_run`` finds the division with the lowest loss
by dynamic programming.
"""

from dataclasses import dataclass

from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


@dataclass
class Snapshot:
    """A snapshot of the window.

    ``worth`` is the loss if it is suppressed, ``stays`` whether it is l-eligible by itself.
    ``begins`` caches the first snapshots of the eligible runs that end with this snapshot.
    """

    counts: Counts
    records: int
    worth: int
    stays: bool
    begins: list[int] | None = None


class CoveredWindow:
    """The window: ``open`` snapshots are not decided yet.

    ``waiting`` has the decided flows of each slot, until the slot leaves the window.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.open: dict[int, Snapshot] = {}
        self.waiting: dict[int, list[Flow]] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Add a snapshot with its counts, and return the flows that cannot change any more."""
        self.now = now
        if counts:
            self._open(now, counts)
        return self.release(now - self.settings.w + 1)

    def _open(self, origin: int, counts: Counts) -> None:
        """Add a snapshot that is not decided yet."""
        worth = sum(self.settings.betas[value] * n for value, n in counts.items())
        self.open[origin] = Snapshot(counts, sum(counts.values()), worth, self._eligible(counts))

    def _eligible(self, counts: Counts) -> bool:
        return eligible_level(counts.values(), self.settings.l) == max(counts.values())

    def release(self, last: int) -> list[Flow]:
        """Decide all snapshots up to ``last``.

        Return the flows of slots up to ``last``, and those of suppressed snapshots.
        """
        released: list[Flow] = []
        while self.open and next(iter(self.open)) <= last:
            origins, slot = self._first_run()
            flows = released if slot is None else self.waiting.setdefault(slot, [])
            for origin in origins:
                counts = self.open.pop(origin).counts
                flows += [(value, origin, slot, n) for value, n in counts.items()]
        for slot in sorted(slot for slot in self.waiting if slot <= last):
            released += self.waiting.pop(slot)
        return released

    def _first_run(self) -> tuple[list[int], int | None]:
        """Return the snapshots of the first run, and their slot.

        The runs are those with the lowest loss for all open snapshots. If the first snapshot is
        suppressed, return it alone and the slot None.
        """
        origins = list(self.open)
        if all(snapshot.stays for snapshot in self.open.values()):
            return origins[:1], origins[0]
        end = self._end_of_first_run(origins)
        if end is None:
            return origins[:1], None
        return [origin for origin in origins if origin <= end], end

    def _end_of_first_run(self, origins: list[int]) -> int | None:
        """Return the last snapshot of the first run, None if the first snapshot is suppressed."""
        # best[i] is for the first i snapshots: their lowest loss, and the end of the first run.
        best: list[tuple[int, int | None]] = [(0, None)]
        for index, last in enumerate(origins):
            loss, end = best[index]
            choices = [(loss + self.open[last].worth, end)]
            loss_of_run, start = 0, index
            for begin in self._begins(last):
                while start and origins[start] > begin:
                    start -= 1
                    distance = last - origins[start]
                    loss_of_run += self.settings.mu[distance] * self.open[origins[start]].records
                if origins[start] != begin:
                    break
                first_end = best[start][1] if start else last
                choices.append((best[start][0] + loss_of_run, first_end))
            best.append(min(choices, key=lambda choice: (choice[0], choice[1] is None)))
        return best[-1][1]

    def _begins(self, end: int) -> list[int]:
        """Return the first snapshots of the l-eligible runs that end with ``end``, latest first.

        A run spans at most w snapshots.
        """
        snapshot = self.open[end]
        if snapshot.begins is None:
            snapshot.begins = []
            counts: dict[int, int] = {}
            for origin in reversed(self.open):
                if end - origin >= self.settings.w:
                    break
                if origin > end:
                    continue
                for value, n in self.open[origin].counts.items():
                    counts[value] = counts.get(value, 0) + n
                if self._eligible(counts):
                    snapshot.begins.append(origin)
        return snapshot.begins

    def idle(self) -> bool:
        """Return whether an empty snapshot would change nothing."""
        return not self.open

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all records of the window."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the records of the window; records without a slot are not decided yet."""
        rows: list[Flow] = [flow for slot in sorted(self.waiting) for flow in self.waiting[slot]]
        for origin, snapshot in self.open.items():
            rows += [(value, origin, None, n) for value, n in snapshot.counts.items()]
        return State(self.now, rows)

    def restore(self, state: State) -> None:
        """Continue from the state of another window with the same settings."""
        self.now, self.open, self.waiting = state.now, {}, {}
        counts_of_origin: dict[int, dict[int, int]] = {}
        for flow in state.rows:
            value, origin, slot, n = flow
            if slot is None:
                counts_of_origin.setdefault(origin, {})[value] = n
            else:
                self.waiting.setdefault(slot, []).append(flow)
        for origin in sorted(counts_of_origin):
            self._open(origin, counts_of_origin[origin])
