"""Snapshots that are late as a whole: the cheapest cut, whole days, stopping and resuming."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from oracles.whole_days import cheapest_cut
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.covered import CoveredWindow
from tanon_duck.algorithms.reposition.stream import Repositioner, reposition
from tanon_duck.algorithms.reposition.window import Settings, loss


def random_run(rng, values, w):
    l = Fraction(rng.choice([2, 2, 3, Fraction(3, 2), Fraction(5, 2)]))  # noqa: E741
    mu = cost_table(rng.choice(["d", "d^2", "2*d"]), w)
    betas = [rng.randint(1, 2 * mu[-1] // MICRO) * MICRO for _ in range(values)]
    return Settings(l, w, mu, betas)


def random_stream(rng, values, length, most=4):
    return [
        {v: n for v in range(values) if (n := rng.randint(0, most) * (rng.random() < 0.6))}
        for _ in range(length)
    ]


def columns(stream):
    cells = [(t, v, n) for t, counts in enumerate(stream) for v, n in counts.items()]
    return [np.array([cell[i] for cell in cells], np.int64) for i in range(3)]


def check_whole(run, stream, flows):
    """Each snapshot goes one way, less than w far, nothing is missing, all slots are eligible."""
    ways, slots, arrived = {}, {}, Counter()
    for value, home, slot, n in flows:
        assert ways.setdefault(home, slot) == slot
        arrived[home, value] += n
        if slot is not None:
            assert 0 <= slot - home < run.w
            slots.setdefault(slot, Counter())[value] += n
    assert arrived == {(t, v): n for t, counts in enumerate(stream) for v, n in counts.items()}
    for counts in slots.values():
        assert run.l * max(counts.values()) <= sum(counts.values())


@pytest.mark.parametrize("seed", range(150))
def test_streams_inside_the_window_are_cut_at_the_lowest_loss(seed):
    rng = random.Random(seed)
    w = rng.randint(1, 6)
    run, stream = random_run(rng, 3, w), random_stream(rng, 3, w)
    flows = reposition(run, *columns(stream), late="covered")
    check_whole(run, stream, flows)
    days = {home: counts for home, counts in enumerate(stream) if counts}
    assert loss(run, flows) == cheapest_cut(run.l, w, run.mu, run.betas, days)


@pytest.mark.parametrize("seed", range(25))
def test_every_decision_is_part_of_a_cheapest_cut_of_what_is_open(seed):
    rng = random.Random(seed)
    w = rng.randint(2, 4)
    run, stream = random_run(rng, 3, w), random_stream(rng, 3, 15)
    window, fates, days = CoveredWindow(run), {}, {}
    for now, counts in enumerate(stream):
        days |= {now: counts} if counts else {}
        before = set(days) - set(fates)
        fates |= {home: (v, home, s, n) for v, home, s, n in window.step(now, counts)}
        fates |= {row[1]: row for row in window.state().rows if row[2] is not None}
        decided = before & set(fates)
        spent = sum(
            loss(run, [(v, home, fates[home][2], n)])
            for home in decided
            for v, n in days[home].items()
        )
        left = {home: days[home] for home in before - decided}
        rest = cheapest_cut(run.l, w, run.mu, run.betas, left)
        assert spent + rest == cheapest_cut(
            run.l, w, run.mu, run.betas, {home: days[home] for home in before}
        )


@pytest.mark.parametrize("seed", range(25))
def test_long_streams_stopped_and_resumed(seed):
    rng = random.Random(seed)
    run, stream = random_run(rng, 4, rng.randint(1, 9)), random_stream(rng, 4, 60)
    stream[20:30] = [{}] * 10
    stream.append({0: 1})
    whole = reposition(run, *columns(stream), late="covered")
    check_whole(run, stream, whole)
    pieces, state, now = [], None, 0
    while now < len(stream):
        upto = min(len(stream) - 1, now + rng.randint(0, 5))
        arrivals = [(t, v, n) for t in range(now, upto + 1) for v, n in stream[t].items()]
        rng.shuffle(arrivals)
        part = Repositioner(run, state=state, late="covered")
        arrays = (np.array([a[i] for a in arrivals], np.int64) for i in range(3))
        pieces += part.advance(*arrays, upto=upto)
        state, now = part.state(), upto + 1
    pieces += Repositioner(run, state=state, late="covered").finish()
    assert Counter(pieces) == Counter(whole)


def test_there_is_always_a_way():
    run = Settings(Fraction(3), 4, cost_table("d", 4), [4 * MICRO])
    flows = reposition(run, [0, 1, 5], [0, 0, 0], [2, 1, 7], late="covered")
    assert {flow[2] for flow in flows} == {None}


def test_an_eligible_stream_stays():
    run = Settings(Fraction(2), 3, cost_table("d", 3), [3 * MICRO] * 2)
    flows = reposition(run, [0, 0, 9, 9], [0, 1, 0, 1], [2, 2, 3, 3], late="covered")
    assert loss(run, flows) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"late": "some"}, "lateness must be 'any' or 'covered', got 'some'"),
        (
            {"late": "covered", "method": "paper"},
            "method must be 'step' or 'window' where late is 'covered', got 'paper'",
        ),
        (
            {"late": "covered", "start": "ilp"},
            "start must be 'stream' where late is 'covered', got 'ilp'",
        ),
    ],
)
def test_refused_choices(options, message):
    with pytest.raises(ValueError, match=message):
        Repositioner(Settings(Fraction(2), 2, (0, 1, 2), [3]), **options)
