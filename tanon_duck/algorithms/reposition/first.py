"""The option start = 'ilp': an integer programme places the first w snapshots together.

Then another method continues step by step.
"""

from tanon_duck.algorithms.reposition.placement import place
from tanon_duck.algorithms.reposition.programme import Solver
from tanon_duck.algorithms.reposition.step import StepWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class FirstWindow:
    """Collects w snapshots, places their records at the lowest loss, and then uses ``next_window``.

    ``collected`` has the number of records by value and origin, until ``placed``.
    """

    def __init__(self, settings: Settings, next_window: StepWindow) -> None:
        self.settings = settings
        self.next_window = next_window
        self.now: int | None = None
        self.collected: dict[tuple[int, int], int] = {}
        self.placed = False

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Add a snapshot with its counts, and return the flows that cannot change any more."""
        self.now = now
        if self.placed:
            return self.next_window.step(now, counts)
        for value, records in counts.items():
            self.collected[value, now] = records
        first = min((origin for _, origin in self.collected), default=now)
        if now - first + 1 < self.settings.w:
            return []
        self.next_window.restore(State(now, self._place(first, now)))
        return self.next_window.release(first)

    def _place(self, first: int, last: int) -> list[Flow]:
        """Return the flows of all collected records, in slots from ``first`` to ``last``."""
        flows = place(self.settings, self.collected, first, last, Solver()).flows
        self.placed, self.collected = True, {}
        return flows

    def idle(self) -> bool:
        """Return whether an empty snapshot would change nothing."""
        return self.next_window.idle() if self.placed else not self.collected

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all records of the window."""
        if self.placed or self.now is None or not self.collected:
            return self.next_window.finish()
        return self._place(min(origin for _, origin in self.collected), self.now)

    def state(self) -> State:
        """Return the records of the window, to continue later."""
        if self.placed:
            return self.next_window.state()
        rows: list[Flow] = [
            (v, origin, None, n) for (v, origin), n in sorted(self.collected.items())
        ]
        return State(self.now, rows, placed=False)

    def restore(self, state: State) -> None:
        """Continue from the state of another window with the same settings."""
        self.now, self.placed = state.now, state.placed
        if self.placed:
            self.next_window.restore(state)
        else:
            self.collected = {(value, origin): n for value, origin, _, n in state.rows}
