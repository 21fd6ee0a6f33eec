"""Optimal recycle-reposition, snapshot by snapshot, on counts (the corrected greedy)."""

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.levels import Filling, best_relays
from tanon_duck.algorithms.reposition.relay import Offers, Runs, ValueWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State

# A number alone stands for records whose home is the slot itself, as most are.
Place = int | Runs


class StepWindow:
    """Keeps the published counts of earlier slots and fills the newest one optimally."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.slots: dict[int, dict[int, Place]] = {}
        self.suppressed: dict[int, Runs] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        level = eligible_level(counts.values(), self.settings.l)
        newest: dict[int, Place] = {}
        for value, records in counts.items():
            if records <= level:
                newest[value] = records
                continue
            if level:
                newest[value] = level
            self.suppressed.setdefault(value, []).append([now, records - level])
        self.slots[now] = newest
        if self.suppressed:
            self._recycle(now, sum(min(n, level) for n in counts.values()), level)
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
        for slot, places in self.slots.items():
            place = places.get(value)
            if place is not None:
                window.published.append((slot, _runs(slot, place)))
        window.suppressed = [run[:] for run in self.suppressed.get(value, ())]
        return window

    def put_back(self, value: int, window: ValueWindow) -> None:
        """Write a value's records back."""
        for slot, runs in window.published:
            self.slots[slot][value] = runs
        if window.suppressed:
            self.suppressed[value] = window.suppressed
        else:
            self.suppressed.pop(value, None)

    def release(self, last: int) -> list[Flow]:
        """Take every slot and every home up to last out of the window."""
        released: list[Flow] = []
        for slot in [slot for slot in self.slots if slot <= last]:
            for value, place in self.slots.pop(slot).items():
                if isinstance(place, int):
                    released.append((value, slot, slot, place))
                else:
                    released.extend((value, home, slot, records) for home, records in place)
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
        for slot, places in self.slots.items():
            for value, place in places.items():
                rows.extend((value, home, slot, n) for home, n in _runs(slot, place))
        for value, runs in self.suppressed.items():
            rows.extend((value, home, None, n) for home, n in runs)
        return State(self.now, sorted(rows, key=_by_slot_then_home))

    def restore(self, state: State) -> None:
        """Continue from timestamp-ordered rows."""
        self.now = state.now
        self.slots, self.suppressed = {}, {}
        places: dict[int, dict[int, Runs]] = {}
        for value, home, slot, records in sorted(state.rows, key=_by_slot_then_home):
            check()
            if slot is None:
                self.suppressed.setdefault(value, []).append([home, records])
            else:
                places.setdefault(slot, {}).setdefault(value, []).append([home, records])
        self.slots = {slot: dict(places[slot]) for slot in sorted(places)}


def _runs(slot: int, place: Place) -> Runs:
    """A place as runs of its own."""
    return [[slot, place]] if isinstance(place, int) else [run[:] for run in place]


def _by_slot_then_home(row: Flow) -> tuple[int, bool, int, int]:
    value, ts, slot, _ = row
    return (value, slot is None, 0 if slot is None else slot, ts)
