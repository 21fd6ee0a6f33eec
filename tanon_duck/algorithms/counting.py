"""Random counting queries, answered on rows and estimated on what is released of them.

A query names some attributes and, of each, some values: a range where values have an order, any
set where they have none. Which queries are asked depends on the source and the seed alone, never
on a release, so that releases can be compared. Equal rows come as one cell with its weight.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.hashing import uniforms

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEAST = 1e-3  # the share of rows that the narrowest queries aim at
HOW_MANY, WHICH, HOW_WIDE, WHERE = range(4)  # what a random number is for


@dataclass(frozen=True)
class Attribute:
    """How many rows have each of its values, in their order; NULL comes first, if there is one."""

    rows: Integers
    is_ordered: bool
    has_null: bool


@dataclass(frozen=True)
class Times:
    """When each value of the time lies, how long a moment lasts, from when to when granules are."""

    at: Integers
    unit: int
    spans: Integers

    def shares(self, wanted: Floats) -> Floats:
        """Which share of each granule lies within the moments wanted, which are a range."""
        found = np.flatnonzero(wanted)
        first, last = self.at[found[0]], self.at[found[-1]] + self.unit
        starts, ends = self.spans[:, 0], self.spans[:, 1]
        overlap = np.minimum(ends, last) - np.maximum(starts, first)
        share: Floats = np.maximum(overlap, 0) / (ends - starts)
        return share


class Values:
    """Which values each generalized one stands for; each of them counts alike."""

    def __init__(self, members: Sequence[Sequence[int]]) -> None:
        sizes = np.array([len(each) for each in members], dtype=np.int64)
        flat = [leaf for each in members for leaf in each]
        self._leaves = np.array(flat, dtype=np.int64)
        self._of = np.repeat(np.arange(len(members)), sizes)
        self._sizes = sizes

    def shares(self, wanted: Floats) -> Floats:
        """Which share of the values of each generalized one is wanted."""
        found = np.bincount(self._of, wanted[self._leaves], len(self._sizes))
        return found / self._sizes


class Cells:
    """Equal rows and their weight, sorted by the first attribute, each in one of some sets."""

    def __init__(self, codes: Integers, weights: Floats, sets: Integers | None = None) -> None:
        columns = [codes[:, place] for place in range(codes.shape[1])]
        sets = np.zeros(len(weights), dtype=np.int64) if sets is None else sets
        order = np.lexsort((sets, *columns[::-1]))
        self._columns = [column[order].astype(np.int32) for column in columns]
        self._weights, self._sets = weights[order], sets[order]

    def answers(self, wanted: dict[int, Floats], sets: int) -> Floats:
        """The weight of each set, each cell as much as the shares of its values say."""
        first, last = 0, len(self._weights)
        if 0 in wanted:
            met = np.flatnonzero(wanted[0])
            if not met.size:
                return np.zeros(sets)
            first = int(np.searchsorted(self._columns[0], met[0], "left"))
            last = int(np.searchsorted(self._columns[0], met[-1], "right"))
        near: slice | Integers = slice(first, last)
        weights = self._weights[near]
        for place in sorted(wanted, key=lambda place: float(np.mean(wanted[place] > 0))):
            shares = wanted[place][self._columns[place][near]]
            met = np.flatnonzero(shares)
            near = met + first if isinstance(near, slice) else near[met]
            weights = weights[met] * shares[met]
        found: Floats = np.bincount(self._sets[near], weights, sets).astype(np.float64)
        return found


def _values_wanted(attribute: Attribute, share: float, numbers: tuple[int, ...]) -> Floats:
    """One for each value that a query asks for, of about this share of the rows."""
    wanted = np.zeros(len(attribute.rows))
    first = 1 if attribute.has_null and len(wanted) > 1 else 0
    if attribute.is_ordered:
        ends = np.cumsum(attribute.rows[first:])
        begin = float(uniforms(*numbers, 0)[0]) * (1 - share) * ends[-1]
        low = int(np.searchsorted(ends, begin, "right"))
        high = int(np.searchsorted(ends, begin + share * ends[-1], "left"))
        wanted[first + low : first + max(low, min(high, len(ends) - 1)) + 1] = 1
        return wanted
    drawn = uniforms(*numbers, np.arange(len(wanted)))
    wanted[drawn < share] = 1
    wanted[np.argmin(drawn)] = 1
    return wanted


def drawn_queries(
    attributes: Sequence[Attribute], queries: int, seed: int
) -> Iterator[dict[int, Floats]]:
    """The values that each query asks for, by the place of their attribute."""
    for query in range(queries):
        check()
        some = 1 + int(float(uniforms(seed, query, HOW_MANY)[0]) * len(attributes))
        places = np.argsort(uniforms(seed, query, WHICH, np.arange(len(attributes))))[:some]
        share = LEAST ** (float(uniforms(seed, query, HOW_WIDE)[0]) / some)
        yield {
            int(place): _values_wanted(attributes[place], share, (seed, query, WHERE, int(place)))
            for place in sorted(places)
        }


def evaluate(
    attributes: Sequence[Attribute],
    rows: Cells,
    released: Cells,
    generalized: Sequence[Times | Values | None],
    releases: int,
    queries: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """The true count of each query, and what each release says of it.

    `generalized` tells of each attribute what the released values stand for; None: themselves.
    """
    truths = np.zeros(queries)
    estimates = np.zeros((queries, releases))
    for query, wanted in enumerate(drawn_queries(attributes, queries, seed)):
        truths[query] = rows.answers(wanted, 1)[0]
        shares = {
            place: asked if (by := generalized[place]) is None else by.shares(asked)
            for place, asked in wanted.items()
        }
        estimates[query] = released.answers(shares, releases)
    return truths, estimates
