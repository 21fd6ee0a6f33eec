"""The corrected step: golden streams of the errata, the record-level greedy, exhaustive search."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from oracles.exact_step import cheapest
from oracles.record_relay import RecordRelay
from tanon_duck.algorithms.reposition.costs import MICRO, cost_table
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.stream import Repositioner, reposition
from tanon_duck.algorithms.reposition.window import Settings, State, loss

CONVEX = [
    lambda w: cost_table("d", w),
    lambda w: cost_table("d^2", w),
    lambda w: cost_table("3*d", w),
    lambda w: tuple(d + max(0, d - 2) * 2 for d in range(w + 1)),  # hinge
    lambda w: tuple(d + (d > 1) * (d - 1) for d in range(w + 1)),
]


def columns(stream):
    cells = [(t, v, n) for t, counts in enumerate(stream) for v, n in counts.items()]
    return ([cell[i] for cell in cells] for i in range(3))


def losses(stream, w, l, mu, betas, method="step"):  # noqa: E741
    letters = {x: i for i, x in enumerate(sorted({v for counts in stream for v in counts}))}
    numbered = [{letters[v]: n for v, n in counts.items()} for counts in stream]
    run = Settings(Fraction(l), w, cost_table(mu, w), [round(b * MICRO) for b in betas(letters)])
    flows = reposition(run, *columns(numbered), method=method)
    assert Counter({(v, t): n for t, c in enumerate(numbered) for v, n in c.items()}) == sum(
        (Counter({(v, home): n}) for v, home, _, n in flows), Counter()
    )
    return loss(run, flows) / MICRO, sum(n for _, _, slot, n in flows if slot is None)


def one(beta):
    return lambda letters: [beta] * len(letters)


GOLDEN = [
    # E1: Figure 4 stops when no record is missing for the next level
    ([{"a": 2}, {"b": 1, "c": 1, "d": 1}], 2, 2, "d", one(1.5), (2.5, 1), (2.0, 0)),
    ([{"a": 1}, {"a": 1, "b": 1, "c": 1, "d": 1}], 2, 2, "d", one(10), (10, 1), (1, 0)),
    # E2: a fractional number of missing records is never met exactly
    ([{"a": 1, "b": 1}, {}, {"c": 1, "d": 1}], 3, "5/2", "d", one(1.5), (4.0, 0), (3.5, 1)),
    # E3: a level that costs something can make a later one pay
    ([{"a": 1}, {}, {"b": 2}], 3, "3/2", "d^2", one(1.5), (4.5, 3), (4.0, 0)),
    ([{"a": 1}, {"b": 2}], 2, "3/2", "d", lambda _: [0.25, 0.5], (1.25, 3), (1.0, 0)),
]


@pytest.mark.parametrize(("stream", "w", "l", "mu", "betas", "printed", "exact"), GOLDEN)
def test_errata_streams(stream, w, l, mu, betas, printed, exact):  # noqa: E741
    assert losses(stream, w, l, mu, betas, "paper") == printed
    assert losses(stream, w, l, mu, betas) == exact


def test_printed_algorithm_loses_without_bound_for_every_integer_l():
    for l in (2, 3, 5):  # noqa: E741
        stream = [{0: 1}, dict.fromkeys(range(2 * l), 1)]
        assert losses(stream, 2, l, "d", one(100), "paper")[0] == 100
        assert losses(stream, 2, l, "d", one(100))[0] == 1


def test_recycling_does_not_touch_eligible_slots():
    # E6: moving a and b would cost 2, but a step keeps the sizes of earlier slots
    assert losses([{"a": 1, "b": 1}, {"c": 1}], 2, 2, "d", one(10)) == (10, 1)


def test_tie_takes_the_smallest_value():
    # T: at the third snapshot a or b may fill in; taking a ends at 6.5, taking b at 5.0
    stream = [{"a": 1, "b": 1}, {}, {"c": 1, "d": 1}, {"b": 1, "e": 1}]
    assert losses(stream, 4, 3, "d", one(1.5))[0] == 6.5
    swapped = [{"b": 1, "a": 1}, {}, {"c": 1, "d": 1}, {"a": 1, "e": 1}]
    assert losses(swapped, 4, 3, "d", one(1.5))[0] == 5.0


def test_examples_2_and_3_of_the_paper():
    # mu = 3d and beta per value make the gains of Figure 2; s1..s5 are 0..4, the new snapshot is 3
    run = Settings(Fraction(4), 3, (0, 3, 6, 9), [3, 3, 1, 4, 3])
    waiting = [(1, 1, None, 1), (2, 2, None, 1), (3, 2, None, 1), (4, 1, None, 1)]
    arriving = {0: 6, 1: 3, 2: 2, 3: 1, 4: 1}
    assert eligible_level(arriving.values(), run.l) == 2
    cut = [
        (v, 3, slot, n)
        for v, c in arriving.items()
        for slot, n in ((3, min(c, 2)), (None, max(0, c - 2)))
    ]
    assert sum(n for _, _, slot, n in cut if slot == 3) == 8

    stream = Repositioner(run)
    stream.window.restore(State(2, waiting))
    after = [*stream.window.step(3, arriving), *stream.state().rows]
    newest = Counter()
    for value, _, slot, n in after:
        newest[value] += n * (slot == 3)
    assert newest == {0: 3, 1: 3, 2: 3, 3: 2, 4: 1}
    assert loss(run, waiting + cut) - loss(run, after) == 5


def random_run(rng):
    values, w = rng.randint(2, 6), rng.randint(1, 6)
    l = rng.choice([1, 2, 2, 3, 3, 4, Fraction(3, 2), Fraction(5, 2), Fraction(7, 3)])  # noqa: E741
    mu = rng.choice(CONVEX)(w)
    top = mu[-1] + 2
    betas = [rng.randint(1, top) for _ in range(values)]
    if rng.random() < 0.5:
        betas = [betas[0]] * values
    return Settings(Fraction(l), w, mu, betas), values


def random_stream(rng, values, length, most):
    return [
        {
            v: n
            for v in range(values)
            if (n := max(0, rng.randint(-2, most) + 3 * (rng.random() < 0.1)))
        }
        for _ in range(length)
    ]


def cells(flows):
    total = Counter()
    for value, home, slot, n in flows:
        total[value, home, slot] += n
    return total


@pytest.mark.parametrize("seed", [*range(300), 10796])
def test_equals_the_record_level_greedy_at_every_step(seed):
    rng = random.Random(seed)
    run, values = random_run(rng)
    stream, oracle = Repositioner(run), RecordRelay(run.l, run.w, run.mu, run.betas)
    for now, counts in enumerate(random_stream(rng, values, 14, rng.choice([2, 5]))):
        released = stream.window.step(now, counts)
        oracle.step(now, counts)
        assert cells([*released, *stream.state().rows]) == oracle.cells()


@pytest.mark.parametrize("seed", range(150))
def test_no_step_can_be_cheaper(seed):
    rng = random.Random(1000 + seed)
    run, values = random_run(rng)
    stream = Repositioner(run)
    for now, counts in enumerate(random_stream(rng, min(values, 4), 8, 2)):
        before = stream.state().rows
        flows = [*stream.window.step(now, counts), *stream.state().rows]
        assert loss(run, flows) == cheapest(run.l, run.w, now, run.mu, run.betas, before, counts)


@examples(150)
@given(
    stream=st.lists(
        st.dictionaries(st.integers(0, 3), st.integers(1, 40) | st.integers(1, 10**12), max_size=4),
        max_size=12,
    ),
    l=st.fractions(1, 4, max_denominator=5),
    w=st.integers(1, 5),
    shape=st.sampled_from(CONVEX),
)
def test_invariants_hold_on_any_stream(stream, l, w, shape):  # noqa: E741
    run = Settings(l, w, shape(w), [shape(w)[-1] + v for v in range(4)])
    flows = reposition(run, *columns(stream))
    sizes = Counter()
    for value, home, slot, n in flows:
        assert n > 0
        if slot is not None:
            assert 0 <= slot - home <= w - 1
            sizes[slot, value] += n
    for slot in {slot for slot, _ in sizes}:
        here = [n for (s, _), n in sizes.items() if s == slot]
        assert l * max(here) <= sum(here)
    assert_timestamp_order(flows)
    arrived = Counter({(v, t): n for t, counts in enumerate(stream) for v, n in counts.items()})
    assert sum((Counter({f[:2]: f[3]}) for f in flows), Counter()) == arrived


def assert_timestamp_order(flows):
    by_value = {}
    for value, home, slot, _ in flows:
        if slot is not None:
            by_value.setdefault(value, []).append((slot, home))
    for places in by_value.values():
        homes = [home for _, home in sorted(places)]
        assert homes == sorted(homes)


def test_gaps_are_instants_and_distance_is_measured_across_them():
    # the lone a has to wait for the snapshot at 3; nothing is there in between
    run = Settings(Fraction(2), 4, (0, 1, 2, 3, 4), [10, 10])
    flows = reposition(run, [0, 3], [0, 1], [1, 1])
    assert cells(flows) == {(0, 0, 3): 1, (1, 3, 3): 1}
    assert cells(reposition(run, [0, 4], [0, 1], [1, 1])) == {(0, 0, None): 1, (1, 4, None): 1}
    far = reposition(run, [0, 10**15], [0, 1], [1, 1])
    assert cells(far) == {(0, 0, None): 1, (1, 10**15, None): 1}


def test_suppressed_records_of_a_gap_may_meet_in_an_empty_snapshot():
    run = Settings(Fraction(2), 3, (0, 1, 2, 3), [10, 10])
    flows = reposition(run, [0, 1, 9], [0, 1, 0], [1, 1, 1])
    assert cells(flows)[0, 0, 1] == 1
    assert cells(flows)[1, 1, 1] == 1


def test_empty_stream():
    assert reposition(Settings(Fraction(2), 3, (0, 1, 2, 3), []), [], [], []) == []


@pytest.mark.parametrize("method", ["step", "paper"])
@pytest.mark.parametrize("seed", range(25))
def test_advancing_in_pieces_equals_one_run(seed, method):
    rng = random.Random(seed)
    run, values = random_run(rng)
    stream = [*random_stream(rng, values, 20, 4), {0: 1}]
    whole = reposition(run, *columns(stream), method=method)
    pieces, state, now = [], None, 0
    while now < len(stream):
        upto = min(len(stream) - 1, now + rng.randint(0, 5))
        part = Repositioner(run, method, state=state)
        arrivals = [(t, v, n) for t in range(now, upto + 1) for v, n in stream[t].items()]
        rng.shuffle(arrivals)
        arrays = (np.array([a[i] for a in arrivals], dtype=np.int64) for i in range(3))
        pieces += part.advance(*arrays, upto=upto)
        state, now = part.state(), upto + 1
    pieces += Repositioner(run, method, state=state).finish()
    assert cells(pieces) == cells(whole)
