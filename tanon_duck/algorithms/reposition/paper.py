"""The method 'paper': the algorithm in Figure 4 of Wang et al., exactly as printed.

It shows how much the stopping rule of the figure costs, compared with the method 'step'. The paper
calls the two phases of each level LP (level preserving) and LL (level lifting).
"""

from fractions import Fraction

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.relay import ValueWindow
from tanon_duck.algorithms.reposition.step import StepWindow

Windows = dict[int, ValueWindow]


class PaperWindow(StepWindow):
    """A window that relays record by record, and stops when Figure 4 stops.

    Figure 4 stops at the first level that brings no gain, even if a later one would. It also stops
    at a level that needs no further record, because it then relays nothing and gains 0. A subclass
    that sets ``raises_free_levels`` continues with the next level in this case.
    """

    raises_free_levels = False

    def _recycle(self, now: int, size: int, level: int) -> None:
        """Relay suppressed records into slot ``now`` until a level gains nothing."""
        windows = {value: self.window_of(value) for value in sorted(self.suppressed)}
        others = max((n for v, n in self.unmoved[now].items() if v not in windows), default=0)
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
        """Relay all records with a gain that do not raise the level; return their number (LP)."""
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
        """Relay the ``wanted`` best records, one level higher; return number and gain (LL)."""
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
        """Return the largest gain of a relay, and the window of its value.

        Only values with fewer than ``room_below`` records in slot ``now`` count.
        """
        best: tuple[int, ValueWindow] | None = None
        for window in windows.values():
            if window.suppressed and window.records_in(now) < room_below:
                gain = window.next_relay(now, self.settings.mu)[0]
                if best is None or gain > best[0]:
                    best = gain, window
        return best
