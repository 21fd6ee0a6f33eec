"""Perturb sensitive values so that no value fills more than 1/l of any class.

A class is the set of published rows with one envelope and one word.  If every class is
l-diverse, so is every set of rows an adversary can narrow a person down to, because each
such set is a union of classes.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.matching import matched

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.bytes_]

RANDOM_ROUNDS = 64
LARGEST_DOUBLE = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Request:
    """What to perturb: one entry per published row; values are whole steps or floats.

    Keys differ from row to row, and nobody foresees them: they decide all that is drawn.
    """

    classes: Integers
    values: Numbers
    keys: Keys
    diversity: int
    reach: float
    every_value: bool = False
    avoid_column: bool = True
    # Where there is no value: NULL counts as a value of its own but has no neighbourhood.
    missing: Mask | None = None
    # What one step is worth, for messages, and what the type of the column can hold.
    unit: float = 1.0
    limits: tuple[float, float] = (-LARGEST_DOUBLE, LARGEST_DOUBLE)
    # Whether the column holds FLOAT: two values of DOUBLE may be one there.
    is_single: bool = False


@dataclass(frozen=True)
class Cells:
    """The rows in an order that does not depend on how they came: class, value, key."""

    order: Integers
    quota: Integers
    rank: Integers
    frequency: Integers


def _run_starts(*columns: npt.NDArray[np.generic]) -> Mask:
    """Mark where a new combination starts in sorted columns."""
    starts = np.zeros(columns[0].size, dtype=bool)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    return starts


def _sizes_and_ranks(starts: Mask) -> tuple[Integers, Integers]:
    """Return for each sorted row the size of its run and its place in it."""
    first = np.flatnonzero(starts)
    sizes = np.diff(np.append(first, starts.size))
    run = np.cumsum(starts) - 1
    return sizes[run].astype(np.int64), (np.arange(starts.size) - first[run]).astype(np.int64)


def _cells(request: Request) -> Cells:
    """Sort the rows and count how often each value occurs in its class."""
    missing = np.zeros(request.values.size, dtype=bool)
    if request.missing is not None:
        missing = request.missing
    order = np.lexsort((request.keys, request.values, missing, request.classes)).astype(np.int64)
    classes, values = request.classes[order], request.values[order]
    class_size, _ = _sizes_and_ranks(_run_starts(classes))
    frequency, rank = _sizes_and_ranks(_run_starts(classes, missing[order], values))
    smallest = int(class_size.min(initial=np.iinfo(np.int64).max))
    if order.size and request.diversity > smallest:
        raise ValueError(
            f"l must be at most the smallest class ({smallest} rows), got {request.diversity}"
        )
    return Cells(order, class_size // request.diversity, rank, frequency)


def _chosen(request: Request, cells: Cells) -> Integers:
    """Return the sorted places of the rows that get a new value."""
    crowded = cells.frequency > cells.quota
    empty = np.zeros(crowded.size, dtype=bool)
    if request.missing is not None:
        empty = request.missing[cells.order]
    if (crowded & empty).any():
        raise ValueError(
            f"more than 1/{request.diversity} of a class is NULL, which has no neighbourhood"
        )
    if not request.every_value:
        return np.flatnonzero(crowded & (cells.rank >= cells.quota))
    classes = request.classes[cells.order]
    violating = np.unique(classes[crowded])
    return np.flatnonzero(np.isin(classes, violating) & ~empty)


def _stride(request: Request, cells: Cells) -> int:
    """Return by how many steps values may move: rounding must not find whole classes that moved.

    Repeated values are multiples of their greatest common divisor; so are the distances moved.
    """
    if request.values.dtype.kind == "f" or not request.every_value:
        return 1
    values = request.values[cells.order].astype(np.int64)
    repeated = values[cells.frequency > cells.quota]
    stride = int(np.gcd.reduce(repeated)) or int(np.gcd.reduce(values)) or 1
    if stride > request.reach:
        raise ValueError(
            f"epsilon must be at least {stride * request.unit:g}, the resolution of the repeated "
            f"values, got {request.reach * request.unit:g}"
        )
    return stride


def _drawn(key: bytes, purpose: int) -> int:
    """Draw 128 bits for one row and one purpose, which nobody can foresee without its key."""
    return int.from_bytes(hashlib.sha256(b"%d %s" % (purpose, key)).digest()[:16])


def _candidates(
    request: Request, values: Numbers, keys: Keys, attempt: int, stride: int
) -> Numbers:
    """Draw a value within reach of each value."""
    draws = [_drawn(key, attempt) for key in keys.tolist()]
    if values.dtype.kind == "i":
        reach = int(request.reach) // stride
        steps = np.array([draw % (2 * reach + 1) - reach for draw in draws], dtype=np.int64)
        return values + stride * steps
    shift = request.reach * (2.0 * np.array([draw / 2**128 for draw in draws]) - 1.0)
    drawn: Numbers = np.clip(values + shift, values - request.reach, values + request.reach)
    if request.is_single:
        drawn = drawn.astype(np.float32).astype(np.float64)
        # A value that is rounded out of reach is as good as none.
        drawn = np.where(np.abs(drawn - values) <= request.reach, drawn, values)
    return drawn


class _Taken:
    """The values that must not be used again, in the whole column or in one class."""

    def __init__(self, request: Request) -> None:
        self.in_column = request.avoid_column
        self.existing = np.unique(request.values)
        shown = request.values if request.missing is None else request.values[~request.missing]
        self.bounds = (shown.min().item(), shown.max().item()) if shown.size else (0, 0)
        self.limits = request.limits
        self.has_room = self.bounds[1] - self.bounds[0] >= 2 * request.reach
        pairs = np.stack([request.classes, np.searchsorted(self.existing, request.values)])
        self.pairs = np.unique(pairs[0] * self.existing.size + pairs[1])

    def stands_out(self, values: Numbers) -> Mask:
        """Mark values beyond the type, and, where there is room, beyond all that exist."""
        least, most = self.bounds if self.has_room else self.limits
        return np.asarray((values < least) | (values > most))

    def has(self, classes: Integers, values: Numbers) -> Mask:
        """Mark values that exist already."""
        place = np.searchsorted(self.existing, values)
        place = np.minimum(place, self.existing.size - 1)
        exists: Mask = self.existing[place] == values
        if not self.in_column:
            pair = classes * self.existing.size + place
            slot = np.minimum(np.searchsorted(self.pairs, pair), self.pairs.size - 1)
            exists &= self.pairs[slot] == pair
        return exists


def _first_of_each(classes: Integers, values: Numbers, settled: Mask) -> Mask:
    """Mark rows that are the only or first holder of their value in their class."""
    waiting = ~settled
    order = np.lexsort((np.arange(classes.size), waiting, values, classes))
    first = np.zeros(classes.size, dtype=bool)
    first[order] = _run_starts(classes[order], values[order])
    return first


def _draw_distinct(
    request: Request, taken: _Taken, classes: Integers, values: Numbers, keys: Keys, stride: int
) -> tuple[Numbers, Mask]:
    """Draw new values until they collide with nothing; a few may stay unsettled."""
    found = values.copy()
    settled = np.zeros(values.size, dtype=bool)
    for attempt in range(RANDOM_ROUNDS):
        open_rows = np.flatnonzero(~settled)
        if not open_rows.size:
            break
        own = values[open_rows]
        drawn = _candidates(request, own, keys[open_rows], attempt, stride)
        free = ~(taken.has(classes[open_rows], drawn) | taken.stands_out(drawn))
        held = np.concatenate([np.flatnonzero(settled), open_rows[free]])
        found[open_rows[free]] = drawn[free]
        alone = _first_of_each(classes[held], found[held], settled[held])
        settled[held[alone]] = True
    return found, settled


def _pack(request: Request, taken: _Taken, group: int, values: Integers, stride: int) -> Integers:
    """Give sorted whole values, whole strides apart, the lowest free values (finds all if any)."""
    reach, (least, most) = int(request.reach) // stride * stride, request.limits
    here, found, last = np.array([group]), np.empty_like(values), least - stride
    for index, value in enumerate(values.tolist()):
        lowest = max(value - reach, least + (value - least) % stride)
        highest, place = min(value + reach, most), max(last + stride, lowest)
        while place <= highest and taken.has(here, np.array([place]))[0]:
            place += stride
        if place > highest:
            raise ValueError(
                "epsilon leaves no room: not enough unused values near "
                "a sensitive value; use a larger epsilon or avoid := 'class'"
            )
        found[index] = last = place
    return found


def _settle_the_rest(
    request: Request,
    taken: _Taken,
    rows: tuple[Integers, Numbers],
    found: Numbers,
    open_: Mask,
    stride: int,
) -> None:
    """Assign exactly, in place, in the classes where drawing did not find room."""
    classes, values = rows
    if not open_.any():
        return
    if values.dtype.kind != "i":
        raise ValueError("epsilon is too small to change a sensitive value")
    whole = values.astype(np.int64)
    residues = whole % stride
    # Values that are not whole strides apart never meet.
    for group, residue in np.unique(np.stack([classes, residues])[:, open_], axis=1).T.tolist():
        members = np.flatnonzero((classes == group) & (residues == residue))
        found[members] = _pack(request, taken, group, whole[members], stride)


def diversify(request: Request) -> tuple[Numbers, Mask]:
    """Return the published values and which of them were changed."""
    changed = np.zeros(request.values.size, dtype=bool)
    published = request.values.copy()
    cells = _cells(request)
    chosen = _chosen(request, cells)
    if not chosen.size:
        return published, changed
    rows = cells.order[chosen]
    classes, values = request.classes[rows], request.values[rows]
    taken, stride = _Taken(request), _stride(request, cells)
    found, settled = _draw_distinct(request, taken, classes, values, request.keys[rows], stride)
    _settle_the_rest(request, taken, (classes, values), found, ~settled, stride)
    published[rows], changed[rows] = found, True
    return published, changed


def replace_values(
    classes: Integers,
    values: Integers,
    keys: Keys,
    diversity: int,
    choices: dict[int, list[int]],
) -> tuple[Integers, Mask]:
    """Replace surplus values (codes) by their allowed replacements, none beyond 1/l of a class."""
    request = Request(classes, values, keys, diversity, 0.0)
    cells = _cells(request)
    chosen = _chosen(request, cells)
    published, changed = values.copy(), np.zeros(values.size, dtype=bool)
    sorted_classes = classes[cells.order]
    for group in np.unique(sorted_classes[chosen]):
        first, last = np.searchsorted(sorted_classes, [group, group + 1])
        members = cells.order[first:last]
        surplus = cells.order[chosen[(chosen >= first) & (chosen < last)]]
        present = set(values[members].tolist())
        order = {c: _drawn(keys[surplus[0]], c) for own in choices.values() for c in own}
        options = {
            v: sorted((c for c in choices.get(v, []) if c not in present), key=order.__getitem__)
            for v in present
        }
        published[surplus] = matched(values[surplus].tolist(), options, int(cells.quota[first]))
        changed[surplus] = True
    return published, changed
