"""The method 'step': decides snapshot by snapshot, and is optimal at each step.

Each new snapshot is cut to its eligible level, and the other records are suppressed. Then records
that are suppressed move into the newest slot ("recycle" in the paper), by relays. Of all ways that
do not change the sizes of the earlier slots, the one with the lowest loss is chosen. The decision
page the-corrected-step compares this with the algorithm of the paper.
"""

from itertools import repeat

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.levels import LevelGains, best_relays
from tanon_duck.algorithms.reposition.relay import RelayGains, Runs, ValueWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class StepWindow:
    """The window of the method 'step'.

    ``unmoved`` has for each slot the values whose records all have their origin there, and their
    number. ``mixed`` has the runs of the other values of each slot. ``suppressed`` has the runs of
    suppressed records of each value.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.unmoved: dict[int, dict[int, int]] = {}
        self.mixed: dict[int, dict[int, Runs]] = {}
        self.suppressed: dict[int, Runs] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Add a snapshot with its counts, and return the flows that cannot change any more."""
        self.now = now
        level = eligible_level(counts.values(), self.settings.l)
        published = dict(counts) if level else {}
        for value in [value for value, records in counts.items() if records > level]:
            if level:
                published[value] = level
            self.suppressed.setdefault(value, []).append([now, counts[value] - level])
        self.unmoved[now], self.mixed[now] = published, {}
        if self.suppressed:
            self._recycle(now, sum(published.values()), level)
        return self.release(now - self.settings.w + 1)

    def _recycle(self, now: int, size: int, level: int) -> None:
        """Relay suppressed records into slot ``now``, which has this size and level."""
        windows = {value: self.window_of(value) for value in sorted(self.suppressed)}
        gains, highest = [], level
        for value, window in windows.items():
            check()
            gains_of_value = RelayGains(value, window, now, self.settings.mu)
            n_suppressed = sum(records for _, records in window.suppressed)
            highest = max(highest, gains_of_value.in_newest_slot + n_suppressed)
            gains.append(gains_of_value)
        relays = best_relays(LevelGains(gains, size, self.settings.l), level, highest)
        for value, records in relays.items():
            check()
            windows[value].relay_best(now, self.settings.mu, records)
            self.put_back(value, windows[value])

    def window_of(self, value: int) -> ValueWindow:
        """Return a copy of the records of one value; ``put_back`` stores it after relays."""
        window = ValueWindow(self.settings.betas[value])
        for slot, counts in self.unmoved.items():
            if value in counts:
                window.published.append((slot, [[slot, counts[value]]]))
            elif value in self.mixed[slot]:
                window.published.append((slot, [run[:] for run in self.mixed[slot][value]]))
        window.suppressed = [run[:] for run in self.suppressed.get(value, ())]
        return window

    def put_back(self, value: int, window: ValueWindow) -> None:
        """Replace the records of one value."""
        for slot, runs in window.published:
            self._set_runs(slot, value, runs)
        if window.suppressed:
            self.suppressed[value] = window.suppressed
        else:
            self.suppressed.pop(value, None)

    def _set_runs(self, slot: int, value: int, runs: Runs) -> None:
        """Replace the records of one value in one slot."""
        self.unmoved[slot].pop(value, None)
        self.mixed[slot].pop(value, None)
        if len(runs) == 1 and runs[0][0] == slot:
            self.unmoved[slot][value] = runs[0][1]
        else:
            self.mixed[slot][value] = runs

    def release(self, last: int) -> list[Flow]:
        """Remove the slots and the suppressed origins up to ``last``, and return their flows."""
        released: list[Flow] = []
        for slot in [slot for slot in self.unmoved if slot <= last]:
            counts = self.unmoved.pop(slot)
            released.extend(zip(counts, repeat(slot), repeat(slot), counts.values()))
            for value, runs in self.mixed.pop(slot).items():
                released.extend((value, origin, slot, records) for origin, records in runs)
        for value, runs in list(self.suppressed.items()):
            while runs and runs[0][0] <= last:
                origin, records = runs.pop(0)
                released.append((value, origin, None, records))
            if not runs:
                del self.suppressed[value]
        return released

    def idle(self) -> bool:
        """Return whether an empty snapshot would change nothing."""
        return not self.suppressed

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all records of the window."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the records of the window, to continue later."""
        rows: list[Flow] = []
        for slot, counts in self.unmoved.items():
            rows.extend((value, slot, slot, n) for value, n in counts.items())
            for value, runs in self.mixed[slot].items():
                rows.extend((value, origin, slot, n) for origin, n in runs)
        for value, runs in self.suppressed.items():
            rows.extend((value, origin, None, n) for origin, n in runs)
        return State(self.now, sorted(rows, key=_by_slot_then_origin))

    def restore(self, state: State) -> None:
        """Continue from the state of another window with the same settings."""
        self.now = state.now
        self.suppressed = {}
        runs_of_slot: dict[int, dict[int, Runs]] = {}
        for value, origin, slot, records in sorted(state.rows, key=_by_slot_then_origin):
            check()
            if slot is None:
                self.suppressed.setdefault(value, []).append([origin, records])
            else:
                runs_of_slot.setdefault(slot, {}).setdefault(value, []).append([origin, records])
        self.unmoved = {slot: {} for slot in sorted(runs_of_slot)}
        self.mixed = {slot: {} for slot in self.unmoved}
        for slot, runs_of_value in runs_of_slot.items():
            for value, runs in runs_of_value.items():
                self._set_runs(slot, value, runs)


def _by_slot_then_origin(row: Flow) -> tuple[int, bool, int, int]:
    """Return a sort key; suppressed records come after the slots."""
    value, origin, slot, _ = row
    return (value, slot is None, 0 if slot is None else slot, origin)
