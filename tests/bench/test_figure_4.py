"""Figure 4 of Wang et al. with one line mended equals the step for whole l."""

import random
from fractions import Fraction

import numpy as np
from drawn import is_long

from bench.baselines.figure_4_mended import mended
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.stream import reposition
from tanon_duck.algorithms.reposition.window import Settings, loss


def drawn(seed, choices):
    """Return random settings and the columns of a random stream of counts."""
    rng = random.Random(seed)
    values, w = rng.randint(2, 6), rng.randint(1, 6)
    mu = cost_table(rng.choice(["d", "d^2", "3*d"]), w)
    beta = rng.randint(1, mu[-1] // MICRO + 2) * MICRO
    settings = Settings(Fraction(rng.choice(choices)), w, mu, [beta] * values)
    cells = [
        (t, v, rng.randint(1, 4))
        for t in range(rng.randint(1, 8))
        for v in range(values)
        if rng.random() < 0.6
    ]
    cells = cells or [(0, 0, 1)]
    return settings, [np.array([cell[i] for cell in cells]) for i in range(3)]


def mended_loss(settings, columns):
    stream = mended(settings)
    return loss(settings, stream.advance(*columns) + stream.finish())


def test_the_mended_algorithm_loses_what_the_step_loses_for_whole_l():
    printed_loses_more = 0
    for seed in range(400 if is_long() else 134):
        settings, columns = drawn(seed, (1, 2, 3, 4, 5))
        ours = loss(settings, reposition(settings, *columns))
        assert mended_loss(settings, columns) == ours, seed
        printed_loses_more += loss(settings, reposition(settings, *columns, method="paper")) > ours
    assert printed_loses_more > 0


def test_the_step_loses_less_for_some_fractional_l():
    pairs = []
    for seed in range(400):
        settings, columns = drawn(seed, ("3/2", "5/2", "7/3"))
        ours = loss(settings, reposition(settings, *columns))
        pairs.append((ours, mended_loss(settings, columns)))
    assert any(ours < theirs for ours, theirs in pairs)
