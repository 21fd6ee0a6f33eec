"""Companions for who is late: the lowest loss against trying everything, fair ways, resuming."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from oracles.companions import cheapest_with_companions, is_fair
from tanon_duck.algorithms import checkpoint
from tanon_duck.algorithms.reposition import integers
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.stream import Repositioner, reposition
from tanon_duck.algorithms.reposition.window import Settings, loss

pytest.importorskip("highspy")


def random_run(rng, values, w):
    l = Fraction(rng.choice([2, 2, 3, Fraction(3, 2), Fraction(5, 2)]))  # noqa: E741
    mu = cost_table(rng.choice(["d", "d^2", "2*d"]), w)
    return Settings(l, w, mu, [rng.randint(1, 2 * mu[-1] // MICRO) * MICRO for _ in range(values)])


def random_stream(rng, values, length, most):
    return [
        {v: n for v in range(values) if (n := rng.randint(0, most) * (rng.random() < 0.7))}
        for _ in range(length)
    ]


def placed(run, stream, method="window"):
    cells = [(t, v, n) for t, counts in enumerate(stream) for v, n in counts.items()]
    columns = (np.array([cell[i] for cell in cells], np.int64) for i in range(3))
    return reposition(run, *columns, method=method, late="covered")


def check_fair(run, stream, flows):
    """Complete, inside the window, eligible, and no way tells more than its day."""
    ways, slots, arrived = {}, {}, Counter()
    for value, home, slot, n in flows:
        assert n > 0
        ways.setdefault((home, slot), Counter())[value] += n
        arrived[home, value] += n
        if slot is not None:
            assert 0 <= slot - home < run.w
            slots.setdefault(slot, Counter())[value] += n
    assert arrived == {(t, v): n for t, counts in enumerate(stream) for v, n in counts.items()}
    for counts in slots.values():
        assert run.l * max(counts.values()) <= counts.total()
    for (home, _), way in ways.items():
        assert is_fair(run.l, way, stream[home], sum(stream[home].values()))


@pytest.mark.parametrize("seed", range(120))
def test_streams_inside_the_window_are_placed_at_the_lowest_loss(seed):
    rng = random.Random(seed)
    w, values = rng.choice([(2, 3), (2, 4), (3, 3)])
    run, stream = random_run(rng, values, w), random_stream(rng, values, w, 4 if w < 3 else 3)
    flows = placed(run, stream)
    check_fair(run, stream, flows)
    days = {home: counts for home, counts in enumerate(stream) if counts}
    assert loss(run, flows) == cheapest_with_companions(
        run.l, w, run.mu, run.betas, days, len(stream) - 1
    )


def test_companions_cost_less_than_whole_days_and_never_more_inside_the_window():
    cheaper = 0
    for seed in range(40):
        rng = random.Random(seed)
        run, stream = random_run(rng, 4, 4), random_stream(rng, 4, 4, 6)
        losses = [loss(run, placed(run, stream, method)) for method in ("window", "step")]
        assert losses[0] <= losses[1]
        cheaper += losses[0] < losses[1]
    assert cheaper > 10


@pytest.mark.parametrize("seed", range(10))
def test_long_streams_stopped_and_resumed(seed):
    rng = random.Random(seed)
    run, stream = random_run(rng, 4, rng.randint(2, 5)), random_stream(rng, 4, 30, 9)
    stream[10:18] = [{}] * 8
    stream.append({0: 1})
    whole = placed(run, stream)
    check_fair(run, stream, whole)
    pieces, state, now = [], None, 0
    while now < len(stream):
        upto = min(len(stream) - 1, now + rng.randint(0, 5))
        cells = [(t, v, n) for t in range(now, upto + 1) for v, n in stream[t].items()]
        part = Repositioner(run, "window", state=state, late="covered")
        arrays = (np.array([cell[i] for cell in cells], np.int64) for i in range(3))
        pieces += part.advance(*arrays, upto=upto)
        state, now = part.state(), upto + 1
    pieces += Repositioner(run, "window", state=state, late="covered").finish()
    assert Counter(pieces) == Counter(whole)


def test_a_stop_reaches_the_solver(monkeypatch):
    rng = random.Random(1)
    run = Settings(Fraction(3), 7, cost_table("d", 7), [7 * MICRO] * 12)
    stream = [{v: rng.randint(1, 60 // (v + 1)) for v in range(12)} for _ in range(7)]
    asked, real = [], checkpoint.check

    def stop_late():
        asked.append(1)
        if len(asked) > 60:
            checkpoint.stop()
        real()

    monkeypatch.setattr(integers, "check", stop_late)
    with checkpoint.stoppable(), pytest.raises(checkpoint.Interrupted):
        placed(run, stream)
