"""Figure 4 of Wang et al. as printed, to show the cost of its stopping rule."""

from fractions import Fraction

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.relay import ValueWindow
from tanon_duck.algorithms.reposition.step import StepWindow

Windows = dict[int, ValueWindow]


class PaperWindow(StepWindow):
    """Relay record by record and stop if Figure 4 stops, even if more relays would pay.

    Figure 4 also stops if the next level needs no further record: it relays none, so it gains 0.
    A subclass that sets `raises_free_levels` goes on with the next level instead.
    """

    raises_free_levels = False

    def _recycle(self, now: int, size: int, level: int) -> None:
        windows = {value: self.window_of(value) for value in sorted(self.suppressed)}
        others = max((n for v, n in self.slots[now].items() if v not in windows), default=0)
        lowest = 0
        while True:
            check()
            level = max(lowest, others, *(window.records_in(now) for window in windows.values()))
            size += self._preserve_level(windows, now, level)
            wanted = max(Fraction(0), (level + 1) * self.settings.l - size)
            if self.raises_free_levels and wanted == 0:
                lowest = level + 1
                continue
            before = {value: window.copy() for value, window in windows.items()}
            relayed, gain = self._lift_level(windows, now, level, wanted)
            if relayed < wanted or gain <= 0:
                break
            size += relayed
        for value, window in before.items():
            check()
            self.put_back(value, window)

    def _preserve_level(self, windows: Windows, now: int, level: int) -> int:
        """LP: relay what pays without raising the level; return the number of records."""
        relayed = 0
        while True:
            best = self._best(windows, now, level)
            if best is None or best[0] <= 0:
                return relayed
            best[1].relay(now, 1)
            relayed += 1

    def _lift_level(
        self, windows: Windows, now: int, level: int, wanted: Fraction
    ) -> tuple[int, int]:
        """LL: relay the best records until exactly the wanted number; return number and gain."""
        relayed = total = 0
        while relayed != wanted:
            check()
            best = self._best(windows, now, level + 1)
            if best is None:
                break
            best[1].relay(now, 1)
            relayed += 1
            total += best[0]
        return relayed, total

    def _best(self, windows: Windows, now: int, room_below: int) -> tuple[int, ValueWindow] | None:
        """Return the relay with the largest gain among values below a level."""
        best: tuple[int, ValueWindow] | None = None
        for window in windows.values():
            if window.suppressed and window.records_in(now) < room_below:
                gain = window.next_relay(now, self.settings.mu)[0]
                if best is None or gain > best[0]:
                    best = gain, window
        return best
