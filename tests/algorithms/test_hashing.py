"""Hashed draws: even, reproducible, sensitive to every part."""

import numpy as np

from tanon_duck.algorithms.hashing import hashes, uniforms


def test_draws_are_even_and_independent_of_position():
    draws = uniforms(7, np.arange(100_000))
    assert abs(draws.mean() - 0.5) < 0.005
    assert np.histogram(draws, bins=20, range=(0, 1))[0].std() < 150
    assert draws.min() >= 0
    assert draws.max() < 1
    assert draws[4321] == uniforms(7, 4321)[0]


def test_every_part_and_its_place_counts():
    parts = np.arange(1000)
    variants = [hashes(parts, 1), hashes(1, parts), hashes(parts, 2), hashes(parts, 1, 0)]
    variants += [hashes(parts.astype(float), 1), hashes(-parts[1:], 1)]
    together = np.concatenate(variants)
    # (1, 1), (1, 2) and (0, 1) = (0.0, 1) occur twice.
    assert np.unique(together).size == together.size - 3


def test_minus_zero_is_zero():
    assert hashes(np.array([-0.0]))[0] == hashes(np.array([0.0]))[0]
