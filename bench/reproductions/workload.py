"""The query workloads of Shou et al., answered on the original series and on what is published."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench._data import Floats, Integers
from tanon_duck.algorithms.sax import z_normalize

NEAREST_SHARE = 0.01
PATTERN_HALF_WIDTH = 0.5
RANGE_HALF_WIDTH = 0.1
PREDICATES = 3


@dataclass(frozen=True)
class Published:
    """What a scheme publishes of series `row`: an envelope and a shape (all zero: no pattern)."""

    row: Integers
    low: Floats
    high: Floats
    shape: Floats

    @property
    def normalized(self) -> Floats:
        """Shapes with mean 0 and deviation 1."""
        return z_normalize(self.shape)


@dataclass
class Answers:
    """Precision and recall of pattern queries, relative errors of counting queries."""

    similar_precision: float
    similar_recall: float
    pattern_range_precision: float
    pattern_range_recall: float
    range_error: float
    complex_error: float


@dataclass(frozen=True)
class Workload:
    """Queries drawn once, so that every scheme is asked the same."""

    centre: Integers
    pattern_pairs: Integers
    range_positions: Integers
    range_half_width: float

    @classmethod
    def draw(cls, series: Floats, queries: int, positions: Integers | None = None) -> Workload:
        """Queries around records of the table; value predicates only on the given positions."""
        rng = np.random.default_rng(series.shape[0] + queries)
        points = series.shape[1]
        allowed = np.arange(points) if positions is None else positions
        pairs = np.array(
            [[rng.choice(points, 2, replace=False) for _ in range(2)] for _ in range(queries)]
        )
        chosen = np.array(
            [rng.choice(allowed, min(PREDICATES, allowed.size), False) for _ in range(queries)]
        )
        domain = float(series.max() - series.min())
        centre = rng.integers(0, series.shape[0], queries)
        return cls(centre, pairs, chosen, RANGE_HALF_WIDTH * domain)

    def ask(self, series: Floats, published: Published) -> Answers:
        """Answer every query twice and compare."""
        own, seen = z_normalize(series), published.normalized
        tallies = [
            self._one(query, series, own, published, seen) for query in range(self.centre.size)
        ]
        similar, patterns, ranges, mixed = zip(*tallies, strict=True)
        return Answers(
            *_precision_recall(np.asarray(similar, dtype=np.float64)),
            *_precision_recall(np.asarray(patterns, dtype=np.float64)),
            float(np.mean(ranges)),
            float(np.mean(mixed)),
        )

    def _one(
        self, query: int, series: Floats, own: Floats, published: Published, seen: Floats
    ) -> tuple[Tally, Tally, float, float]:
        centre, degrees = self.centre[query], series.shape[1] - 1
        closeness = own @ own[centre] / degrees
        wanted = max(2, int(NEAREST_SHARE * closeness.size))
        # Sums taken in another order differ in the last bits.
        threshold = np.partition(closeness, -wanted)[-wanted] - 1e-9
        truly = closeness >= threshold
        apparently = seen @ own[centre] / degrees >= threshold
        inside = self._inside(query, series, centre)
        overlap = self._overlap(query, series, published, centre)
        actual, estimated = int(inside.sum()), float(overlap.sum())
        both, both_estimated = int((inside & truly).sum()), float(overlap[apparently].sum())
        return (
            _tally(truly, apparently, published.row),
            _tally(
                self._in_pattern_range(query, own, own[centre]),
                self._in_pattern_range(query, seen, own[centre]) & seen.any(axis=1),
                published.row,
            ),
            abs(actual - estimated) / actual,
            abs(both - both_estimated) / both,
        )

    def _in_pattern_range(self, query: int, shapes: Floats, centre: Floats) -> NDArray[np.bool_]:
        inside = np.ones(shapes.shape[0], dtype=bool)
        for i, j in self.pattern_pairs[query]:
            difference = shapes[:, i] - shapes[:, j]
            inside &= np.abs(difference - (centre[i] - centre[j])) <= PATTERN_HALF_WIDTH
        return inside

    def _inside(self, query: int, series: Floats, centre: int) -> NDArray[np.bool_]:
        chosen = self.range_positions[query]
        far = np.abs(series[:, chosen] - series[centre, chosen])
        within: NDArray[np.bool_] = (far <= self.range_half_width).all(axis=1)
        return within

    def _overlap(self, query: int, series: Floats, published: Published, centre: int) -> Floats:
        """Share of each envelope inside the query, values being uniform within the envelope."""
        chosen = self.range_positions[query]
        low, high = published.low[:, chosen], published.high[:, chosen]
        floor = series[centre, chosen] - self.range_half_width
        ceiling = series[centre, chosen] + self.range_half_width
        width = high - low
        common = np.clip(np.minimum(high, ceiling) - np.maximum(low, floor), 0.0, None)
        point = (low >= floor) & (high <= ceiling)
        share = np.where(width > 0, common / np.where(width > 0, width, 1.0), point)
        product: Floats = share.prod(axis=1)
        return product


Tally = tuple[int, int, int]


def _tally(truly: NDArray[np.bool_], apparently: NDArray[np.bool_], row: Integers) -> Tally:
    """Records right, records returned, records wanted."""
    return int(truly[row[apparently]].sum()), int(apparently.sum()), int(truly.sum())


def _precision_recall(tallies: Floats) -> tuple[float, float]:
    """Mean precision over the queries with an answer, mean recall over all."""
    right, returned, wanted = tallies.T
    answered = returned > 0
    precision = float((right[answered] / returned[answered]).mean()) if answered.any() else 0.0
    return precision, float((right / wanted).mean())
