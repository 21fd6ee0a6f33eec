"""Range queries: which series have values in given ranges, in some of their columns."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.hashing import hashes, uniforms
from tanon_duck.algorithms.sax import Floats, Integers

Mask = npt.NDArray[np.bool_]

# A query sets bounds for this many columns.
COLUMNS_OF_A_QUERY = 2


def _share_inside(low: Floats, high: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the share of each range [low, high] that lies in the query's range [lower, upper].

    If low equals high, the share is 0 or 1.
    """
    width = high - low
    overlap = np.minimum(high, upper) - np.maximum(low, lower)
    low_is_inside = (lower <= low) & (low <= upper)
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Floats = np.where(width > 0, np.clip(overlap / width, 0.0, 1.0), low_is_inside)
    return share


@dataclass(frozen=True)
class Ranges:
    """The range queries of one kind, one row per query.

    Query i selects the series whose value in column ``columns[i, j]`` lies between ``lower[i, j]``
    and ``upper[i, j]``, for every j.
    """

    columns: Integers
    lower: Floats
    upper: Floats


def draw_ranges(values: Floats, kind: int, n_queries: int, selectivity: float, seed: int) -> Ranges:
    """Draw range queries around the values of random rows.

    If the columns were independent, a query would select the share ``selectivity`` of rows.
    """
    n_rows, n_columns = values.shape
    width = min(COLUMNS_OF_A_QUERY, n_columns)
    query = np.arange(n_queries)[:, None]
    column_hashes = hashes(seed, kind, query, np.arange(n_columns))
    chosen = np.argsort(column_hashes, axis=1, kind="stable")[:, :width]
    centre_row = (uniforms(seed, kind, query, -1) * n_rows).astype(np.int64)
    rows_on_each_side = int(selectivity ** (1.0 / width) / 2.0 * n_rows)
    sorted_values = np.empty_like(values)
    centre_value = values[centre_row, chosen]
    rank = np.empty_like(chosen)
    for column in range(n_columns):
        check()
        sorted_values[:, column] = np.sort(values[:, column])
        is_chosen = chosen == column
        rank[is_chosen] = np.searchsorted(sorted_values[:, column], centre_value[is_chosen])
    first = np.clip(rank - rows_on_each_side, 0, n_rows - 1)
    last = np.clip(rank + rows_on_each_side, 0, n_rows - 1)
    return Ranges(chosen, sorted_values[first, chosen], sorted_values[last, chosen])


def in_ranges(values: Floats, ranges: Ranges, queries: slice) -> Mask:
    """Return for each query (row) which series (columns) lie in all its ranges."""
    inside = np.ones((ranges.columns[queries].shape[0], values.shape[0]), dtype=bool)
    for number in range(ranges.columns.shape[1]):
        check()
        column_values = values[:, ranges.columns[queries, number]].T
        inside &= column_values >= ranges.lower[queries, number, None]
        inside &= column_values <= ranges.upper[queries, number, None]
    return inside


def chance_in_ranges(low: Floats, high: Floats, ranges: Ranges, queries: slice) -> Floats:
    """Return for each query (row) the chance that a series of a class (column) is selected.

    A recipient knows only the envelope of the class, and takes values as evenly spread in it.
    """
    chance = np.ones((ranges.columns[queries].shape[0], low.shape[0]))
    for number in range(ranges.columns.shape[1]):
        check()
        column = ranges.columns[queries, number]
        chance *= _share_inside(
            low[:, column].T,
            high[:, column].T,
            ranges.lower[queries, number, None],
            ranges.upper[queries, number, None],
        )
    return chance
