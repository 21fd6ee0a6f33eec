"""The relay: how suppressed records of one sensitive value reach the newest slot.

A record never travels past another of its value: a suppressed record steps into its home
slot and the youngest record of each slot moves on to the next one. Equal records move in
bulk, so the work depends on the number of slots and not on the number of records.
"""

from collections.abc import Sequence

from tanon_duck.algorithms.checkpoint import check

# (home, records) pairs as two-element lists, oldest home first
Runs = list[list[int]]


class ValueWindow:
    """The records of one value inside the window: published by slot, suppressed by home."""

    __slots__ = ("beta", "published", "suppressed")

    def __init__(self, beta: int) -> None:
        self.beta = beta
        self.published: list[tuple[int, Runs]] = []
        self.suppressed: Runs = []

    def copy(self) -> "ValueWindow":
        """Return an independent copy to try relays on."""
        twin = ValueWindow(self.beta)
        twin.published = [(slot, [run[:] for run in runs]) for slot, runs in self.published]
        twin.suppressed = [run[:] for run in self.suppressed]
        return twin

    def records_in(self, slot: int) -> int:
        """Count the records published in a slot at the end of the window."""
        if self.published and self.published[-1][0] == slot:
            return sum(n for _, n in self.published[-1][1])
        return 0

    def _chain(self, home: int, now: int) -> list[tuple[int, Runs]]:
        """Return the slots after home and before now that hold this value."""
        return [place for place in self.published if home < place[0] < now]

    def next_relay(self, now: int, mu: Sequence[int]) -> tuple[int, int]:
        """Return the gain per record of the best relay and how many can make it alike."""
        home, records = self.suppressed[-1]
        at = ts = home
        cost = 0
        for slot, runs in self._chain(home, now):
            cost += mu[slot - ts] - mu[at - ts]
            youngest, available = runs[-1]
            if youngest != ts:
                ts = youngest
                records = min(records, available)
            at = slot
        cost += mu[now - ts] - mu[at - ts]
        return self.beta - cost, records

    def relay(self, now: int, records: int) -> None:
        """Relay records from the youngest home that has suppressed ones into slot now."""
        home = self.suppressed[-1][0]
        _take_youngest(self.suppressed, records)
        ts = home
        for _, runs in self._chain(home, now):
            youngest = runs[-1][0]
            if youngest != ts:
                _take_youngest(runs, records)
                _add_oldest(runs, ts, records)
                ts = youngest
        if not self.published or self.published[-1][0] != now:
            self.published.append((now, []))
        _add_oldest(self.published[-1][1], ts, records)

    def relay_many(self, now: int, mu: Sequence[int], records: int) -> None:
        """Relay that many records, best first."""
        while records:
            check()
            batch = min(records, self.next_relay(now, mu)[1])
            self.relay(now, batch)
            records -= batch


class Offers:
    """The gains of a value's successive relays, computed only as far as somebody asks."""

    __slots__ = ("_mu", "_now", "_trial", "gains", "present", "records", "relayed", "value")

    def __init__(self, value: int, window: ValueWindow, now: int, mu: Sequence[int]) -> None:
        self.value = value
        self.present = window.records_in(now)
        self.gains: list[int] = []
        self.records: list[int] = []
        self.relayed = 0
        self._trial = window.copy()
        self._now = now
        self._mu = mu

    def has(self, run: int) -> bool:
        """Tell whether there is a run-th batch of equal gains, simulating it if needed."""
        if run < len(self.gains):
            return True
        if not self._trial.suppressed:
            return False
        gain, records = self._trial.next_relay(self._now, self._mu)
        self._trial.relay(self._now, records)
        self.gains.append(gain)
        self.records.append(records)
        self.relayed += records
        return True


def _take_youngest(runs: Runs, records: int) -> None:
    runs[-1][1] -= records
    if not runs[-1][1]:
        runs.pop()


def _add_oldest(runs: Runs, ts: int, records: int) -> None:
    if runs and runs[0][0] == ts:
        runs[0][1] += records
    else:
        runs.insert(0, [ts, records])
