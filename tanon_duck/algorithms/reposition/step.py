"""Optimal recycle-reposition, snapshot by snapshot, on counts (the corrected greedy)."""

from itertools import repeat

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.levels import Filling, best_relays
from tanon_duck.algorithms.reposition.relay import Offers, Runs, ValueWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class StepWindow:
    """Keeps the published counts of earlier slots and fills the newest one optimally."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        # who of a slot is at home there, all of a value; and values of which others came
        self.slots: dict[int, dict[int, int]] = {}
        self.mixed: dict[int, dict[int, Runs]] = {}
        self.suppressed: dict[int, Runs] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        level = eligible_level(counts.values(), self.settings.l)
        newest = dict(counts) if level else {}
        for value in [value for value, records in counts.items() if records > level]:
            if level:
                newest[value] = level
            self.suppressed.setdefault(value, []).append([now, counts[value] - level])
        self.slots[now], self.mixed[now] = newest, {}
        if self.suppressed:
            self._recycle(now, sum(newest.values()), level)
        return self.release(now - self.settings.w + 1)

    def _recycle(self, now: int, size: int, level: int) -> None:
        windows = {value: self.window_of(value) for value in sorted(self.suppressed)}
        offers, highest = [], level
        for value, window in windows.items():
            check()
            offer = Offers(value, window, now, self.settings.mu)
            highest = max(highest, offer.present + sum(n for _, n in window.suppressed))
            offers.append(offer)
        filling = Filling(offers, size, self.settings.l)
        for value, records in best_relays(filling, level, highest).items():
            check()
            windows[value].relay_many(now, self.settings.mu, records)
            self.put_back(value, windows[value])

    def window_of(self, value: int) -> ValueWindow:
        """One value's records, to relay among them and put them back."""
        window = ValueWindow(self.settings.betas[value])
        for slot, alone in self.slots.items():
            if value in alone:
                window.published.append((slot, [[slot, alone[value]]]))
            elif value in self.mixed[slot]:
                window.published.append((slot, [run[:] for run in self.mixed[slot][value]]))
        window.suppressed = [run[:] for run in self.suppressed.get(value, ())]
        return window

    def put_back(self, value: int, window: ValueWindow) -> None:
        """Write a value's records back."""
        for slot, runs in window.published:
            self._put(slot, value, runs)
        if window.suppressed:
            self.suppressed[value] = window.suppressed
        else:
            self.suppressed.pop(value, None)

    def _put(self, slot: int, value: int, runs: Runs) -> None:
        self.slots[slot].pop(value, None)
        self.mixed[slot].pop(value, None)
        if len(runs) == 1 and runs[0][0] == slot:
            self.slots[slot][value] = runs[0][1]
        else:
            self.mixed[slot][value] = runs

    def release(self, last: int) -> list[Flow]:
        """Take every slot and every home up to last out of the window."""
        released: list[Flow] = []
        for slot in [slot for slot in self.slots if slot <= last]:
            alone = self.slots.pop(slot)
            released.extend(zip(alone, repeat(slot), repeat(slot), alone.values()))
            for value, runs in self.mixed.pop(slot).items():
                released.extend((value, home, slot, records) for home, records in runs)
        for value, runs in list(self.suppressed.items()):
            while runs and runs[0][0] <= last:
                home, records = runs.pop(0)
                released.append((value, home, None, records))
            if not runs:
                del self.suppressed[value]
        return released

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return not self.suppressed

    def finish(self) -> list[Flow]:
        """End the stream: return everything that is still open as it stands."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the open records as they stand."""
        rows: list[Flow] = []
        for slot, alone in self.slots.items():
            rows.extend((value, slot, slot, n) for value, n in alone.items())
            for value, runs in self.mixed[slot].items():
                rows.extend((value, home, slot, n) for home, n in runs)
        for value, runs in self.suppressed.items():
            rows.extend((value, home, None, n) for home, n in runs)
        return State(self.now, sorted(rows, key=_by_slot_then_home))

    def restore(self, state: State) -> None:
        """Continue from timestamp-ordered rows."""
        self.now = state.now
        self.suppressed = {}
        places: dict[int, dict[int, Runs]] = {}
        for value, home, slot, records in sorted(state.rows, key=_by_slot_then_home):
            check()
            if slot is None:
                self.suppressed.setdefault(value, []).append([home, records])
            else:
                places.setdefault(slot, {}).setdefault(value, []).append([home, records])
        self.slots = {slot: {} for slot in sorted(places)}
        self.mixed = {slot: {} for slot in self.slots}
        for slot, of_value in places.items():
            for value, runs in of_value.items():
                self._put(slot, value, runs)


def _by_slot_then_home(row: Flow) -> tuple[int, bool, int, int]:
    value, ts, slot, _ = row
    return (value, slot is None, 0 if slot is None else slot, ts)
