"""What each setting of k, P and algorithm costs and keeps, for a data owner who has to choose."""

import time
from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.release import Release, kp_release
from tanon_duck.algorithms.sax import Floats, Integers
from tanon_duck.algorithms.workload import Plan, Published, evaluate

HIGHEST_LEVEL = 10


@dataclass(frozen=True)
class Setting:
    """One way to publish."""

    algorithm: str
    k: int
    p: int
    scale: str = "none"


@dataclass(frozen=True)
class Outcome:
    """What one setting loses, risks and answers; NaN where nothing is published."""

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


def reason_not_to_try(setting: Setting, rows: int) -> str:
    """Say why a setting cannot be tried, nothing if it can."""
    if setting.p < 2:
        return "P must be at least 2"
    if setting.p > setting.k:
        return "P must be at most k"
    if setting.k > rows:
        return f"there are fewer than k series ({rows})"
    return ""


def _classes(release: Release) -> Published:
    """Return the distinct classes of a release and the class of each series."""
    kept = np.flatnonzero(release.k_group >= 0)
    _, first, class_of_kept = np.unique(
        release.p_group[kept], return_index=True, return_inverse=True
    )
    rows = kept[first]
    class_of = np.full(release.k_group.size, -1, dtype=np.int64)
    class_of[kept] = class_of_kept
    boxes = release.k_group[rows]
    return Published(
        release.low[boxes],
        release.high[boxes],
        release.letters[rows],
        release.level[rows],
        class_of,
    )


def worst_share(classes: Integers, secrets: Integers | None) -> float:
    """Return the largest share of one sensitive value in a class.

    It bounds what anybody learns from values and patterns, as each set of possible rows is a
    union of classes; without sensitive values, each counts as different.
    """
    sizes = np.bincount(classes)
    if secrets is None:
        return float(1 / sizes.min())
    pairs, frequency = np.unique(np.stack([classes, secrets]), axis=1, return_counts=True)
    return float((frequency / sizes[pairs[0]]).max())


def try_setting(series: Floats, secrets: Integers | None, setting: Setting, plan: Plan) -> Outcome:
    """Publish with one setting and measure the release; seconds are those of publishing."""
    started = time.perf_counter()
    level = sax.HIGHEST_LEVEL if setting.algorithm == "shared" else HIGHEST_LEVEL
    release = kp_release(
        series, setting.k, setting.p, setting.algorithm, level, scale=setting.scale
    )
    seconds = time.perf_counter() - started
    published = _classes(release)
    kept = published.class_of >= 0
    of_kept = published.class_of[kept]
    losses = sax.pattern_loss(series[kept], published.found[of_kept], published.levels[of_kept])
    scores = {score.kind: score for score in evaluate(series, published, plan)}
    return Outcome(
        records=int(kept.sum()),
        suppressed=int((~kept).sum()),
        value_loss=sax.mean_loss(sax.value_loss(published.low, published.high)[of_kept]),
        pattern_loss=float(losses.mean()),
        worst_breach=worst_share(of_kept, None if secrets is None else secrets[kept]),
        precision=scores["pattern similarity"].precision,
        recall=scores["pattern similarity"].recall,
        range_error=scores["value range"].relative_error,
        complex_error=scores["complex"].relative_error,
        seconds=seconds,
    )
