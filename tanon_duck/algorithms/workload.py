"""How well a release answers random queries, measured against the original series.

Three kinds of queries of the (k,P) model and one that combines them: similarity of patterns,
ranges of differences of normalized values, ranges of values, similarity together with ranges.
The seed alone decides which queries are asked.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.hashing import hashes, uniforms
from tanon_duck.algorithms.sax import Floats, Integers, Letters, reconstruct, z_normalize

Mask = npt.NDArray[np.bool_]

BLOCK_CELLS = 4_000_000
PREDICATES = 2
SIMILARITY, PATTERN_RANGE, VALUE_RANGE = 1, 2, 3


@dataclass(frozen=True)
class Published:
    """The classes of a release and, for each original series, its class (-1: suppressed)."""

    low: Floats
    high: Floats
    found: Letters
    levels: Integers
    class_of: Integers


@dataclass(frozen=True)
class Plan:
    """How many queries, how similar is similar, how much one query should select."""

    queries: int
    tolerance: float
    selectivity: float
    seed: int


@dataclass(frozen=True)
class Score:
    """Averages over the queries that have an answer; NaN where a measure does not apply."""

    kind: str
    queries: int
    precision: float
    recall: float
    relative_error: float
    median_relative_error: float
    undefined: int


def distances(normalized: Floats, wanted: Floats) -> Floats:
    """Return one minus the correlation of every row with every wanted series.

    It equals the cosine distance of the vectors of all pairwise differences.
    """
    points = normalized.shape[1]
    products = normalized @ wanted.T / (points - 1)
    flat_rows, flat_wanted = ~normalized.any(axis=1), ~wanted.any(axis=1)
    products[np.ix_(flat_rows, flat_wanted)] = 1.0
    distance: Floats = 1.0 - products
    return distance


def _inside_share(low: Floats, high: Floats, least: Floats, most: Floats) -> Floats:
    """Return which share of each range lies within the queried one (a point: all or nothing)."""
    width = high - low
    overlap = np.minimum(high, most) - np.maximum(low, least)
    within = (least <= low) & (low <= most)
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Floats = np.where(width > 0, np.clip(overlap / width, 0.0, 1.0), within)
    return share


@dataclass(frozen=True)
class Ranges:
    """Conjunctions of ranges: for each query the columns asked and their bounds."""

    columns: Integers
    least: Floats
    most: Floats


def _draw_ranges(values: Floats, kind: int, plan: Plan) -> Ranges:
    """Draw ranges around the values of random rows, each as wide as the selectivity asks."""
    rows, columns = values.shape
    asked = min(PREDICATES, columns)
    query = np.arange(plan.queries)[:, None]
    order = np.argsort(hashes(plan.seed, kind, query, np.arange(columns)), axis=1, kind="stable")
    chosen = order[:, :asked]
    centre = (uniforms(plan.seed, kind, query, -1) * rows).astype(np.int64)
    half = plan.selectivity ** (1.0 / asked) / 2.0 * rows
    ordered = np.empty_like(values)
    own = values[centre, chosen]
    place = np.empty_like(chosen)
    for column in range(columns):
        check()
        ordered[:, column] = np.sort(values[:, column])
        here = chosen == column
        place[here] = np.searchsorted(ordered[:, column], own[here])
    first = np.clip(place - int(half), 0, rows - 1)
    last = np.clip(place + int(half), 0, rows - 1)
    return Ranges(chosen, ordered[first, chosen], ordered[last, chosen])


def _pair_differences(normalized: Floats, pairs: tuple[Integers, Integers]) -> Floats:
    """Return the differences of normalized values that pattern ranges ask about."""
    differences: Floats = normalized[:, pairs[1]] - normalized[:, pairs[0]]
    return differences


def _similar(normalized: Floats, wanted: Floats, tolerance: float) -> Mask:
    """Mark for each query (row) the series within the tolerance."""
    near: Mask = (distances(normalized, wanted) <= tolerance).T
    return near


def _within(values: Floats, ranges: Ranges, queries: slice) -> Mask:
    """Mark for each query (row) the series whose values satisfy all its ranges."""
    marked = np.ones((ranges.columns[queries].shape[0], values.shape[0]), dtype=bool)
    for asked in range(ranges.columns.shape[1]):
        check()
        own = values[:, ranges.columns[queries, asked]].T
        marked &= own >= ranges.least[queries, asked, None]
        marked &= own <= ranges.most[queries, asked, None]
    return marked


def _expected_within(published: Published, ranges: Ranges, queries: slice) -> Floats:
    """Return for each query (row) the chance that a member of each class satisfies its ranges."""
    chance = np.ones((ranges.columns[queries].shape[0], published.low.shape[0]))
    for asked in range(ranges.columns.shape[1]):
        check()
        column = ranges.columns[queries, asked]
        chance *= _inside_share(
            published.low[:, column].T,
            published.high[:, column].T,
            ranges.least[queries, asked, None],
            ranges.most[queries, asked, None],
        )
    return chance


class _Evaluation:
    """One release under one plan, with everything that all blocks of queries share."""

    def __init__(self, series: Floats, published: Published, plan: Plan) -> None:
        rows, points = series.shape
        self.series, self.published, self.plan = series, published, plan
        self.normalized = z_normalize(series)
        self.rebuilt = z_normalize(reconstruct(published.found, published.levels))
        first, second = np.triu_indices(points, 1)
        pairs = (first.astype(np.int64), second.astype(np.int64))
        self.differences = _pair_differences(self.normalized, pairs)
        # What an analyst has is the reconstruction itself, not stretched to deviation 1.
        self.rebuilt_differences = _pair_differences(
            reconstruct(published.found, published.levels), pairs
        )
        draws = uniforms(plan.seed, SIMILARITY, np.arange(plan.queries))
        self.wanted = self.normalized[(draws * rows).astype(np.int64)]
        self.pattern_ranges = _draw_ranges(self.differences, PATTERN_RANGE, plan)
        self.value_ranges = _draw_ranges(series, VALUE_RANGE, plan)
        self.kept = published.class_of >= 0
        self.sizes = np.bincount(published.class_of[self.kept], minlength=published.low.shape[0])

    def _counts(self, truth: Mask, answer: Mask) -> Floats:
        """Return per query how many series are true, answered, and both."""
        check()
        answered = answer[:, self.published.class_of[self.kept]]
        both = (truth[:, self.kept] & answered).sum(axis=1)
        counted = [truth.sum(axis=1), answer @ self.sizes, both]
        return np.stack(counted, axis=1, dtype=np.float64)

    def block(self, queries: slice) -> tuple[Floats, Floats, Floats, Floats]:
        """Answer a block of queries of each kind from the original and from the release."""
        wanted, tolerance = self.wanted[queries], self.plan.tolerance
        true_near = _similar(self.normalized, wanted, tolerance)
        told_near = _similar(self.rebuilt, wanted, tolerance)
        near = self._counts(true_near, told_near)
        ranged = self._counts(
            _within(self.differences, self.pattern_ranges, queries),
            _within(self.rebuilt_differences, self.pattern_ranges, queries),
        )
        inside = _within(self.series, self.value_ranges, queries)
        expected = _expected_within(self.published, self.value_ranges, queries)
        counts = np.stack([inside.sum(axis=1), expected @ self.sizes], axis=1)
        combined = np.stack(
            [(inside & true_near).sum(axis=1), (expected * told_near) @ self.sizes], axis=1
        )
        return near, ranged, counts, combined


def _mean_ratio(part: Floats, whole: Floats) -> float:
    """Average the ratios whose denominator is not zero."""
    defined = whole > 0
    return float(np.mean(part[defined] / whole[defined])) if defined.any() else np.nan


def _retrieval_score(kind: str, counts: Floats) -> Score:
    """Average precision over the queries with an answer and recall over those with a truth."""
    truth, answered, both = counts.T
    precision, recall = _mean_ratio(both, answered), _mean_ratio(both, truth)
    undefined = int(((answered <= 0) | (truth <= 0)).sum())
    return Score(kind, truth.size, precision, recall, np.nan, np.nan, undefined)


def _error_score(kind: str, counts: Floats) -> Score:
    """Average the relative error over the queries whose true answer is not zero."""
    actual, estimated = counts.T
    defined = actual > 0
    errors = np.abs(actual[defined] - estimated[defined]) / actual[defined]
    mean = float(errors.mean()) if errors.size else np.nan
    median = float(np.median(errors)) if errors.size else np.nan
    return Score(kind, actual.size, np.nan, np.nan, mean, median, int((~defined).sum()))


def evaluate(series: Floats, published: Published, plan: Plan) -> list[Score]:
    """Ask random queries of every kind and score the answers of the release."""
    evaluation = _Evaluation(series, published, plan)
    widest = max(series.shape[0], published.low.shape[0])
    step = max(1, BLOCK_CELLS // widest)
    blocks = [
        evaluation.block(slice(start, min(start + step, plan.queries)))
        for start in range(0, plan.queries, step)
    ]
    near, ranged, counts, combined = (
        np.concatenate(parts).astype(np.float64) for parts in zip(*blocks, strict=True)
    )
    return [
        _retrieval_score("pattern similarity", near),
        _retrieval_score("pattern range", ranged),
        _error_score("value range", counts),
        _error_score("complex", combined),
    ]
