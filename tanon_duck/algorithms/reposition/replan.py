"""The method 'window': at each step, all records that are not released yet are placed anew.

An integer programme finds the placement with the lowest loss. A record is released, and its slot
final, when its slot leaves the window. Then tanon suppresses records that reach no later slot.
"""

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.placement import Placement, place
from tanon_duck.algorithms.reposition.programme import Solver
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class ReplanWindow:
    """The window: ``pending`` has the number of records by value and origin.

    ``solved`` counts the programmes, and ``gap`` sums how far their placements may be from the
    optimum.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.pending: dict[tuple[int, int], int] = {}
        self.gap = 0
        self.solved = 0
        self._solver: Solver | None = None

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Add a snapshot with its counts, and return the flows that cannot change any more."""
        self.now = now
        for value, records in counts.items():
            self.pending[value, now] = records
        last = now - self.settings.w + 1
        if all(origin > last for _, origin in self.pending):
            return []
        return self._release([flow for flow in self._plan(last, now) if flow[2] == last], last)

    def _plan(self, low: int, high: int) -> list[Flow]:
        """Return the placement of all pending records in slots from ``low`` to ``high``.

        If every snapshot is eligible by itself, all records stay, and no programme is needed.
        """
        counts_of_origin: dict[int, list[int]] = {}
        for (_, origin), records in self.pending.items():
            counts_of_origin.setdefault(origin, []).append(records)
        all_may_stay = all(
            origin >= low and eligible_level(counts, self.settings.l) == max(counts)
            for origin, counts in counts_of_origin.items()
        )
        if all_may_stay:
            return [(value, origin, origin, n) for (value, origin), n in self.pending.items()]
        placement = self._placement(low, high)
        self.gap += placement.gap
        self.solved += 1
        return placement.flows

    def _placement(self, low: int, high: int) -> Placement:
        if self._solver is None:
            self._solver = Solver()
        return place(self.settings, self.pending, low, high, self._solver)

    def _release(self, flows: list[Flow], last: int) -> list[Flow]:
        """Remove the records of released flows, and those that no later slot can take.

        Return the flows of both. The latter are suppressed.
        """
        for value, origin, _, records in flows:
            check()
            self.pending[value, origin] -= records
        suppressed = []
        for (value, origin), records in list(self.pending.items()):
            check()
            if not records:
                del self.pending[value, origin]
            elif origin + self.settings.w - 1 <= last:
                suppressed.append((value, origin, None, records))
                del self.pending[value, origin]
        return flows + suppressed

    def idle(self) -> bool:
        """Return whether an empty snapshot would change nothing."""
        return not self.pending

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all pending records."""
        if self.now is None or not self.pending:
            return []
        flows = self._plan(self.now - self.settings.w + 2, self.now)
        self.pending = {}
        return flows

    def state(self) -> State:
        """Return the pending records; none of them has a slot yet."""
        rows = [(value, origin, None, n) for (value, origin), n in sorted(self.pending.items())]
        return State(self.now, list[Flow](rows), placed=False)

    def restore(self, state: State) -> None:
        """Continue from the state of another window with the same settings."""
        self.now = state.now
        self.pending = {(value, origin): n for value, origin, _, n in state.rows}
