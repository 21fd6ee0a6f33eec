"""Repositioning with the whole window open: every unreleased record is placed anew each time."""

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.placement import Placement, place
from tanon_duck.algorithms.reposition.programme import Solver
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class ReplanWindow:
    """Only what is released is fixed: sizes of the open slots and their records are not."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.pending: dict[tuple[int, int], int] = {}
        self.gap = 0
        self.solved = 0
        self._solver: Solver | None = None

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        for value, records in counts.items():
            self.pending[value, now] = records
        last = now - self.settings.w + 1
        if all(home > last for _, home in self.pending):
            return []
        return self._take([flow for flow in self._plan(last, now) if flow[2] == last], last)

    def _plan(self, low: int, high: int) -> list[Flow]:
        """Return the cheapest placement of all open records in slots low..high."""
        homes: dict[int, list[int]] = {}
        for (_, home), records in self.pending.items():
            homes.setdefault(home, []).append(records)
        at_home = all(
            home >= low and eligible_level(counts, self.settings.l) == max(counts)
            for home, counts in homes.items()
        )
        if at_home:
            return [(value, home, home, n) for (value, home), n in self.pending.items()]
        placement = self._placement(low, high)
        self.gap += placement.gap
        self.solved += 1
        return placement.flows

    def _placement(self, low: int, high: int) -> Placement:
        if self._solver is None:
            self._solver = Solver()
        return place(self.settings, self.pending, low, high, self._solver)

    def _take(self, flows: list[Flow], last: int) -> list[Flow]:
        """Freeze flows; records that no open slot can take any more are lost."""
        for value, home, _, records in flows:
            check()
            self.pending[value, home] -= records
        lost = []
        for (value, home), records in list(self.pending.items()):
            check()
            if not records:
                del self.pending[value, home]
            elif home + self.settings.w - 1 <= last:
                lost.append((value, home, None, records))
                del self.pending[value, home]
        return flows + lost

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return not self.pending

    def finish(self) -> list[Flow]:
        """End the stream: place what is still open for good."""
        if self.now is None or not self.pending:
            return []
        flows = self._plan(self.now - self.settings.w + 2, self.now)
        self.pending = {}
        return flows

    def state(self) -> State:
        """Return the open records; none of them has a slot before its release."""
        rows = [(value, home, None, n) for (value, home), n in sorted(self.pending.items())]
        return State(self.now, list[Flow](rows), placed=False)

    def restore(self, state: State) -> None:
        """Continue from the state of another window of the same settings."""
        self.now = state.now
        self.pending = {(value, home): n for value, home, _, n in state.rows}
