"""Which suppressed records to relay into the newest slot: the best level, found exactly.

With no value above level h the slot needs at least l*h records. Relays with a gain are taken
anyway; if records are still missing, the least harmful ones are taken too. For integer l
the worth of h is concave; for l = p/q its linear relaxation is, and bounds it from above.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.relay import Offers


class Filling:
    """What the newest slot can gain, level by level."""

    def __init__(self, offers: Sequence[Offers], size: int, l: Fraction) -> None:  # noqa: E741
        self.offers = offers
        self.size = size
        self.p, self.q = l.numerator, l.denominator
        self._voluntary: dict[int, tuple[int, int]] = {}
        self._relaxed: dict[int, int | None] = {}

    def voluntary(self, level: int) -> tuple[int, int]:
        """Return gain and number of all relays that pay, no value above level."""
        if level not in self._voluntary:
            gain = records = 0
            for offer in self.offers:
                room, run = level - offer.present, 0
                while room > 0 and offer.has(run) and offer.gains[run] > 0:
                    batch = min(room, offer.records[run])
                    gain += batch * offer.gains[run]
                    records += batch
                    room -= batch
                    run += 1
            self._voluntary[level] = gain, records
        return self._voluntary[level]

    def forced(self, level: int, missing: int) -> list[tuple[int, int, int]] | None:
        """Return (loss, value, records) of the cheapest further relays, None if too few."""
        losses: list[tuple[int, int, int]] = []
        for offer in self.offers:
            room, run, wanted = level - offer.present, 0, missing
            while room > 0 and wanted > 0 and offer.has(run):
                batch = min(room, offer.records[run])
                if offer.gains[run] <= 0:
                    losses.append((-offer.gains[run], offer.value, batch))
                    wanted -= batch
                room -= batch
                run += 1
        losses.sort()
        taken = []
        for loss, value, batch in losses:
            if missing <= 0:
                break
            taken.append((loss, value, min(batch, missing)))
            missing -= batch
        return taken if missing <= 0 else None

    def relaxed_worth(self, level: int) -> int | None:
        """Return q times the worth of a level if fractions of records could be relayed."""
        if level not in self._relaxed:
            self._relaxed[level] = self._relax(level)
        return self._relaxed[level]

    def _relax(self, level: int) -> int | None:
        gain, records = self.voluntary(level)
        missing = self.p * level - self.q * (self.size + records)
        if missing <= 0:
            return self.q * gain
        taken = self.forced(level, -(-missing // self.q))
        if taken is None:
            return None
        total = self.q * gain
        for loss, _, batch in taken:
            part = min(missing, self.q * batch)
            total -= loss * part
            missing -= part
        return total

    def worth(self, level: int) -> int | None:
        """Return the exact worth of a level, None if it cannot be made eligible."""
        gain, records = self.voluntary(level)
        taken = self.forced(level, self._missing(level, records))
        return None if taken is None else gain - sum(loss * batch for loss, _, batch in taken)

    def relays(self, level: int) -> dict[int, int]:
        """Return how many records of each value to relay at a feasible level."""
        chosen: dict[int, int] = {}
        for offer in self.offers:
            room, run = level - offer.present, 0
            while room > 0 and offer.has(run) and offer.gains[run] > 0:
                batch = min(room, offer.records[run])
                chosen[offer.value] = chosen.get(offer.value, 0) + batch
                room -= batch
                run += 1
        for _, value, batch in self.forced(level, self._missing(level, sum(chosen.values()))) or ():
            chosen[value] = chosen.get(value, 0) + batch
        return chosen

    def _missing(self, level: int, records: int) -> int:
        return max(0, -(-self.p * level // self.q) - self.size - records)


def best_relays(filling: Filling, lowest: int, highest: int) -> dict[int, int]:
    """Return the relays of the best level; among equally good levels the lowest."""
    peak = _first_peak(filling.relaxed_worth, lowest, highest)
    if filling.q > 1:
        peak = _exact_peak(filling, peak, lowest, highest)
    return filling.relays(peak)


def _first_peak(worth: Callable[[int], int | None], low: int, high: int) -> int:
    """Return the lowest maximiser of a concave function by galloping, then bisection."""

    def rises(level: int) -> bool:
        here, above = worth(level), worth(level + 1)
        return here is not None and above is not None and above > here

    bound, stride = low, 1
    while bound < high and rises(bound):
        check()
        low = bound + 1
        bound = min(high, low + stride)
        stride *= 2
    while low < bound:
        check()
        middle = (low + bound) // 2
        if rises(middle):
            low = middle + 1
        else:
            bound = middle
    return low


def _exact_peak(filling: Filling, start: int, lowest: int, highest: int) -> int:
    """Search outwards from the relaxation's peak until the relaxation itself is no better."""
    best: int | None = None
    peak = start
    for level in range(start, highest + 1):
        check()
        bound = filling.relaxed_worth(level)
        if bound is None or (best is not None and bound <= filling.q * best):
            break
        worth = filling.worth(level)
        if worth is not None and (best is None or worth > best):
            best, peak = worth, level
    for level in range(start - 1, lowest - 1, -1):
        check()
        bound = filling.relaxed_worth(level)
        if bound is not None and best is not None and bound < filling.q * best:
            break
        worth = filling.worth(level)
        if worth is not None and (best is None or worth >= best):
            best, peak = worth, level
    return peak
