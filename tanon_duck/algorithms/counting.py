"""Random counting queries: true counts on the source, and estimates from releases.

A query names some attributes and, for each, the values that it selects: a range of values if the
attribute is ordered, any set of values otherwise. It counts the rows whose values are all
selected. The queries depend only on the source and the seed, never on a release, so that releases
can be compared.

``drawn_queries`` draws the queries. ``Cells`` holds a table as distinct rows with weights, and
answers queries. ``Times`` and ``Values`` say which original values a released value stands for.
``evaluate`` answers all queries on the source and on the releases.

The values of an attribute are numbered from 0 in their order. A query is a dictionary: the number
of an attribute maps to an array with one entry per value, 1 if the value is selected and 0 if not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.hashing import uniforms

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# The share of rows that a query should select is drawn between this and 1, with a uniform
# logarithm. A query with n attributes selects the n-th root of it from each attribute.
NARROWEST_SHARE = 1e-3
# The third part of each random number, so that no two purposes share a number.
HOW_MANY_ATTRIBUTES, WHICH_ATTRIBUTES, SHARE, VALUES = range(4)


@dataclass(frozen=True)
class Attribute:
    """How many rows of the source have each value, in value order; NULL, if any, comes first."""

    rows: Integers
    is_ordered: bool
    has_null: bool


@dataclass(frozen=True)
class Times:
    """The generalization of a time: each released value is a granule.

    Original value i lasts from ``starts[i]`` for ``unit``. Granule j lasts from ``spans[j, 0]`` to
    ``spans[j, 1]``. All are numbers on one time scale, for example microseconds.
    """

    starts: Integers
    unit: int
    spans: Integers

    def shares(self, selected: Floats) -> Floats:
        """Return the share of each granule that lies in the range of selected original values."""
        positions = np.flatnonzero(selected)
        first, last = self.starts[positions[0]], self.starts[positions[-1]] + self.unit
        granule_starts, granule_ends = self.spans[:, 0], self.spans[:, 1]
        overlap = np.minimum(granule_ends, last) - np.maximum(granule_starts, first)
        share: Floats = np.maximum(overlap, 0) / (granule_ends - granule_starts)
        return share


class Values:
    """The generalization of any other attribute: each released value stands for a set of values.

    ``members[i]`` lists the original values of released value i. Each of them counts as equally
    likely.
    """

    def __init__(self, members: Sequence[Sequence[int]]) -> None:
        self._sizes = np.array([len(each) for each in members], dtype=np.int64)
        originals = [original for each in members for original in each]
        self._originals = np.array(originals, dtype=np.int64)
        self._released = np.repeat(np.arange(len(members)), self._sizes)

    def shares(self, selected: Floats) -> Floats:
        """Return for each released value the share of its original values that are selected."""
        counts = np.bincount(self._released, selected[self._originals], len(self._sizes))
        return counts / self._sizes


class Cells:
    """One or several tables as distinct rows (cells) with weights.

    Cell i has the value numbers ``codes[i]``, the weight ``weights[i]``, and belongs to table
    ``tables[i]``, from 0. Cells are sorted by the first attribute, whose selections are ranges
    most often: a range then is a slice.
    """

    def __init__(self, codes: Integers, weights: Floats, tables: Integers | None = None) -> None:
        columns = [codes[:, attribute] for attribute in range(codes.shape[1])]
        tables = np.zeros(len(weights), dtype=np.int64) if tables is None else tables
        order = np.lexsort((tables, *columns[::-1]))
        self._columns = [column[order].astype(np.int32) for column in columns]
        self._weights, self._tables = weights[order], tables[order]

    def answers(self, shares: dict[int, Floats], n_tables: int) -> Floats:
        """Return the sum of weights in each table, each weight times the shares of its values.

        ``shares`` maps an attribute to the selected share, from 0 to 1, of each of its values.
        """
        first, last = 0, len(self._weights)
        if 0 in shares:
            selected = np.flatnonzero(shares[0])
            if not selected.size:
                return np.zeros(n_tables)
            first = int(np.searchsorted(self._columns[0], selected[0], "left"))
            last = int(np.searchsorted(self._columns[0], selected[-1], "right"))
        cells: slice | Integers = slice(first, last)
        weights = self._weights[cells]
        # The most selective attribute comes first, so that few cells are left for the others.
        by_selectivity = sorted(shares, key=lambda each: float(np.mean(shares[each] > 0)))
        for attribute in by_selectivity:
            cell_shares = shares[attribute][self._columns[attribute][cells]]
            positive = np.flatnonzero(cell_shares)
            cells = positive + first if isinstance(cells, slice) else cells[positive]
            weights = weights[positive] * cell_shares[positive]
        sums: Floats = np.bincount(self._tables[cells], weights, n_tables).astype(np.float64)
        return sums


def _draw_values(attribute: Attribute, share: float, random_parts: tuple[int, ...]) -> Floats:
    """Return 1 for each selected value and 0 for the others.

    If the attribute is ordered, the selected values are a range with about this share of the rows.
    Otherwise each value is selected with this probability, and one value for certain.
    ``random_parts`` are the numbers from which ``uniforms`` makes random numbers.
    """
    selected = np.zeros(len(attribute.rows))
    first = 1 if attribute.has_null and len(selected) > 1 else 0
    if attribute.is_ordered:
        rows_up_to = np.cumsum(attribute.rows[first:])
        n_rows = rows_up_to[-1]
        begin = float(uniforms(*random_parts, 0)[0]) * (1 - share) * n_rows
        low = int(np.searchsorted(rows_up_to, begin, "right"))
        high = int(np.searchsorted(rows_up_to, begin + share * n_rows, "left"))
        selected[first + low : first + max(low, min(high, len(rows_up_to) - 1)) + 1] = 1
        return selected
    drawn = uniforms(*random_parts, np.arange(len(selected)))
    selected[drawn < share] = 1
    selected[np.argmin(drawn)] = 1
    return selected


def drawn_queries(
    attributes: Sequence[Attribute], n_queries: int, seed: int
) -> Iterator[dict[int, Floats]]:
    """Yield random queries: each maps an attribute to 1 or 0 for each of its values."""
    for query in range(n_queries):
        check()
        n_drawn = float(uniforms(seed, query, HOW_MANY_ATTRIBUTES)[0])
        n_selected = 1 + int(n_drawn * len(attributes))
        drawn = uniforms(seed, query, WHICH_ATTRIBUTES, np.arange(len(attributes)))
        chosen = np.argsort(drawn)[:n_selected]
        share = NARROWEST_SHARE ** (float(uniforms(seed, query, SHARE)[0]) / n_selected)
        yield {
            int(each): _draw_values(attributes[each], share, (seed, query, VALUES, int(each)))
            for each in sorted(chosen)
        }


class Evaluation(NamedTuple):
    """The true count of each query, and its estimates, with one column per release."""

    truths: Floats
    estimates: Floats


def evaluate(
    attributes: Sequence[Attribute],
    source: Cells,
    releases: Cells,
    generalizations: Sequence[Times | Values | None],
    n_releases: int,
    n_queries: int,
    seed: int,
) -> Evaluation:
    """Answer random queries on the source, and estimate the answers from each release.

    ``generalizations`` says for each attribute which original values its released values stand
    for; None: the attribute was released without change.
    """
    truths = np.zeros(n_queries)
    estimates = np.zeros((n_queries, n_releases))
    for number, query in enumerate(drawn_queries(attributes, n_queries, seed)):
        truths[number] = source.answers(query, 1)[0]
        shares = {}
        for attribute, selected in query.items():
            generalization = generalizations[attribute]
            shares[attribute] = (
                selected if generalization is None else generalization.shares(selected)
            )
        estimates[number] = releases.answers(shares, n_releases)
    return Evaluation(truths, estimates)
