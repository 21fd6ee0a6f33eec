"""Changes sensitive values so that no value has more than 1/l of the rows of any class.

A class is the published rows with one envelope and one word. An adversary can narrow a person
down to a union of classes. So the adversary's rows are l-diverse if every class is.

``diversify`` moves numbers by at most a reach, to values that do not occur yet. It proceeds in
four steps:

1. ``count_cells`` sorts the rows and counts how often each value occurs in its class.
2. ``rows_to_change`` chooses the rows of values above the quota, class size / l. In 'jitter' mode
   it chooses all rows of a class with such a value.
3. ``_draw_distinct`` draws random new values until no two rows of a class have the same.
4. ``_assign_exactly`` finds values for rows for which the random draws failed.
"""

import numpy as np

from tanon_duck.algorithms.class_counts import (
    Cells,
    Integers,
    Keys,
    Mask,
    Numbers,
    Request,
    count_cells,
    random_bits,
    rows_to_change,
    run_starts,
)

# Random draws before the exact assignment. If half of the values near a value are unused, a row
# without a new value after 64 draws is practically impossible.
RANDOM_ROUNDS = 64


def _stride(request: Request, cells: Cells) -> int:
    """Return the number of steps of which every change must be a multiple.

    If a whole class changes, its new values keep the roundness of the values that were too
    frequent: ages that are multiples of 5 move by multiples of 5. Otherwise a reader could find
    the changed classes by their less round values.
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


def _draw_near(request: Request, values: Numbers, keys: Keys, attempt: int, stride: int) -> Numbers:
    """Return for each value a random value within reach; each attempt draws other values."""
    draws = [random_bits(key, attempt) for key in keys.tolist()]
    if values.dtype.kind == "i":
        reach = int(request.reach) // stride
        steps = np.array([draw % (2 * reach + 1) - reach for draw in draws], dtype=np.int64)
        return values + stride * steps
    shift = request.reach * (2.0 * np.array([draw / 2**128 for draw in draws]) - 1.0)
    drawn: Numbers = np.clip(values + shift, values - request.reach, values + request.reach)
    if request.is_single:
        drawn = drawn.astype(np.float32).astype(np.float64)
        # Rounding may lead out of reach. Then the old value is drawn, which is refused as used.
        drawn = np.where(np.abs(drawn - values) <= request.reach, drawn, values)
    return drawn


class _UsedValues:
    """The values that a new value must not equal: those of the column, or those of its class."""

    def __init__(self, request: Request) -> None:
        """Collect the values of the request, and the pairs of class and value."""
        self.in_column = request.avoid_column
        self.existing = np.unique(request.values)
        present = request.values if request.missing is None else request.values[~request.missing]
        self.range = (present.min().item(), present.max().item()) if present.size else (0, 0)
        self.limits = request.limits
        self.range_is_wide = self.range[1] - self.range[0] >= 2 * request.reach
        numbers = np.searchsorted(self.existing, request.values)
        # A class and the number of a value in ``existing``, packed into one integer.
        self.pairs = np.unique(request.classes * self.existing.size + numbers)

    def are_outside(self, values: Numbers) -> Mask:
        """Mark values that a reader would see to be new, or that the type cannot hold.

        Values beyond the smallest and largest existing value are allowed only if these are less
        than 2 reaches apart, because then the range may have too little room.
        """
        lowest, highest = self.range if self.range_is_wide else self.limits
        return np.asarray((values < lowest) | (values > highest))

    def contain(self, classes: Integers, values: Numbers) -> Mask:
        """Mark values that exist already in the column or, if only it counts, in their class."""
        number = np.searchsorted(self.existing, values)
        number = np.minimum(number, self.existing.size - 1)
        exists: Mask = self.existing[number] == values
        if not self.in_column:
            pair = classes * self.existing.size + number
            position = np.minimum(np.searchsorted(self.pairs, pair), self.pairs.size - 1)
            exists &= self.pairs[position] == pair
        return exists


def _without_duplicates(classes: Integers, values: Numbers, settled: Mask) -> Mask:
    """Mark one row of each value of each class, a settled row if there is one."""
    order = np.lexsort((np.arange(classes.size), ~settled, values, classes))
    chosen = np.zeros(classes.size, dtype=bool)
    chosen[order] = run_starts(classes[order], values[order])
    return chosen


def _draw_distinct(
    request: Request, used: _UsedValues, classes: Integers, values: Numbers, keys: Keys, stride: int
) -> tuple[Numbers, Mask]:
    """Draw a new value for each row, different from used values and from those of its class.

    Return the new values, and which rows are settled: the others have no allowed value yet.
    """
    new_values = values.copy()
    settled = np.zeros(values.size, dtype=bool)
    for attempt in range(RANDOM_ROUNDS):
        open_rows = np.flatnonzero(~settled)
        if not open_rows.size:
            break
        drawn = _draw_near(request, values[open_rows], keys[open_rows], attempt, stride)
        allowed = ~(used.contain(classes[open_rows], drawn) | used.are_outside(drawn))
        candidates = np.concatenate([np.flatnonzero(settled), open_rows[allowed]])
        new_values[open_rows[allowed]] = drawn[allowed]
        distinct = _without_duplicates(
            classes[candidates], new_values[candidates], settled[candidates]
        )
        settled[candidates[distinct]] = True
    return new_values, settled


def _assign_lowest(
    request: Request, used: _UsedValues, class_: int, values: Integers, stride: int
) -> Integers:
    """Return for ascending values of one class the lowest allowed new values.

    The values differ by multiples of ``stride``. As all have the same reach, this assignment
    exists if any assignment does; otherwise raise ValueError.
    """
    reach, (smallest, largest) = int(request.reach) // stride * stride, request.limits
    classes, new_values, last = np.array([class_]), np.empty_like(values), smallest - stride
    for index, value in enumerate(values.tolist()):
        lowest = max(value - reach, smallest + (value - smallest) % stride)
        highest, candidate = min(value + reach, largest), max(last + stride, lowest)
        while candidate <= highest and used.contain(classes, np.array([candidate]))[0]:
            candidate += stride
        if candidate > highest:
            raise ValueError(
                "epsilon leaves no room: not enough unused values near "
                "a sensitive value; use a larger epsilon or avoid := 'class'"
            )
        new_values[index] = last = candidate
    return new_values


def _assign_exactly(
    request: Request,
    used: _UsedValues,
    classes: Integers,
    values: Numbers,
    new_values: Numbers,
    unsettled: Mask,
    stride: int,
) -> None:
    """Assign new values to unsettled rows, and to the other rows of their classes.

    Change ``new_values`` in place. Raise ValueError if there are too few values within reach.
    """
    if not unsettled.any():
        return
    if values.dtype.kind != "i":
        raise ValueError("epsilon is too small to change a sensitive value")
    steps = values.astype(np.int64)
    remainders = steps % stride
    # Values with different remainders never get the same new value, as changes are multiples of
    # the stride.
    pairs = np.unique(np.stack([classes, remainders])[:, unsettled], axis=1)
    for class_, remainder in pairs.T.tolist():
        rows = np.flatnonzero((classes == class_) & (remainders == remainder))
        new_values[rows] = _assign_lowest(request, used, class_, steps[rows], stride)


def diversify(request: Request) -> tuple[Numbers, Mask]:
    """Return the sensitive value of each row to publish, and which rows were changed."""
    changed = np.zeros(request.values.size, dtype=bool)
    published = request.values.copy()
    cells = count_cells(request)
    positions = rows_to_change(request, cells)
    if not positions.size:
        return published, changed
    rows = cells.order[positions]
    classes, values, keys = request.classes[rows], request.values[rows], request.keys[rows]
    used, stride = _UsedValues(request), _stride(request, cells)
    new_values, settled = _draw_distinct(request, used, classes, values, keys, stride)
    _assign_exactly(request, used, classes, values, new_values, ~settled, stride)
    published[rows], changed[rows] = new_values, True
    return published, changed
