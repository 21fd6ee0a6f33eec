"""Re-planning where to be late tells no more of a value than the day does: an integer programme.

What of a snapshot stays, goes to one later slot or is lost is a way. A snapshot has n records, n_v
of value v, a way c and c_v; for every way and value c_v / c <= max(1 / l, n_v / n). A value above
one l-th of its snapshot then has exactly its share in every way, since the ways add up to the
snapshot: a way is a multiple of n / g, g the greatest common divisor of n and the counts of such
values.
"""

from collections.abc import Mapping
from math import gcd

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.integers import Integers
from tanon_duck.algorithms.reposition.placement import Placement, refuse_too_many
from tanon_duck.algorithms.reposition.replan import ReplanWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings

# value -> the column that counts it and how many records one of that column is
Way = dict[int, tuple[int, int]]
Cells = Mapping[tuple[int, int], int]


class CompanionsWindow(ReplanWindow):
    """Every unreleased record is placed anew; who is late has companions of other values."""

    def _placement(self, low: int, high: int) -> Placement:
        return place_with_companions(self.settings, self.pending, low, high)


def place_with_companions(settings: Settings, pending: Cells, low: int, high: int) -> Placement:
    """Place pending records in slots low..high at the lowest loss, no way telling too much."""
    refuse_too_many(pending)
    days: dict[int, dict[int, int]] = {}
    for (value, home), records in sorted(pending.items()):
        days.setdefault(home, {})[value] = records
    programme = Integers()
    ways: list[tuple[int, int | None, Way]] = []
    for home, counts in days.items():
        check()
        slots = [*range(max(home, low), min(home + settings.w - 1, high) + 1), None]
        own = [(home, slot, _add_way(programme, settings, counts, home, slot)) for slot in slots]
        for value, records in counts.items():
            programme.equal(dict(way[value] for _, _, way in own), records)
        ways += own
    for slot in range(low, high + 1):
        _balance(programme, settings, [way for _, place, way in ways if place == slot])
    found, gap = programme.solve()
    flows: list[Flow] = [
        (value, home, slot, records)
        for home, slot, way in ways
        for value, (column, factor) in way.items()
        if (records := found[column] * factor)
    ]
    return Placement(flows, gap)


def _add_way(
    programme: Integers, settings: Settings, counts: Counts, home: int, slot: int | None
) -> Way:
    """Add the columns of one way and what it may tell; all lost is where the search begins."""
    p, q = settings.l.numerator, settings.l.denominator
    size = sum(counts.values())
    costs = {value: settings.loss((value, home, slot, 1)) for value in counts}
    heavy = [value for value, records in counts.items() if p * records > q * size]
    parts = gcd(size, *(counts[value] for value in heavy))
    if heavy and parts == 1:
        heavy = list(counts)
    light = [value for value in counts if value not in heavy]
    way: Way = {}
    total: dict[int, int] = {}
    if heavy:
        cost = sum(costs[value] * counts[value] // parts for value in heavy)
        multiple = programme.column(cost, parts, starts_full=slot is None)
        way = {value: (multiple, counts[value] // parts) for value in heavy}
        total = {multiple: size // parts}
    for value in light:
        column = programme.column(costs[value], counts[value], starts_full=slot is None)
        way[value] = (column, 1)
    rest = {way[value][0]: 1 for value in light}
    if heavy and light:
        of_heavy = sum(way[value][1] for value in heavy)
        programme.equal(rest | {multiple: of_heavy - total[multiple]}, 0)
    for value in light:
        programme.share({way[value][0]: 1}, total or rest, p, q)
    return way


def _balance(programme: Integers, settings: Settings, ways: list[Way]) -> None:
    """No value holds more than one l-th of what is published in a slot."""
    total: dict[int, int] = {}
    of_value: dict[int, dict[int, int]] = {}
    for way in ways:
        for value, (column, factor) in way.items():
            total[column] = total.get(column, 0) + factor
            of_value.setdefault(value, {})[column] = factor
    for part in of_value.values():
        programme.share(part, total, settings.l.numerator, settings.l.denominator)
