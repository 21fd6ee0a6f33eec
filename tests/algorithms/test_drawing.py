"""Places of groups are drawn fairly, once each, as many as planned, and by the key alone."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tanon_duck.algorithms import drawing


def draw(key, plan):
    """Plan: {(group, share): records}; the set of drawn (group, place, share)."""
    columns = np.array([[*cell, n] for cell, n in plan.items()], dtype=np.int64).reshape(-1, 3)
    drawn = list(zip(*(c.tolist() for c in drawing.draw_places(key, *columns.T)), strict=True))
    assert len(drawn) == len(set(drawn))
    return set(drawn)


plans = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 3)), st.integers(1, 40), max_size=12
)


@given(plans, st.binary(max_size=40))
def test_as_many_as_planned_each_at_a_place_of_its_own(plan, key):
    drawn = draw(key, plan)
    others = {cell: n for cell, n in plan.items() if cell[1] > 0}
    assert Counter((g, s) for g, _, s in drawn) == others
    assert len({(g, p) for g, p, _ in drawn}) == len(drawn)
    for group, place, _ in drawn:
        assert 1 <= place <= sum(n for (g, _), n in plan.items() if g == group)


@given(plans)
def test_the_order_in_which_groups_are_told_does_not_matter(plan):
    backwards = dict(reversed(plan.items()))
    assert draw(b"key", plan) == draw(b"key", backwards)


def test_blocks_hold_whole_groups_and_few_places(monkeypatch):
    monkeypatch.setattr(drawing, "PLACES_AT_ONCE", 10)
    plan = {(g, s): n for g in range(9) for s, n in ((0, g + 1), (1, 2))}
    assert Counter((g, s) for g, _, s in draw(b"key", plan)) == {(g, 1): 2 for g in range(9)}
    sizes = np.array([4, 6, 1, 30, 5, 5, 1])
    assert list(drawing._blocks_of_groups(sizes)) == [(0, 2), (2, 3), (3, 4), (4, 6), (6, 7)]


def test_another_key_draws_others():
    plan = {(0, 0): 30, (0, 1): 30}
    assert draw(b"one", plan) != draw(b"two", plan)


def test_each_choice_is_equally_likely():
    plan = {(7, 0): 2, (7, 1): 1, (7, 2): 1}
    keys = 3_000
    found = Counter(frozenset(draw(str(k).encode(), plan)) for k in range(keys))
    possible = {frozenset({(7, a, 1), (7, b, 2)}) for a, b in permutations(range(1, 5), 2)}
    assert set(found) == possible
    expected = keys / len(possible)
    assert max(abs(n - expected) for n in found.values()) < 5 * expected**0.5


def test_groups_that_look_alike_are_drawn_apart():
    plan = {(g, s): 20 for g in range(30) for s in (0, 1)}
    drawn = draw(b"key", plan)
    assert len({frozenset(p for g, p, _ in drawn if g == group) for group in range(30)}) == 30


@pytest.mark.parametrize("plan", [{}, {(3, 0): 5}])
def test_nothing_is_drawn_where_nothing_splits(plan):
    assert draw(b"key", plan) == set()
