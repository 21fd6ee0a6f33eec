"""Measured settings against releases measured in plain loops."""

from collections import Counter

import numpy as np
import pytest

from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.algorithms.tuning import Setting, reason_not_to_try, try_setting, worst_share
from tanon_duck.algorithms.workload import Plan

PLAN = Plan(40, 0.25, 0.05, 0)


def walks(rows, points, seed):
    return np.random.default_rng(seed).normal(size=(rows, points)).cumsum(axis=1)


@pytest.mark.parametrize("algorithm", ["naive", "kapra", "kapra_refined", "shared"])
def test_figures_of_a_setting(algorithm):
    series = walks(200, 6, 1)
    secrets = np.arange(200) % 17
    outcome = try_setting(series, secrets, Setting(algorithm, 8, 3), PLAN)
    level = 26 if algorithm == "shared" else 10
    release = kp_release(series, 8, 3, algorithm, level)
    kept = [row for row in range(200) if release.k_group[row] >= 0]
    assert (outcome.records, outcome.suppressed) == (len(kept), 200 - len(kept))
    widths = [release.high[g] - release.low[g] for g in release.k_group[kept]]
    assert outcome.value_loss == pytest.approx(np.mean([np.sqrt((w**2).mean()) for w in widths]))
    sizes = Counter(release.p_group[kept])
    pairs = Counter((release.p_group[row], secrets[row]) for row in kept)
    assert outcome.worst_breach == max(n / sizes[group] for (group, _), n in pairs.items())
    assert 0 < outcome.pattern_loss <= 1
    assert 0 < outcome.recall <= 1
    assert outcome.range_error > 0
    assert outcome.seconds > 0


def test_without_secrets_every_series_counts_as_different():
    assert worst_share(np.array([0, 0, 1, 1, 1]), None) == 1 / 2
    assert worst_share(np.array([0, 0, 1, 1, 1]), np.array([1, 2, 5, 5, 6])) == 2 / 3


def test_settings_that_cannot_be_tried():
    assert reason_not_to_try(Setting("kapra", 5, 2), 5) == ""
    assert reason_not_to_try(Setting("kapra", 6, 2), 5) == "there are fewer than k series (5)"
    assert reason_not_to_try(Setting("kapra", 3, 4), 5) == "P must be at most k"
    assert reason_not_to_try(Setting("kapra", 3, 1), 5) == "P must be at least 2"
