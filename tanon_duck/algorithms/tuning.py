"""Tries settings of k, P and algorithm on series, so that the owner can choose one.

``try_setting`` makes the release of one setting, and measures its loss, risk and query errors.
"""

import time
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.release import Release, kp_release
from tanon_duck.algorithms.sax import Floats, Integers
from tanon_duck.algorithms.workload import Plan, Published, evaluate

# The default of max_level in the SQL functions, for all algorithms but 'shared'.
DEFAULT_MAX_LEVEL = 10


@dataclass(frozen=True)
class Setting:
    """One combination of arguments of a release."""

    algorithm: str
    k: int
    p: int
    scale: str = "none"


@dataclass(frozen=True)
class Outcome:
    """The measures of one setting: series published and suppressed, losses, risk, query errors."""

    records: int
    suppressed: int
    value_loss: float
    pattern_loss: float
    worst_breach: float
    precision: float
    recall: float
    range_error: float
    complex_error: float
    seconds: float


def reason_not_to_try(setting: Setting, n_series: int) -> str:
    """Return why a setting is not possible, an empty text if it is."""
    if setting.p < 2:
        return "P must be at least 2"
    if setting.p > setting.k:
        return "P must be at most k"
    if setting.k > n_series:
        return f"there are fewer than k series ({n_series})"
    return ""


def _classes(release: Release) -> Published:
    """Return the classes of a release: the P-groups with their envelopes and words."""
    published = np.flatnonzero(release.k_group >= 0)
    _, first, class_of_published = np.unique(
        release.p_group[published], return_index=True, return_inverse=True
    )
    example_rows = published[first]
    class_of = np.full(release.k_group.size, -1, dtype=np.int64)
    class_of[published] = class_of_published
    k_groups = release.k_group[example_rows]
    return Published(
        release.low[k_groups],
        release.high[k_groups],
        release.letters[example_rows],
        release.level[example_rows],
        class_of,
    )


def worst_share(classes: Integers, secrets: Integers | None) -> float:
    """Return the largest share that one sensitive value has in a class.

    ``classes`` and ``secrets`` have the class and the sensitive value of each series. Without
    ``secrets``, all values count as different. An adversary who knows values or patterns narrows a
    person down to a union of classes, in which no value can have a larger share.
    """
    sizes = np.bincount(classes)
    if secrets is None:
        return float(1 / sizes.min())
    pairs, frequency = np.unique(np.stack([classes, secrets]), axis=1, return_counts=True)
    return float((frequency / sizes[pairs[0]]).max())


def try_setting(series: Floats, secrets: Integers | None, setting: Setting, plan: Plan) -> Outcome:
    """Make the release of a setting and return its measures.

    ``secrets`` has a number for the sensitive value of each series. ``seconds`` of the outcome is
    the time of making the release, without measuring it.
    """
    started = time.perf_counter()
    max_level = sax.HIGHEST_LEVEL if setting.algorithm == "shared" else DEFAULT_MAX_LEVEL
    release = kp_release(
        series, setting.k, setting.p, setting.algorithm, max_level, scale=setting.scale
    )
    seconds = time.perf_counter() - started
    published = _classes(release)
    is_published = published.class_of >= 0
    class_of = published.class_of[is_published]
    pattern_losses = sax.pattern_loss(
        series[is_published], published.letters[class_of], published.levels[class_of]
    )
    value_losses = sax.value_loss(published.low, published.high)[class_of]
    scores = {score.kind: score for score in evaluate(series, published, plan)}
    return Outcome(
        records=int(is_published.sum()),
        suppressed=int((~is_published).sum()),
        value_loss=sax.mean_loss(value_losses),
        pattern_loss=float(pattern_losses.mean()),
        worst_breach=worst_share(class_of, None if secrets is None else secrets[is_published]),
        precision=scores["pattern similarity"].precision,
        recall=scores["pattern similarity"].recall,
        range_error=scores["value range"].relative_error,
        complex_error=scores["complex"].relative_error,
        seconds=seconds,
    )
