"""Chooses how many suppressed records of each value to relay into the newest slot.

The level h of the slot is the number of records that its most frequent value may have. At level h
the slot needs at least l h records to be l-eligible. So for each level:

1. Relay all records with a positive gain, as long as no value exceeds the level.
2. If the slot then has fewer than l h records, relay those that cost least, until it has.

``LevelGains`` computes the total gain of a level, ``best_relays`` finds the best level. For an
integer l the gain is a concave function of the level, so that bisection finds its maximum. For
l = p/q this holds for an upper bound, the relaxed gain: it allows fractions of records.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.relay import RelayGains


class LevelGains:
    """The total gain of the best relays into the newest slot, for each level.

    ``size`` is the number of records in the slot before any relay.
    """

    def __init__(self, gains: Sequence[RelayGains], size: int, l: Fraction) -> None:  # noqa: E741
        self.gains = gains
        self.size = size
        self.p, self.q = l.numerator, l.denominator
        self._gainful: dict[int, tuple[int, int]] = {}
        self._relaxed: dict[int, int | None] = {}

    def _gainful_of_value(self, value: RelayGains, level: int) -> Iterator[tuple[int, int]]:
        """Yield (gain, records) of the relays of a value with a positive gain, up to a level."""
        room, batch = level - value.in_newest_slot, 0
        while room > 0 and value.compute(batch) and value.gains[batch] > 0:
            records = min(room, value.records[batch])
            yield value.gains[batch], records
            room -= records
            batch += 1

    def gainful(self, level: int) -> tuple[int, int]:
        """Return total gain and number of all relays with a positive gain up to a level."""
        if level not in self._gainful:
            total = n_records = 0
            for value in self.gains:
                for gain, records in self._gainful_of_value(value, level):
                    total += records * gain
                    n_records += records
            self._gainful[level] = total, n_records
        return self._gainful[level]

    def cheapest_losing(self, level: int, missing: int) -> list[tuple[int, int, int]] | None:
        """Return the cheapest ``missing`` relays without a gain, as (loss, value, records).

        Return None if there are too few up to this level.
        """
        losses: list[tuple[int, int, int]] = []
        for value in self.gains:
            room, batch, wanted = level - value.in_newest_slot, 0, missing
            while room > 0 and wanted > 0 and value.compute(batch):
                records = min(room, value.records[batch])
                if value.gains[batch] <= 0:
                    losses.append((-value.gains[batch], value.value, records))
                    wanted -= records
                room -= records
                batch += 1
        losses.sort()
        chosen = []
        for loss, number, records in losses:
            if missing <= 0:
                break
            chosen.append((loss, number, min(records, missing)))
            missing -= records
        return chosen if missing <= 0 else None

    def relaxed_gain(self, level: int) -> int | None:
        """Return q times the gain of a level if fractions of records could be relayed.

        Return None if the slot cannot be eligible at this level.
        """
        if level not in self._relaxed:
            self._relaxed[level] = self._compute_relaxed_gain(level)
        return self._relaxed[level]

    def _compute_relaxed_gain(self, level: int) -> int | None:
        """Return what ``relaxed_gain`` returns, without its cache."""
        gain, records = self.gainful(level)
        missing = self.p * level - self.q * (self.size + records)  # in q-ths of a record
        if missing <= 0:
            return self.q * gain
        losing = self.cheapest_losing(level, -(-missing // self.q))
        if losing is None:
            return None
        total = self.q * gain
        for loss, _, n_records in losing:
            part = min(missing, self.q * n_records)
            total -= loss * part
            missing -= part
        return total

    def gain(self, level: int) -> int | None:
        """Return the gain of a level, None if the slot cannot be eligible at this level."""
        gain, records = self.gainful(level)
        losing = self.cheapest_losing(level, self._missing_records(level, records))
        if losing is None:
            return None
        return gain - sum(loss * n_records for loss, _, n_records in losing)

    def relays(self, level: int) -> dict[int, int]:
        """Return how many records of each value to relay at a level that can be eligible."""
        records_of_value: dict[int, int] = {}
        for value in self.gains:
            for _, records in self._gainful_of_value(value, level):
                number = value.value
                records_of_value[number] = records_of_value.get(number, 0) + records
        missing = self._missing_records(level, sum(records_of_value.values()))
        for _, number, records in self.cheapest_losing(level, missing) or ():
            records_of_value[number] = records_of_value.get(number, 0) + records
        return records_of_value

    def _missing_records(self, level: int, relayed: int) -> int:
        """Return how many more records the slot needs to be eligible at a level."""
        return max(0, -(-self.p * level // self.q) - self.size - relayed)


def best_relays(gains: LevelGains, lowest: int, highest: int) -> dict[int, int]:
    """Return the number of records of each value to relay, at the best level in a range.

    Of equally good levels it is the lowest.
    """
    level = _first_maximum(gains.relaxed_gain, lowest, highest)
    if gains.q > 1:
        level = _best_level_near(gains, level, lowest, highest)
    return gains.relays(level)


def _first_maximum(function: Callable[[int], int | None], low: int, high: int) -> int:
    """Return the lowest argument in [low, high] at which a concave function is largest.

    The search doubles its step until the function falls, and then bisects the last step.
    """

    def rises(level: int) -> bool:
        value, next_value = function(level), function(level + 1)
        return value is not None and next_value is not None and next_value > value

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


def _best_level_near(gains: LevelGains, start: int, lowest: int, highest: int) -> int:
    """Return the level with the largest gain, searching from the maximum of the relaxed gain.

    The search goes upwards and downwards from ``start``, each until the relaxed gain, which is an
    upper bound, is no better than the best gain so far.
    """
    best_gain: int | None = None
    best_level = start
    for level in range(start, highest + 1):
        check()
        bound = gains.relaxed_gain(level)
        if bound is None or (best_gain is not None and bound <= gains.q * best_gain):
            break
        gain = gains.gain(level)
        if gain is not None and (best_gain is None or gain > best_gain):
            best_gain, best_level = gain, level
    for level in range(start - 1, lowest - 1, -1):
        check()
        bound = gains.relaxed_gain(level)
        if bound is not None and best_gain is not None and bound < gains.q * best_gain:
            break
        gain = gains.gain(level)
        if gain is not None and (best_gain is None or gain >= best_gain):
            best_gain, best_level = gain, level
    return best_level
