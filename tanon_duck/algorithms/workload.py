"""How well a release of series answers random queries, compared with the original series.

There are four kinds of queries. The first three are those of the (k,P) model:

- pattern similarity: which series have a similar shape as a given series?
- pattern range: for which series do differences of normalized values lie in given ranges?
- value range: how many series have values in given ranges?
- complex: how many series are similar to a given series and have values in given ranges?

The queries depend only on the original series and the seed, so that releases can be compared.
``evaluate`` returns one ``Score`` for each kind.

In this module, a class is the published series with one envelope and one word. The envelope is
the lowest and highest value at each position. The word has a letter for each position.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.hashing import uniforms
from tanon_duck.algorithms.range_queries import (
    Mask,
    chance_in_ranges,
    draw_ranges,
    in_ranges,
)
from tanon_duck.algorithms.sax import Floats, Integers, Letters, reconstruct, z_normalize

# Cells of the largest matrix (queries x series) that is computed at once: 32 MB.
CELLS_AT_ONCE = 4_000_000
# The second part of each random number, so that no two kinds of queries share a number.
SIMILARITY, PATTERN_RANGE, VALUE_RANGE = 1, 2, 3


@dataclass(frozen=True)
class Published:
    """The classes of a release: bounds, letters and level of each class.

    ``class_of`` has the class of each original series, -1 if it is suppressed.
    """

    low: Floats
    high: Floats
    letters: Letters
    levels: Integers
    class_of: Integers


@dataclass(frozen=True)
class Plan:
    """Which queries to draw.

    ``queries`` is their number. Two series are similar if their distance is at most ``tolerance``.
    ``selectivity`` is the share of all series that a range query should select.
    """

    queries: int
    tolerance: float
    selectivity: float
    seed: int


@dataclass(frozen=True)
class Score:
    """The measures of one kind of query, NaN if a measure does not apply to the kind.

    Each is an average over the queries for which it is defined. ``undefined`` counts the queries
    without an answer: those for which a ratio would have the denominator 0.
    """

    kind: str
    queries: int
    precision: float
    recall: float
    relative_error: float
    median_relative_error: float
    undefined: int


def distances(normalized: Floats, reference: Floats) -> Floats:
    """Return the distance of every row of ``normalized`` from every row of ``reference``.

    Both hold z-normalized series. The distance is one minus their correlation, from 0 to 2. It
    equals the cosine distance of the vectors of all pairwise differences. Two constant series,
    which have no correlation, have the distance 0.
    """
    points = normalized.shape[1]
    correlations = normalized @ reference.T / (points - 1)
    constant_rows, constant_references = ~normalized.any(axis=1), ~reference.any(axis=1)
    correlations[np.ix_(constant_rows, constant_references)] = 1.0
    distance: Floats = 1.0 - correlations
    return distance


def _pair_differences(normalized: Floats, pairs: tuple[Integers, Integers]) -> Floats:
    """Return one column of differences for each pair of positions (first, second)."""
    differences: Floats = normalized[:, pairs[1]] - normalized[:, pairs[0]]
    return differences


def _similar(normalized: Floats, reference: Floats, tolerance: float) -> Mask:
    """Return for each reference series (row) which series (columns) are similar to it."""
    similar: Mask = (distances(normalized, reference) <= tolerance).T
    return similar


class _BlockCounts(NamedTuple):
    """Counts of series per query (row).

    ``similar`` and ``in_pattern_ranges`` have the columns: series that truly satisfy the query,
    series that satisfy it according to the release, series for which both is true.
    ``in_value_ranges`` and ``complex`` have the columns: true count, estimated count.
    """

    similar: Floats
    in_pattern_ranges: Floats
    in_value_ranges: Floats
    complex: Floats


class _Evaluation:
    """The queries of a plan, and both the original and the published series to answer them."""

    def __init__(self, series: Floats, published: Published, plan: Plan) -> None:
        """Draw the queries from the original series, and reconstruct the published ones."""
        rows, points = series.shape
        self.series, self.published, self.plan = series, published, plan
        self.normalized = z_normalize(series)
        # The series that a recipient reconstructs from the words, one for each class.
        reconstructed = reconstruct(published.letters, published.levels)
        self.reconstructed = z_normalize(reconstructed)
        first, second = np.triu_indices(points, 1)
        pairs = (first.astype(np.int64), second.astype(np.int64))
        self.differences = _pair_differences(self.normalized, pairs)
        # Pattern ranges use the reconstruction as it is, without z-normalization, because a
        # recipient would read differences of normalized values directly from it.
        self.reconstructed_differences = _pair_differences(reconstructed, pairs)
        draws = uniforms(plan.seed, SIMILARITY, np.arange(plan.queries))
        self.references = self.normalized[(draws * rows).astype(np.int64)]
        range_plan = plan.queries, plan.selectivity, plan.seed
        self.pattern_ranges = draw_ranges(self.differences, PATTERN_RANGE, *range_plan)
        self.value_ranges = draw_ranges(series, VALUE_RANGE, *range_plan)
        self.is_published = published.class_of >= 0
        self.class_of_published = published.class_of[self.is_published]
        self.class_sizes = np.bincount(self.class_of_published, minlength=published.low.shape[0])

    def _retrieval_counts(self, truth: Mask, answer: Mask) -> Floats:
        """Return per query the number of series that are true, that are answered, and both.

        ``truth`` has a column for each original series, ``answer`` for each class.
        """
        check()
        answered = answer[:, self.class_of_published]
        both = (truth[:, self.is_published] & answered).sum(axis=1)
        counts = [truth.sum(axis=1), answer @ self.class_sizes, both]
        return np.stack(counts, axis=1, dtype=np.float64)

    def block(self, queries: slice) -> _BlockCounts:
        """Answer these queries of each kind on the original series and on the release."""
        references, tolerance = self.references[queries], self.plan.tolerance
        truly_similar = _similar(self.normalized, references, tolerance)
        answered_similar = _similar(self.reconstructed, references, tolerance)
        truly_inside = in_ranges(self.series, self.value_ranges, queries)
        published = self.published
        chance_inside = chance_in_ranges(published.low, published.high, self.value_ranges, queries)
        true_complex = (truly_inside & truly_similar).sum(axis=1)
        estimated_complex = (chance_inside * answered_similar) @ self.class_sizes
        return _BlockCounts(
            similar=self._retrieval_counts(truly_similar, answered_similar),
            in_pattern_ranges=self._retrieval_counts(
                in_ranges(self.differences, self.pattern_ranges, queries),
                in_ranges(self.reconstructed_differences, self.pattern_ranges, queries),
            ),
            in_value_ranges=np.stack(
                [truly_inside.sum(axis=1), chance_inside @ self.class_sizes], axis=1
            ),
            complex=np.stack([true_complex, estimated_complex], axis=1),
        )


def _mean_ratio(numerators: Floats, denominators: Floats) -> float:
    """Return the mean of the ratios whose denominator is positive, NaN if there are none."""
    defined = denominators > 0
    if not defined.any():
        return np.nan
    return float(np.mean(numerators[defined] / denominators[defined]))


def _retrieval_score(kind: str, counts: Floats) -> Score:
    """Return precision and recall from the counts of each query: true, answered, both.

    Precision is a mean over the queries with an answer, recall over those with a true series.
    """
    truth, answered, both = counts.T
    precision, recall = _mean_ratio(both, answered), _mean_ratio(both, truth)
    undefined = int(((answered <= 0) | (truth <= 0)).sum())
    return Score(kind, truth.size, precision, recall, np.nan, np.nan, undefined)


def _error_score(kind: str, counts: Floats) -> Score:
    """Return the mean and median relative error from the true and estimated count of each query.

    Queries with the true count 0 are undefined.
    """
    actual, estimated = counts.T
    defined = actual > 0
    errors = np.abs(actual[defined] - estimated[defined]) / actual[defined]
    mean = float(errors.mean()) if errors.size else np.nan
    median = float(np.median(errors)) if errors.size else np.nan
    return Score(kind, actual.size, np.nan, np.nan, mean, median, int((~defined).sum()))


def evaluate(series: Floats, published: Published, plan: Plan) -> list[Score]:
    """Answer random queries of every kind from the release, and return a score for each kind."""
    evaluation = _Evaluation(series, published, plan)
    widest = max(series.shape[0], published.low.shape[0])
    step = max(1, CELLS_AT_ONCE // widest)
    blocks = [
        evaluation.block(slice(start, min(start + step, plan.queries)))
        for start in range(0, plan.queries, step)
    ]
    counts = _BlockCounts(
        *(np.concatenate(parts).astype(np.float64) for parts in zip(*blocks, strict=True))
    )
    return [
        _retrieval_score("pattern similarity", counts.similar),
        _retrieval_score("pattern range", counts.in_pattern_ranges),
        _error_score("value range", counts.in_value_ranges),
        _error_score("complex", counts.complex),
    ]
