"""The relay: how a suppressed record of a value makes the newest slot one record larger.

A record never overtakes another record of its value. So the suppressed record is published in the
slot of its origin, or the next slot with its value. There the record with the latest origin moves
on to the following slot with this value, and so on, until one record arrives in the newest slot.
All other slots have as many records as before.

A run is records with equal origin. The records of a run move together, so that the time depends on
the number of slots instead of the number of records.
"""

from collections.abc import Sequence

from tanon_duck.algorithms.checkpoint import check

# Lists [origin, number of records], the earliest origin first.
Runs = list[list[int]]


class ValueWindow:
    """The records of one value in the window.

    ``published`` has the runs of each slot, in the order of slots. ``suppressed`` has the runs of
    suppressed records. ``beta`` is the loss of a suppressed record.
    """

    __slots__ = ("beta", "published", "suppressed")

    def __init__(self, beta: int) -> None:
        self.beta = beta
        self.published: list[tuple[int, Runs]] = []
        self.suppressed: Runs = []

    def copy(self) -> "ValueWindow":
        """Return an independent copy."""
        other = ValueWindow(self.beta)
        other.published = [(slot, [run[:] for run in runs]) for slot, runs in self.published]
        other.suppressed = [run[:] for run in self.suppressed]
        return other

    def records_in(self, slot: int) -> int:
        """Return the number of records published in this slot, the newest of the window."""
        if self.published and self.published[-1][0] == slot:
            return sum(n for _, n in self.published[-1][1])
        return 0

    def _slots_between(self, origin: int, now: int) -> list[tuple[int, Runs]]:
        """Return the slots with this value after ``origin`` and before ``now``, with their runs."""
        return [slot_runs for slot_runs in self.published if origin < slot_runs[0] < now]

    def next_relay(self, now: int, mu: Sequence[int]) -> tuple[int, int]:
        """Return the gain per record of the best relay, and how many records have this gain.

        The best relay begins with the suppressed record of the latest origin. The gain is beta
        minus the increase of mu for all records that move.
        """
        origin, records = self.suppressed[-1]
        slot_before, moving = origin, origin  # ``moving`` is the origin of the record that moves
        cost = 0
        for slot, runs in self._slots_between(origin, now):
            cost += mu[slot - moving] - mu[slot_before - moving]
            latest, available = runs[-1]
            if latest != moving:
                moving = latest
                records = min(records, available)
            slot_before = slot
        cost += mu[now - moving] - mu[slot_before - moving]
        return self.beta - cost, records

    def relay(self, now: int, records: int) -> None:
        """Relay this many suppressed records of the latest origin, so that slot ``now`` grows."""
        origin = self.suppressed[-1][0]
        _remove_latest(self.suppressed, records)
        moving = origin
        for _, runs in self._slots_between(origin, now):
            latest = runs[-1][0]
            if latest != moving:
                _remove_latest(runs, records)
                _add_earliest(runs, moving, records)
                moving = latest
        if not self.published or self.published[-1][0] != now:
            self.published.append((now, []))
        _add_earliest(self.published[-1][1], moving, records)

    def relay_best(self, now: int, mu: Sequence[int], records: int) -> None:
        """Relay this many records, one batch of equal gains after the other, the best first."""
        while records:
            check()
            batch = min(records, self.next_relay(now, mu)[1])
            self.relay(now, batch)
            records -= batch


class RelayGains:
    """The gains of the relays of one value, the best first, computed on demand.

    Relays with equal gains in succession are a batch: batch i has ``records[i]`` records, each
    with the gain ``gains[i]``. ``in_newest_slot`` is the number of the value's records in the
    newest slot before any relay.
    """

    __slots__ = ("_mu", "_now", "_simulated", "gains", "in_newest_slot", "records", "value")

    def __init__(self, value: int, window: ValueWindow, now: int, mu: Sequence[int]) -> None:
        """Prepare the relays of a value into slot ``now``; the window itself does not change."""
        self.value = value
        self.in_newest_slot = window.records_in(now)
        self.gains: list[int] = []
        self.records: list[int] = []
        self._simulated = window.copy()
        self._now = now
        self._mu = mu

    def compute(self, batch: int) -> bool:
        """Compute the gains up to this batch if necessary; return whether the batch exists."""
        if batch < len(self.gains):
            return True
        if not self._simulated.suppressed:
            return False
        gain, records = self._simulated.next_relay(self._now, self._mu)
        self._simulated.relay(self._now, records)
        self.gains.append(gain)
        self.records.append(records)
        return True


def _remove_latest(runs: Runs, records: int) -> None:
    """Remove records from the run with the latest origin, in place."""
    runs[-1][1] -= records
    if not runs[-1][1]:
        runs.pop()


def _add_earliest(runs: Runs, origin: int, records: int) -> None:
    """Add records whose origin is not after any of the runs, in place."""
    if runs and runs[0][0] == origin:
        runs[0][1] += records
    else:
        runs.insert(0, [origin, records])
