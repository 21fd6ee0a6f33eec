"""The method 'window' with late = 'covered': late records have companions with other values.

A way is the records of one snapshot that stay, that go to the same later slot, or that are
suppressed. An adversary who knows the snapshot of a record may see its way. So no value may have a
larger share of a way than 1/l or, if that is larger, than its share of the snapshot.

In formulas: a snapshot has n records, n_v of them of value v, and a way has c and c_v. Then
c_v / c <= max(1 / l, n_v / n). A value with more than one l-th of its snapshot is heavy. As the
ways add up to the snapshot, each way has exactly the share n_v / n of a heavy value. So the size
of a way is a multiple of n / g, where g is the greatest common divisor of n and the counts of the
heavy values.
"""

from collections.abc import Mapping
from math import gcd

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.integers import IntegerProgramme
from tanon_duck.algorithms.reposition.placement import Placement, refuse_too_many
from tanon_duck.algorithms.reposition.replan import ReplanWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings

# value -> (column of the programme, number of records of the value per unit of the column)
Way = dict[int, tuple[int, int]]
Cells = Mapping[tuple[int, int], int]


class CompanionsWindow(ReplanWindow):
    """A window that places all pending records anew, with companions for late records."""

    def _placement(self, low: int, high: int) -> Placement:
        return place_with_companions(self.settings, self.pending, low, high)


def place_with_companions(settings: Settings, pending: Cells, low: int, high: int) -> Placement:
    """Return the placement of pending records in slots ``low`` to ``high`` with the lowest loss."""
    refuse_too_many(pending)
    counts_of_origin: dict[int, dict[int, int]] = {}
    for (value, origin), records in sorted(pending.items()):
        counts_of_origin.setdefault(origin, {})[value] = records
    programme = IntegerProgramme()
    ways: list[tuple[int, int | None, Way]] = []
    for origin, counts in counts_of_origin.items():
        check()
        slots = [*range(max(origin, low), min(origin + settings.w - 1, high) + 1), None]
        ways_of_origin = [
            (origin, slot, _add_way(programme, settings, counts, origin, slot)) for slot in slots
        ]
        for value, records in counts.items():
            programme.require_sum(dict(way[value] for _, _, way in ways_of_origin), records)
        ways += ways_of_origin
    for slot in range(low, high + 1):
        ways_to_slot = [way for _, way_slot, way in ways if way_slot == slot]
        _require_eligible_slot(programme, settings, ways_to_slot)
    solution, gap = programme.solve()
    flows: list[Flow] = [
        (value, origin, slot, records)
        for origin, slot, way in ways
        for value, (column, factor) in way.items()
        if (records := solution[column] * factor)
    ]
    return Placement(flows, gap)


def _add_way(
    programme: IntegerProgramme, settings: Settings, counts: Counts, origin: int, slot: int | None
) -> Way:
    """Add one way of a snapshot with these counts to the programme, and return its columns.

    All heavy values have one column, each other value has one. In the first solution all records
    are suppressed.
    """
    p, q = settings.l.numerator, settings.l.denominator
    size = sum(counts.values())
    costs = {value: settings.loss((value, origin, slot, 1)) for value in counts}
    heavy = [value for value, records in counts.items() if p * records > q * size]
    parts = gcd(size, *(counts[value] for value in heavy))
    if heavy and parts == 1:
        heavy = list(counts)
    light = [value for value in counts if value not in heavy]
    way: Way = {}
    size_of_way: dict[int, int] = {}
    if heavy:
        cost = sum(costs[value] * counts[value] // parts for value in heavy)
        multiple = programme.column(cost, parts, starts_at_most=slot is None)
        way = {value: (multiple, counts[value] // parts) for value in heavy}
        size_of_way = {multiple: size // parts}
    for value in light:
        column = programme.column(costs[value], counts[value], starts_at_most=slot is None)
        way[value] = (column, 1)
    light_records = {way[value][0]: 1 for value in light}
    if heavy and light:
        heavy_per_unit = sum(way[value][1] for value in heavy)
        programme.require_sum(light_records | {multiple: heavy_per_unit - size_of_way[multiple]}, 0)
    for value in light:
        programme.require_share({way[value][0]: 1}, size_of_way or light_records, p, q)
    return way


def _require_eligible_slot(
    programme: IntegerProgramme, settings: Settings, ways: list[Way]
) -> None:
    """Require that no value has more than one l-th of the records of a slot, from its ways."""
    size_of_slot: dict[int, int] = {}
    records_of_value: dict[int, dict[int, int]] = {}
    for way in ways:
        for value, (column, factor) in way.items():
            size_of_slot[column] = size_of_slot.get(column, 0) + factor
            records_of_value.setdefault(value, {})[column] = factor
    for records in records_of_value.values():
        programme.require_share(records, size_of_slot, settings.l.numerator, settings.l.denominator)
