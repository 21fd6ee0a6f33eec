"""Counts how often each sensitive value occurs in its class, and chooses the rows to change.

A class is the published rows with one envelope and one word. It is l-diverse if no value has more
rows than the quota, the size of the class divided by l. ``Request`` describes what to change,
``count_cells`` counts the values, and ``rows_to_change`` returns the rows to change.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.bytes_]

LARGEST_DOUBLE = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Request:
    """The published rows, and how to change their sensitive values.

    ``values`` are integers (whole steps) or floats. ``keys`` are secret and different for each
    row: every random number of a row is a hash of its key.
    """

    classes: Integers
    values: Numbers
    keys: Keys
    diversity: int  # l
    reach: float  # the largest change of a value, in steps if values are steps
    every_value: bool = False  # change every value of a class that is not l-diverse
    avoid_column: bool = True  # new values must not occur in the column; False: in the class
    # Rows whose value is NULL. NULL counts as one more value, but cannot be moved.
    missing: Mask | None = None
    unit: float = 1.0  # the size of a step, for messages
    limits: tuple[float, float] = (-LARGEST_DOUBLE, LARGEST_DOUBLE)  # of the column's type
    # The column has the type FLOAT, so that new values must be numbers of 32 bits.
    is_single: bool = False


@dataclass(frozen=True)
class Cells:
    """The rows sorted by class, value and key, with counts for each sorted row.

    A cell is the rows of a class with equal values.
    """

    order: Integers  # the row at each sorted position
    quota: Integers  # the rows that one value may have in the row's class
    rank: Integers  # the number of the row within its cell, from 0
    frequency: Integers  # the rows of its cell


def run_starts(*columns: npt.NDArray[np.generic]) -> Mask:
    """Mark each position of sorted columns at which the combination of values changes."""
    starts = np.zeros(columns[0].size, dtype=bool)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    return starts


def _sizes_and_ranks(starts: Mask) -> tuple[Integers, Integers]:
    """Return for each position the length of its run, and its number within the run from 0.

    ``starts`` marks the first position of each run.
    """
    first = np.flatnonzero(starts)
    sizes = np.diff(np.append(first, starts.size))
    run = np.cumsum(starts) - 1
    return sizes[run].astype(np.int64), (np.arange(starts.size) - first[run]).astype(np.int64)


def count_cells(request: Request) -> Cells:
    """Sort the rows and count how often each value occurs in its class.

    Raise ValueError if a class has fewer than l rows.
    """
    missing = np.zeros(request.values.size, dtype=bool)
    if request.missing is not None:
        missing = request.missing
    order = np.lexsort((request.keys, request.values, missing, request.classes)).astype(np.int64)
    classes, values = request.classes[order], request.values[order]
    class_size, _ = _sizes_and_ranks(run_starts(classes))
    frequency, rank = _sizes_and_ranks(run_starts(classes, missing[order], values))
    smallest = int(class_size.min(initial=np.iinfo(np.int64).max))
    if order.size and request.diversity > smallest:
        raise ValueError(
            f"l must be at most the smallest class ({smallest} rows), got {request.diversity}"
        )
    return Cells(order, class_size // request.diversity, rank, frequency)


def rows_to_change(request: Request, cells: Cells) -> Integers:
    """Return the sorted positions of the rows that get a new value.

    These are the rows beyond the quota of their value or, if ``every_value``, all rows of classes
    with such a value. Raise ValueError if NULL is beyond its quota.
    """
    too_frequent = cells.frequency > cells.quota
    is_null = np.zeros(too_frequent.size, dtype=bool)
    if request.missing is not None:
        is_null = request.missing[cells.order]
    if (too_frequent & is_null).any():
        raise ValueError(
            f"more than 1/{request.diversity} of a class is NULL, which has no neighbourhood"
        )
    if not request.every_value:
        return np.flatnonzero(too_frequent & (cells.rank >= cells.quota))
    classes = request.classes[cells.order]
    violating = np.unique(classes[too_frequent])
    return np.flatnonzero(np.isin(classes, violating) & ~is_null)


def random_bits(key: bytes, purpose: int) -> int:
    """Return 128 random bits for one row and purpose, which nobody can predict without its key."""
    return int.from_bytes(hashlib.sha256(b"%d %s" % (purpose, key)).digest()[:16])
