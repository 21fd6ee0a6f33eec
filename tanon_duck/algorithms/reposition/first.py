"""The first window as a whole, by integer programming, before the steps begin."""

from tanon_duck.algorithms.reposition.placement import place
from tanon_duck.algorithms.reposition.programme import Solver
from tanon_duck.algorithms.reposition.step import StepWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class FirstWindow:
    """Collects w snapshots, places them at the lowest loss, and lets another method go on."""

    def __init__(self, settings: Settings, then: StepWindow) -> None:
        self.settings = settings
        self.then = then
        self.now: int | None = None
        self.collected: dict[tuple[int, int], int] = {}
        self.placed = False

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        if self.placed:
            return self.then.step(now, counts)
        for value, records in counts.items():
            self.collected[value, now] = records
        first = min((home for _, home in self.collected), default=now)
        if now - first + 1 < self.settings.w:
            return []
        self.then.restore(State(now, self._place(first, now)))
        return self.then.release(first)

    def _place(self, first: int, last: int) -> list[Flow]:
        flows = place(self.settings, self.collected, first, last, Solver()).flows
        self.placed, self.collected = True, {}
        return flows

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return self.then.idle() if self.placed else not self.collected

    def finish(self) -> list[Flow]:
        """End the stream: return everything that is still open as it stands."""
        if self.placed or self.now is None or not self.collected:
            return self.then.finish()
        return self._place(min(home for _, home in self.collected), self.now)

    def state(self) -> State:
        """Return the open records as they stand."""
        if self.placed:
            return self.then.state()
        rows: list[Flow] = [(v, home, None, n) for (v, home), n in sorted(self.collected.items())]
        return State(self.now, rows, placed=False)

    def restore(self, state: State) -> None:
        """Continue from the state of another window of the same settings."""
        self.now, self.placed = state.now, state.placed
        if self.placed:
            self.then.restore(state)
        else:
            self.collected = {(value, home): n for value, home, _, n in state.rows}
