"""The algorithm 'shared': a P-subgroup publishes the word of its mean shape for all its series.

So the word of a series may differ from its own word, but no series is suppressed, and losses are
lower than those of KAPRA. The shape of a series is its z-normalized form.

1. ``_first_groups`` makes k-groups, and P-subgroups in them, of series that are near in shape and
   value (micro-aggregation).
2. ``swap_rows`` lets single series change places.
3. ``exchange`` moves whole P-subgroups between k-groups.
4. ``shared_words`` chooses the word of each P-subgroup.
"""

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import envelopes, number_labels, rows_by_label
from tanon_duck.algorithms.kp.exchange import Effort, exchange
from tanon_duck.algorithms.kp.naive import Patterns
from tanon_duck.algorithms.kp.nearest_split import NEIGHBOURHOOD, nearest_split
from tanon_duck.algorithms.kp.row_swaps import swap_rows
from tanon_duck.algorithms.kp.untorn_split import untorn_split
from tanon_duck.algorithms.sax import Floats, Integers

# For P up to 3, nearest neighbours make better P-subgroups than halving.
SMALL_GROUP = 3
# How much a difference in shape counts against an equal difference in value. These weights gave
# the lowest losses in experiments.
SHAPE_WEIGHT, SHAPE_WEIGHT_OF_SWAPS = 0.65, 0.5
# Up to this many series, four times as many neighbours are searched.
ROWS_OF_LARGE_NEIGHBOURHOODS = 20_000
# At the five finest levels, the letters of a flatter shape are tried too. Their intervals are
# narrower, so that they may describe the shape better.
HEIGHTS, LEVELS_WITH_ALL_HEIGHTS = (1.0, 0.85, 0.7), 5
# A smaller gain, or a smaller sum, is a rounding error.
NEGLIGIBLE = 1e-9
EFFORT = Effort(rounds=2, partners=1)


def shared(
    series: Floats, normalized: Floats, k: int, p: int, max_level: int
) -> tuple[Patterns, Integers]:
    """Return the patterns and the k-group of each series.

    ``series`` are the points in which values are compared, ``normalized`` the shapes.
    """
    values = _standardized(series)
    subgroup, k_group = _first_groups(series, normalized, values, k, p)
    subgroup, k_group = swap_rows(values, SHAPE_WEIGHT_OF_SWAPS * normalized, subgroup, k_group)
    subgroup, count = number_labels(subgroup)
    group_of = np.empty(count, dtype=np.int64)
    group_of[subgroup] = k_group
    low, high = envelopes(series, subgroup, count)
    size = np.bincount(subgroup, minlength=count)
    group_of = exchange(low, high, size, group_of, k, EFFORT)
    return shared_words(normalized, subgroup, count, max_level), group_of[subgroup]


def _first_groups(
    series: Floats, normalized: Floats, values: Floats, k: int, p: int
) -> tuple[Integers, Integers]:
    """Return the P-subgroup and the k-group of each series before any swaps.

    If P is small and divides k, P-subgroups are made first, and k-groups of them. Otherwise
    k-groups are made first. For example P = 4 and k = 10: k-groups of three P-subgroups would
    have 12 series, more than necessary.
    """
    if p <= SMALL_GROUP and k % p == 0:
        return _subgroups_first(series, normalized, values, k, p)
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    # All cuts are in the middle (weighed_multiples=0). The later swaps gain more than better cuts.
    features = np.hstack((SHAPE_WEIGHT * normalized, values))
    k_group = untorn_split(features, k, one_root, weighed_multiples=0)
    if p <= SMALL_GROUP:
        return nearest_split(normalized, p, k_group), k_group
    return untorn_split(normalized, p, k_group, weighed_multiples=0), k_group


def _subgroups_first(
    series: Floats, normalized: Floats, values: Floats, k: int, p: int
) -> tuple[Integers, Integers]:
    """Return P-subgroups of series near in shape and value, and k-groups of near P-subgroups."""
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    factor = 4 if series.shape[0] <= ROWS_OF_LARGE_NEIGHBOURHOODS else 1
    features = np.hstack((normalized, values))
    subgroup, count = number_labels(nearest_split(features, p, one_root, factor * NEIGHBOURHOOD))
    low, high = envelopes(series, subgroup, count)
    k_group = balanced_split((low + high) / 2, k // p, np.zeros(count, dtype=np.int64))
    return subgroup, k_group[subgroup]


def _standardized(series: Floats) -> Floats:
    """Return the series minus the mean of each position, with a root mean square of 1 in all."""
    centred = series - series.mean(axis=0)
    root_mean_square = float(np.sqrt(np.square(centred).mean())) or 1.0
    standardized: Floats = centred / root_mean_square
    return standardized


def shared_words(normalized: Floats, subgroup: Integers, count: int, max_level: int) -> Patterns:
    """Return the patterns in which each P-subgroup has the word with the lowest pattern loss.

    The candidates are the letters of its mean shape at all levels, and of flatter shapes at the
    finest levels.
    """
    order, starts = rows_by_label(subgroup, count)
    shape_sum = np.add.reduceat(normalized.take(order, axis=0), starts, axis=0)
    # If shapes cancel out, only a rounding error is left of their sum.
    shape_sum[np.abs(shape_sum).max(axis=1, initial=0.0) < NEGLIGIBLE] = 0.0
    is_constant = np.abs(normalized).max(axis=1) == 0
    n_constant = np.add.reduceat(is_constant[order], starts, dtype=np.int64)
    # The score is the sum of the correlations of the series with the published shape. At level 1
    # the shape is constant: its correlation is 1 with constant series and 0 with all others.
    best_score = n_constant.astype(np.float64)
    best_level = np.ones(count, dtype=np.int64)
    best_letters = np.zeros(shape_sum.shape, dtype=np.uint8)
    mean_shape = sax.z_normalize(shape_sum)
    for level in range(2, max_level + 1):
        is_finest = level > max_level - LEVELS_WITH_ALL_HEIGHTS
        for height in HEIGHTS if is_finest else HEIGHTS[:1]:
            check()
            letters = np.zeros(shape_sum.shape, dtype=np.uint8)
            thresholds = sax.break_points(level) - sax.TOLERANCE
            sax.add_thresholds_reached(height * mean_shape, thresholds, letters)
            shape = sax.z_normalize(sax.reconstruct(letters, level))
            # The sum of correlations with one shape is the product of the sum with this shape.
            score = np.einsum("sp,sp->s", shape_sum, shape) / (shape_sum.shape[1] - 1)
            is_better = score > best_score + NEGLIGIBLE
            best_score[is_better], best_level[is_better] = score[is_better], level
            best_letters[is_better] = letters[is_better]
    return Patterns(subgroup, best_level[subgroup], best_letters[subgroup])
