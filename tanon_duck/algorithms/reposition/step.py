"""Optimal recycle-reposition, snapshot by snapshot, on counts (the corrected greedy)."""

from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.levels import Filling, best_relays
from tanon_duck.algorithms.reposition.relay import Offers, ValueWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State


class StepWindow:
    """Keeps the published counts of earlier slots and fills the newest one optimally."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now: int | None = None
        self.values: dict[int, ValueWindow] = {}

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""
        self.now = now
        level = eligible_level(counts.values(), self.settings.l)
        size = 0
        for value, records in counts.items():
            window = self._value(value)
            kept = min(records, level)
            size += kept
            if kept:
                window.published.append((now, [[now, kept]]))
            if records > kept:
                window.suppressed.append([now, records - kept])
        self._recycle(now, size, level)
        return self.release(now - self.settings.w + 1)

    def _value(self, value: int) -> ValueWindow:
        if value not in self.values:
            self.values[value] = ValueWindow(self.settings.betas[value])
        return self.values[value]

    def _recycle(self, now: int, size: int, level: int) -> None:
        offers, highest = [], level
        for value in sorted(self.values):
            window = self.values[value]
            if window.suppressed:
                offer = Offers(value, window, now, self.settings.mu)
                highest = max(highest, offer.present + sum(n for _, n in window.suppressed))
                offers.append(offer)
        if offers:
            filling = Filling(offers, size, self.settings.l)
            for value, records in best_relays(filling, level, highest).items():
                self.values[value].relay_many(now, self.settings.mu, records)

    def release(self, last: int) -> list[Flow]:
        """Take every slot and every home up to last out of the window."""
        released: list[Flow] = []
        for value, window in list(self.values.items()):
            while window.published and window.published[0][0] <= last:
                slot, runs = window.published.pop(0)
                released.extend((value, ts, slot, records) for ts, records in runs)
            while window.suppressed and window.suppressed[0][0] <= last:
                home, records = window.suppressed.pop(0)
                released.append((value, home, None, records))
            if not window.published and not window.suppressed:
                del self.values[value]
        return released

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""
        return not any(window.suppressed for window in self.values.values())

    def finish(self) -> list[Flow]:
        """End the stream: return everything that is still open as it stands."""
        return [] if self.now is None else self.release(self.now)

    def state(self) -> State:
        """Return the open records as they stand."""
        rows: list[Flow] = []
        for value, window in self.values.items():
            for slot, runs in window.published:
                rows.extend((value, ts, slot, records) for ts, records in runs)
            rows.extend((value, home, None, records) for home, records in window.suppressed)
        return State(self.now, sorted(rows, key=_by_slot_then_home))

    def restore(self, state: State) -> None:
        """Continue from timestamp-ordered rows."""
        self.now = state.now
        self.values = {}
        for value, ts, slot, records in sorted(state.rows, key=_by_slot_then_home):
            window = self._value(value)
            if slot is None:
                window.suppressed.append([ts, records])
            elif window.published and window.published[-1][0] == slot:
                window.published[-1][1].append([ts, records])
            else:
                window.published.append((slot, [[ts, records]]))


def _by_slot_then_home(row: Flow) -> tuple[int, bool, int, int]:
    value, ts, slot, _ = row
    return (value, slot is None, 0 if slot is None else slot, ts)
