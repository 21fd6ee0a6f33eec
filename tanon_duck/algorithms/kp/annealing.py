"""Swaps of rows and of P-subgroups between k-groups, for value and pattern loss together.

Rows stand in a line in which neighbours are near in shape and value. Each is weighed against the
places around it: that of a neighbour, that beside the neighbour in its subgroup, and any in its
k-group. Whole subgroups are weighed against their neighbours alike. A swap that costs something is
taken too, as long as it costs less than a number drawn for it; what is drawn becomes less from
sweep to sweep and is nothing in the last ones (simulated annealing). One percent of the value loss
there was at first weighs as much as so many percent of the pattern loss.
"""

from functools import cache

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.arrangement import (
    Arrangement,
    Planes,
    Singles,
    gains_of_rows,
    value_gains,
)
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.pair_swaps import weighed
from tanon_duck.algorithms.kp.slots import Slots, slots_of
from tanon_duck.algorithms.sax import Floats, Integers

PATTERN_WEIGHT, SHAPE_WEIGHT = 0.77, 0.3
# A table three times larger has time for half the sweeps; twos and threes need more.
MOST_SWEEPS, MOST_WITH_SMALL, ROWS_OF_MOST_SWEEPS, FINISHING = 50, 180, 10_000, 3
SMALL_SUBGROUP = 3
LINES, CELL = 10, 16
# So many neighbours on both sides of a row, and behind a subgroup, are weighed.
ROWS_AROUND, SUBGROUPS_BEHIND = 8, 48
AT_ONCE, THRESHOLDS = 1 << 18, 1 << 19
# Costs that are taken, in hundredths of the value loss of ten rows, at first and at last.
WARM, COOL = 0.5, 0.1
TRIES = 4
WORTHWHILE = 1e-4


def anneal(
    series: Floats, normalized: Floats, subgroup: Integers, k_group: Integers
) -> tuple[Integers, Integers]:
    """Return the subgroup and the k-group of every row after the swaps, which lose no more."""
    slots = slots_of(subgroup, k_group)
    if slots.rows.shape[0] < 2:
        return subgroup, k_group
    # Rows that stand together lie together, so that looking at near ones finds them in the cache.
    first = slots.rows.ravel()
    taken = first >= 0
    kept = first[taken]
    numbers = np.where(taken, np.cumsum(taken) - 1, -1).reshape(slots.rows.shape)
    values, shapes = weighed(series, normalized, subgroup, k_group)
    shapes *= np.float32(PATTERN_WEIGHT)
    arrangement = Arrangement(values[kept], shapes[kept], Slots(numbers, slots.length))
    before = arrangement.total_loss()
    _sweeps(arrangement, _Lines(series[kept], normalized[kept]))
    if arrangement.total_loss() > before:
        return subgroup, k_group
    place = first[arrangement.slot[: kept.size]]
    new_subgroup, new_group = subgroup.copy(), k_group.copy()
    new_subgroup[kept], new_group[kept] = subgroup[place], k_group[place]
    return new_subgroup, new_group


def sweeps_for(rows: int, length: int) -> int:
    """Return how often all rows are weighed while swaps may cost something."""
    share: float = (ROWS_OF_MOST_SWEEPS / max(rows, 1)) ** 0.7
    most = MOST_WITH_SMALL if length <= SMALL_SUBGROUP else MOST_SWEEPS
    return max(1, min(round(most * share), most))


class _Lines:
    """Lines of all rows in which neighbours are near, each drawn along other borders."""

    def __init__(self, series: Floats, normalized: Floats) -> None:
        values = series - series.mean(axis=0)
        spread = float(np.sqrt(np.square(values).mean())) or 1.0
        self.features = np.hstack((values / spread, SHAPE_WEIGHT * normalized))
        self.found: dict[int, Integers] = {}

    def line(self, turn: int) -> Integers:
        """Return the line of a sweep, begun at another place each time it comes round."""
        number, count = turn % LINES, self.features.shape[0]
        if number not in self.found:
            places = np.arange(self.features.shape[1])
            weights = 1.0 + 0.5 * np.cos(1.0 + places * (number + 1.0) + number)
            root = np.zeros(count, dtype=np.int64)
            cells = balanced_split(self.features * weights, CELL, root)
            self.found[number] = np.argsort(cells, kind="stable")
        return np.roll(self.found[number], turn * count * 5 // 13)


def _sweeps(arrangement: Arrangement, lines: _Lines) -> None:
    """Weigh all rows and subgroups again and again, ever more strictly."""
    sweeps = sweeps_for(lines.features.shape[0], arrangement.length)
    for turn in range(sweeps + FINISHING):
        warmth = WARM * (COOL / WARM) ** (turn / sweeps) if turn < sweeps else 0.0
        line = lines.line(turn)
        _sweep_rows(arrangement, line, turn, warmth)
        _sweep_subgroups(arrangement, line, turn, warmth)


def _sweep_rows(arrangement: Arrangement, line: Integers, turn: int, warmth: float) -> None:
    """Weigh each row against the places beside its neighbours on the line."""
    count = line.size
    for chunk in _chunks(count, 2 * ROWS_AROUND + 1):
        check()
        rows = line[chunk]
        around = np.arange(chunk.start - ROWS_AROUND, chunk.start + rows.size + ROWS_AROUND)
        others = _beside(arrangement, line[around % count], turn)
        one, other = arrangement.planes(rows), arrangement.planes(others)
        gains = gains_of_rows(one, other.windows(rows.size))
        shift, place, limits = _found(gains, turn + chunk.start, warmth)
        _settle(arrangement, rows[place], others[place + shift], limits)


def _sweep_subgroups(arrangement: Arrangement, line: Integers, turn: int, warmth: float) -> None:
    """Weigh each subgroup, where its first row stands on the line, against those behind it."""
    if arrangement.length in (1, arrangement.rows.shape[1]):
        return
    met = arrangement.slot[line] // arrangement.length
    first = np.full(arrangement.held.size, line.size)
    first[met[::-1]] = np.arange(line.size)[::-1]
    met = met[first[met] == np.arange(line.size)]
    for chunk in _chunks(met.size, SUBGROUPS_BEHIND):
        check()
        some = met[chunk]
        behind = met[(np.arange(some.size + SUBGROUPS_BEHIND - 1) + chunk.start + 1) % met.size]
        one, other = (arrangement.planes_of_subgroups(each) for each in (some, behind))
        gains = value_gains(one, other.windows(some.size))
        shift, place, limits = _found(gains, turn + chunk.start, warmth)
        a, b = some[place], behind[place + shift]
        fits = arrangement.held[a] == arrangement.held[b]
        _settle_subgroups(arrangement, a[fits], b[fits], limits[fits])


def _beside(arrangement: Arrangement, rows: Integers, turn: int) -> Integers:
    """Return rows of the subgroups of these rows, or of their k-groups, or these themselves."""
    stretch = (arrangement.length, arrangement.rows.shape[1], 1)[turn % 3]
    if stretch == 1:
        return rows
    slot = arrangement.slot[rows]
    step = 1 + turn % max(1, stretch - 1)
    found = arrangement.rows.ravel()[slot // stretch * stretch + (slot + step) % stretch]
    # A slot may be empty.
    return np.where(found < arrangement.slot.size - 1, found, rows)


def _chunks(count: int, neighbours: int) -> list[slice]:
    """Cut a line into stretches of like length whose gains stay in the processor's cache."""
    parts = max(1, -(-count * neighbours // AT_ONCE))
    step = -(-count // parts)
    return [slice(start, min(start + step, count)) for start in range(0, count, step)]


@cache
def _thresholds() -> Singles:
    """Return numbers drawn once for all: exponential ones, so that what costs twice is rarer."""
    bits = np.random.PCG64(20).random_raw(THRESHOLDS)
    shares = (bits >> np.uint64(11)) * 2.0**-53
    drawn: Singles = -np.log1p(-shares)
    return drawn.astype(np.float32)


def _found(gains: Singles, turn: int, warmth: float) -> tuple[Integers, Integers, Singles]:
    """Return which swaps cost less than the number drawn for them, and these numbers."""
    flat = gains.ravel()
    start = turn * 7919 % max(1, THRESHOLDS - flat.size)
    limits = _thresholds()[start : start + flat.size] * np.float32(warmth)
    limits -= np.float32(WORTHWHILE)
    found = np.flatnonzero(flat < limits)
    # Rows that are alike may change places for ever.
    found = found[np.abs(flat[found]) > WORTHWHILE]
    shift, place = np.divmod(found, gains.shape[1])
    return shift, place, limits[found]


def _settle(arrangement: Arrangement, one: Integers, other: Integers, limits: Singles) -> None:
    """Swap rows, best first; those whose groups have changed are weighed again."""
    for _ in range(TRIES):
        check()
        planes = arrangement.planes(one), arrangement.planes(other)
        taken, left = _best_apart(planes, gains_of_rows(*planes), limits)
        arrangement.swap(one[taken], other[taken])
        one, other, limits = one[left], other[left], limits[left]
        if not left.size:
            return


def _settle_subgroups(
    arrangement: Arrangement, one: Integers, other: Integers, limits: Singles
) -> None:
    """Swap subgroups, best first. Where both groups stay, a subgroup left is weighed again."""
    for _ in range(TRIES):
        check()
        planes = arrangement.planes_of_subgroups(one), arrangement.planes_of_subgroups(other)
        gains = value_gains(*planes)
        gains[planes[0].group == planes[1].group] = np.inf
        taken, left = _best_apart(planes, gains, limits)
        arrangement.swap_subgroups(one[taken], other[taken])
        one, other, limits = one[left], other[left], limits[left]
        if not left.size:
            return


def _best_apart(
    planes: tuple[Planes, Planes], gains: Singles, limits: Singles
) -> tuple[Integers, Integers]:
    """Return the best swaps that share no group, and the others that are fine, both best first."""
    fine = np.flatnonzero(gains < limits)
    fine = fine[np.argsort(gains[fine], kind="stable")]
    groups = planes[0].group[fine], planes[1].group[fine]
    most = max(int(group.max(initial=-1)) for group in groups)
    taken = _first_of_each(*groups, most + 1)
    return fine[taken], fine[~taken]


def _first_of_each(
    one: Integers, other: Integers, count: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Tell which pairs of groups are the first for both; what stands earlier is better."""
    first = np.full(count, one.size)
    # The last write wins, so writing backwards leaves the first pair of each group.
    both = np.stack((one[::-1], other[::-1]), axis=1).ravel()
    rank = np.arange(one.size)
    first[both] = np.repeat(rank[::-1], 2)
    fine: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (first[one] == rank) & (
        first[other] == rank
    )
    return fine
