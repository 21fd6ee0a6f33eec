"""Better than KAPRA where a P-subgroup may share one word: micro-aggregation of shape and value.

Rows near in both make k-groups, and within them P-subgroups that take the word of their mean
shape. No row is suppressed, and the word of a row is the subgroup's, not necessarily its own.
"""

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import dense, envelopes, members
from tanon_duck.algorithms.kp.exchange import Effort, exchange
from tanon_duck.algorithms.kp.naive import Patterns
from tanon_duck.algorithms.kp.nearest_split import NEIGHBOURHOOD, nearest_split
from tanon_duck.algorithms.kp.row_swaps import swap_rows
from tanon_duck.algorithms.kp.untorn_split import untorn_split
from tanon_duck.algorithms.sax import Floats, Integers

# Up to three rows, nearest neighbours in shape and value make better P-subgroups than halving.
SMALL_GROUP = 3
SHAPE_WEIGHT, SHAPE_WEIGHT_OF_SWAPS = 0.65, 0.5
ROWS_OF_WIDE_REACH = 20_000
# Letters of a shape drawn flatter, at the finest levels, may lie nearer to it: they are narrower.
FLATTER, FINEST = (1.0, 0.85, 0.7), 5
EFFORT = Effort(rounds=2, partners=1)


def shared(
    series: Floats, normalized: Floats, k: int, p: int, max_level: int
) -> tuple[Patterns, Integers]:
    """Return the patterns and the k-group of every row.

    Where P-subgroups of P rows fill a k-group exactly and are too small for halving, they are made
    first. Else k-groups are made first, each as large as k asks and no larger, and split for P by
    shape: three times four rows would be too many for ten. Then single rows change places by value
    and shape, and whole subgroups by value.
    """
    values = _standardized(series)
    subgroup, k_group = _first_groups(series, normalized, values, k, p)
    subgroup, k_group = swap_rows(values, SHAPE_WEIGHT_OF_SWAPS * normalized, subgroup, k_group)
    subgroup, count = dense(subgroup)
    group_of = np.empty(count, dtype=np.int64)
    group_of[subgroup] = k_group
    low, high = envelopes(series, subgroup, count)
    size = np.bincount(subgroup, minlength=count)
    group_of = exchange(low, high, size, group_of, k, EFFORT)
    return shared_words(normalized, subgroup, count, max_level), group_of[subgroup]


def _first_groups(
    series: Floats, normalized: Floats, values: Floats, k: int, p: int
) -> tuple[Integers, Integers]:
    """Return subgroups and k-groups as they are before any swaps."""
    if p <= SMALL_GROUP and k % p == 0:
        return _subgroups_first(series, normalized, values, k, p)
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    # Swaps mend more than weighing every cut could win.
    features = np.hstack((SHAPE_WEIGHT * normalized, values))
    k_group = untorn_split(features, k, one_root, weighed_multiples=0)
    if p <= SMALL_GROUP:
        return nearest_split(normalized, p, k_group), k_group
    return untorn_split(normalized, p, k_group, weighed_multiples=0), k_group


def _subgroups_first(
    series: Floats, normalized: Floats, values: Floats, k: int, p: int
) -> tuple[Integers, Integers]:
    """Return subgroups of rows near in shape and value, and k-groups of near subgroups."""
    one_root = np.zeros(series.shape[0], dtype=np.int64)
    reach = (4 if series.shape[0] <= ROWS_OF_WIDE_REACH else 1) * NEIGHBOURHOOD
    features = np.hstack((normalized, values))
    subgroup, count = dense(nearest_split(features, p, one_root, reach))
    low, high = envelopes(series, subgroup, count)
    k_group = balanced_split((low + high) / 2, k // p, np.zeros(count, dtype=np.int64))
    return subgroup, k_group[subgroup]


def _standardized(series: Floats) -> Floats:
    """Centre the attributes and bring all of them, together, to a root mean square of one."""
    centred = series - series.mean(axis=0)
    spread = float(np.sqrt(np.square(centred).mean())) or 1.0
    standardized: Floats = centred / spread
    return standardized


def shared_words(normalized: Floats, subgroup: Integers, count: int, max_level: int) -> Patterns:
    """Give each subgroup the word nearest to its mean shape, of those of all levels."""
    order, starts = members(subgroup, count)
    total = np.add.reduceat(normalized.take(order, axis=0), starts, axis=0)
    # A sum of shapes that cancel out is nothing but rounding.
    total[np.abs(total).max(axis=1, initial=0.0) < 1e-9] = 0.0
    lively = np.abs(normalized).max(axis=1) > 0
    not_flat = np.add.reduceat(lively[order], starts, dtype=np.int64)
    # At level 1 a word says nothing: every series that is not flat loses all of its pattern.
    best_gain = (np.bincount(subgroup, minlength=count) - not_flat).astype(np.float64)
    best_level = np.ones(count, dtype=np.int64)
    best_letters = np.zeros(total.shape, dtype=np.uint8)
    mean_shape = sax.z_normalize(total)
    for level in range(2, max_level + 1):
        for height in FLATTER if level > max_level - FINEST else FLATTER[:1]:
            check()
            letters = np.zeros(total.shape, dtype=np.uint8)
            thresholds = sax.break_points(level) - sax.TOLERANCE
            sax.add_thresholds_reached(height * mean_shape, thresholds, letters)
            shape = sax.z_normalize(sax.reconstruct(letters, level))
            # The correlations of a subgroup's rows with one shape add up to that of their sum.
            gain = np.einsum("sp,sp->s", total, shape) / (total.shape[1] - 1)
            better = gain > best_gain + 1e-9
            best_gain[better], best_level[better] = gain[better], level
            best_letters[better] = letters[better]
    return Patterns(subgroup, best_level[subgroup], best_letters[subgroup])
