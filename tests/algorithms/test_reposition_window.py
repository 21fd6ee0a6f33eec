"""Integer programming: one placement against trying everything, the first window, re-planning."""

import random
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from oracles.exhaustive_placement import cheapest_placement
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.placement import place
from tanon_duck.algorithms.reposition.programme import Solver
from tanon_duck.algorithms.reposition.stream import Repositioner, reposition
from tanon_duck.algorithms.reposition.window import Settings, loss

pytest.importorskip("highspy")


def random_settings(rng, values):
    w = rng.randint(1, 4)
    l = Fraction(rng.choice([1, 2, 2, 3, Fraction(3, 2), Fraction(5, 2)]))  # noqa: E741
    mu = cost_table(rng.choice(["d", "d^2", "2*d"]), w)
    top = mu[-1] // MICRO + 2
    betas = [rng.randint(1, top) * MICRO for _ in range(values)]
    return Settings(l, w, mu, betas if rng.random() < 0.5 else betas[:1] * values)


def columns(stream):
    cells = [(t, v, n) for t, counts in enumerate(stream) for v, n in counts.items()]
    return [np.array([cell[i] for cell in cells], np.int64) for i in range(3)]


def random_stream(rng, values, length, most):
    return [
        {v: n for v in range(values) if (n := rng.randint(0, most) * (rng.random() < 0.6))}
        for _ in range(length)
    ]


def check(run, stream, flows):
    arrived = Counter({(v, t): n for t, counts in enumerate(stream) for v, n in counts.items()})
    sizes = Counter()
    for value, home, slot, n in flows:
        assert n > 0
        arrived[value, home] -= n
        if slot is not None:
            assert 0 <= slot - home <= run.w - 1
            sizes[slot, value] += n
    assert not any(arrived.values())
    for slot in {slot for slot, _ in sizes}:
        here = [n for (s, _), n in sizes.items() if s == slot]
        assert run.l * max(here) <= sum(here)


@pytest.mark.parametrize("seed", range(60))
def test_placement_is_the_cheapest_there_is(seed):
    rng = random.Random(seed)
    values = rng.randint(2, 4)
    run = random_settings(rng, values)
    low, high = 5, 5 + rng.randint(0, 2)
    pending = {}
    for value in range(values):
        for _ in range(rng.randint(0, 4 if high < 7 else 3)):
            key = (value, rng.randint(low - 1, high))
            pending[key] = pending.get(key, 0) + 1
    placement = place(run, pending, low, high, Solver())
    assert placement.gap == 0
    best = cheapest_placement(run.l, run.w, run.mu, run.betas, pending, low, high) if pending else 0
    assert loss(run, placement.flows) == best


@pytest.mark.parametrize("seed", range(30))
def test_first_window_is_optimal_ordered_and_a_start_for_the_steps(seed):
    rng = random.Random(seed)
    run = random_settings(rng, 3)
    stream = random_stream(rng, 3, run.w, 2)
    stream[0] = stream[0] or {0: 1}
    pending = {(v, t): n for t, counts in enumerate(stream) for v, n in counts.items()}
    flows = reposition(run, *columns(stream), start="ilp")
    check(run, stream, flows)
    last = max(t for t, counts in enumerate(stream) if counts)
    if sum(n for n in pending.values()) <= 9:
        best = cheapest_placement(run.l, run.w, run.mu, run.betas, pending, 0, last)
        assert loss(run, flows) == best
    in_order(flows)


def in_order(flows):
    for value in {flow[0] for flow in flows}:
        mine = sorted((slot, home) for v, home, slot, _ in flows if v == value and slot is not None)
        homes = [home for _, home in mine]
        assert homes == sorted(homes)
        for _, home, slot, _ in [flow for flow in flows if flow[0] == value]:
            if (
                slot is None
            ):  # I2: nothing older is published at or after a suppressed record's home
                assert all(older >= home for place, older in mine if place >= home)


@pytest.mark.parametrize("method", ["step", "paper", "window"])
@pytest.mark.parametrize("seed", range(12))
def test_long_streams_with_an_exact_start(seed, method):
    rng = random.Random(seed)
    run = random_settings(rng, 4)
    stream = random_stream(rng, 4, 20, 6)
    check(run, stream, reposition(run, *columns(stream), method=method, start="ilp"))


@pytest.mark.parametrize("method", ["step", "window"])
@pytest.mark.parametrize("seed", range(10))
def test_stopping_and_resuming_changes_nothing(seed, method):
    rng = random.Random(seed)
    run = random_settings(rng, 4)
    stream = [*random_stream(rng, 4, 14, 5), {1: 2}]
    whole = reposition(run, *columns(stream), method=method, start="ilp")
    state, pieces = None, []
    for now, counts in enumerate(stream):
        part = Repositioner(run, method, "ilp", state)
        arrivals = [
            np.array(column, np.int64)
            for column in ([now] * len(counts), [*counts], [*counts.values()])
        ]
        pieces += part.advance(*arrivals, upto=now)
        state = part.state()
    pieces += Repositioner(run, method, "ilp", state).finish()
    assert Counter(pieces) == Counter(whole)


@pytest.mark.parametrize("seed", range(6))
def test_large_counts(seed):
    rng = random.Random(seed)
    run = random_settings(rng, 4)
    stream = [
        {v: n * 10**6 + rng.randint(0, 3) for v, n in counts.items()}
        for counts in random_stream(rng, 4, 8, 4)
    ]
    check(run, stream, reposition(run, *columns(stream), method="window"))


@pytest.mark.parametrize("options", [{"method": "window"}, {"start": "ilp"}])
def test_too_many_records_are_refused(options):
    run = Settings(Fraction(2), 2, (0, 1, 2), [3])
    with pytest.raises(ValueError, match="at most 100000000 records at once, got 100000001"):
        reposition(run, [0], [0], [10**8 + 1], **options)


def test_replanning_moves_what_a_step_must_leave():
    # E6: a step suppresses c (loss 10); with the sizes free a and b join it for 2
    run = Settings(Fraction(2), 2, cost_table("d", 2), [10 * MICRO] * 3)
    stream = [{0: 1, 1: 1}, {2: 1}]
    assert loss(run, reposition(run, *columns(stream))) == 10 * MICRO
    assert loss(run, reposition(run, *columns(stream), method="window")) == 2 * MICRO


def test_replanning_loses_less_over_streams():
    totals = Counter()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        share = np.exp(np.cumsum(rng.normal(0, 0.4, (40, 6)), axis=0) + np.linspace(1, 0, 6))
        share /= share.sum(axis=1, keepdims=True)
        stream = [{v: int(n) for v, n in enumerate(rng.multinomial(60, p)) if n} for p in share]
        run = Settings(Fraction(3), 4, cost_table("d^2", 4), [20 * MICRO] * 6)
        for method in ("step", "window", "paper"):
            flows = reposition(run, *columns(stream), method=method)
            check(run, stream, flows)
            totals[method] += loss(run, flows)
    assert totals["window"] < 0.95 * totals["step"]
    assert totals["step"] < totals["paper"]


def test_no_solver_is_said_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(ImportError, match=r"HiGHS: pip install 'tanon-duck\[ilp\]'"):
        Solver()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "greedy"}, "method must be 'step', 'window' or 'paper', got 'greedy'"),
        ({"start": "lp"}, "start must be 'stream' or 'ilp', got 'lp'"),
    ],
)
def test_refused_choices(options, message):
    run = Settings(Fraction(2), 2, (0, 1, 2), [3])
    with pytest.raises(ValueError, match=message):
        Repositioner(run, **options)
