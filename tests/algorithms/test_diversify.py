"""Perturbed values: diverse in every class, near, unused before, as few as needed."""

from collections import Counter

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from tanon_duck.algorithms.class_counts import Request
from tanon_duck.algorithms.diversify import diversify
from tanon_duck.algorithms.replacements import replace_values


def request(classes, values, diversity=2, reach=3, **options):
    classes = np.asarray(classes, dtype=np.int64)
    values = np.asarray(values)
    keys = options.pop("keys", np.arange(classes.size).astype(np.bytes_))
    return Request(classes, values, keys, diversity, reach, **options)


def crowded(classes, values, diversity):
    """Return the (class, value) pairs that fill more than 1/l of their class, by counting."""
    sizes = Counter(list(classes))
    pairs = Counter(zip(list(classes), list(values), strict=True))
    return [pair for pair, count in pairs.items() if count * diversity > sizes[pair[0]]]


def check(asked, published, changed):
    before = asked.values
    assert not crowded(asked.classes, published, asked.diversity)
    assert (published[~changed] == before[~changed]).all()
    assert (np.abs(published - before)[changed] <= asked.reach).all()
    assert (published[changed] != before[changed]).all()
    if asked.avoid_column:
        assert not np.isin(published[changed], before).any()
    for group in np.unique(asked.classes):
        inside = asked.classes == group
        new = published[inside & changed]
        assert np.unique(new).size == new.size
        assert not np.isin(new, before[inside]).any()


def needed(classes, values, diversity):
    """Count the records the definition changes: |EC| - floor(|class| / l) of each crowded value."""
    sizes, pairs = Counter(classes), Counter(zip(classes, values, strict=True))
    return sum(n - sizes[c] // diversity for (c, _), n in pairs.items() if n * diversity > sizes[c])


@examples(200)
@given(st.data())
def test_any_classes_become_diverse_with_as_few_changes_as_the_definition(data):
    diversity = data.draw(st.integers(2, 4))
    groups = data.draw(
        st.lists(st.lists(st.integers(0, 5), min_size=diversity, max_size=9), max_size=5)
    )
    classes = [i for i, group in enumerate(groups) for _ in group]
    values = [100 * value for group in groups for value in group]
    asked = request(classes, np.array(values, dtype=np.int64), diversity, 40)
    published, changed = diversify(asked)
    check(asked, published, changed)
    assert changed.sum() == needed(classes, values, diversity)


@examples(200)
@given(st.data())
def test_tight_lattices_are_filled_whenever_that_is_possible(data):
    values = data.draw(st.lists(st.integers(0, 12), min_size=2, max_size=9))
    reach = data.draw(st.integers(1, 4))
    asked = request([0] * len(values), np.array(values, dtype=np.int64), 2, reach)
    half = len(values) // 2
    counts = Counter(values).items()
    surplus = sorted(v for v, n in counts if n * 2 > len(values) for _ in range(n - half))
    try:
        published, changed = diversify(asked)
    except ValueError as refusal:
        assert "no room" in str(refusal)
        assert not packs(surplus, set(values), reach)
    else:
        check(asked, published, changed)
        assert packs(surplus, set(values), reach)


def packs(surplus, existing, reach, stride=1):
    """Try every assignment of distinct unused values."""
    if not surplus:
        return True
    furthest = reach // stride * stride
    return any(
        packs(surplus[1:], existing | {place}, reach, stride)
        for place in range(surplus[0] - furthest, surplus[0] + furthest + 1, stride)
        if place not in existing
    )


def test_every_value_of_a_crowded_class_moves_when_asked():
    asked = request([0, 0, 0, 0, 1, 1], np.array([5, 5, 5, 9, 2, 3]), 2, 40, every_value=True)
    published, changed = diversify(asked)
    check(asked, published, changed)
    assert changed.tolist() == [True] * 4 + [False] * 2


def test_classes_that_move_as_a_whole_stay_as_round_as_they_were():
    values = np.array([1500, 1500, 1500, 1500, 37, 900, 900, 900, 2, 3])
    asked = request([0] * 5 + [1] * 3 + [2] * 2, values, 2, 5000, every_value=True)
    published, changed = diversify(asked)
    check(asked, published, changed)
    assert changed.tolist() == [True] * 8 + [False] * 2
    assert ((published - values) % 300 == 0).all()
    with pytest.raises(ValueError, match="epsilon must be at least 300, the resolution"):
        diversify(request([0] * 10, np.array([300] * 8 + [1, 2]), 2, 299, every_value=True))
    zeros = request([0] * 4, np.array([0, 0, 0, 8]), 2, 16, every_value=True)
    assert (diversify(zeros)[0] % 8 == 0).all()


@examples(150)
@given(st.data())
def test_tight_whole_classes_are_filled_whenever_that_is_possible(data):
    stride = data.draw(st.integers(1, 3))
    values = [stride * v for v in data.draw(st.lists(st.integers(-3, 4), min_size=2, max_size=6))]
    repeated = [v for v, n in Counter(values).items() if n * 2 > len(values)]
    common = int(np.gcd.reduce(repeated or [0]))
    common = common or int(np.gcd.reduce(values)) or 1
    reach = data.draw(st.integers(1, 8))
    asked = request([0] * len(values), np.array(values), 2, reach, every_value=True)
    everyone = sorted(values) if crowded([0] * len(values), values, 2) else []
    if everyone and reach < common:
        with pytest.raises(ValueError, match="resolution"):
            diversify(asked)
        return
    try:
        published, changed = diversify(asked)
    except ValueError as refusal:
        assert "no room" in str(refusal)
        assert not packs(everyone, set(values), reach, common)
    else:
        check(asked, published, changed)
        assert ((published - asked.values) % common == 0).all()
        assert packs(everyone, set(values), reach, common)


def test_floats_move_within_epsilon_and_rounding_cannot_collide():
    values = np.repeat([10.0, -3.5, 0.0], 40)
    asked = request(np.repeat([0, 1, 2], 40), values, 4, 0.25)
    published, changed = diversify(asked)
    check(asked, published, changed)
    assert changed.sum() == 90
    assert np.abs(published - values)[changed].mean() == pytest.approx(0.125, abs=0.02)


def test_avoiding_only_the_class_allows_values_of_other_classes():
    values = np.array([5, 5, 4, 6, 3, 7])
    with pytest.raises(ValueError, match="no room"):
        diversify(request([0, 0, 1, 1, 1, 1], values, 2, 2))
    asked = request([0, 0, 1, 1, 1, 1], values, 2, 2, avoid_column=False)
    published, changed = diversify(asked)
    check(asked, published, changed)


def test_too_large_l_and_too_small_epsilon_are_refused():
    with pytest.raises(ValueError, match=r"smallest class \(2 rows\), got 3"):
        diversify(request([0, 0, 1, 1, 1], np.arange(5), 3))
    with pytest.raises(ValueError, match="too small"):
        diversify(request([0, 0], np.array([1e9, 1e9]), 2, 1e-12))


def test_nothing_changes_where_nothing_must_and_no_row_is_fine():
    published, changed = diversify(request([0, 0, 1, 1], np.array([1, 2, 1, 2])))
    assert published.tolist() == [1, 2, 1, 2]
    assert not changed.any()
    assert diversify(request([], np.zeros(0, dtype=np.int64)))[0].size == 0


def test_row_order_does_not_matter_and_the_keys_do():
    rng = np.random.default_rng(4)
    classes, values = np.sort(rng.integers(0, 40, 300)), rng.integers(0, 3, 300) * 1000
    keys = rng.integers(0, 2**63, 300).astype(np.bytes_)
    classes = np.concatenate([classes, np.repeat(np.arange(40), 2)])
    values = np.concatenate([values, np.zeros(80, dtype=np.int64)])
    keys = np.concatenate([keys, np.arange(80).astype(np.bytes_)])
    published, _ = diversify(request(classes, values, 2, 300, keys=keys))
    order = rng.permutation(classes.size)
    shuffled, _ = diversify(request(classes[order], values[order], 2, 300, keys=keys[order]))
    np.testing.assert_array_equal(published[order], shuffled)
    other, _ = diversify(request(classes, values, 2, 300, keys=keys[::-1]))
    assert (other != published).any()


def test_replacements_are_matched_even_when_a_greedy_choice_would_fail():
    classes = np.zeros(8, dtype=np.int64)
    values = np.array([1, 1, 1, 1, 2, 2, 2, 2])
    keys = np.arange(8).astype(np.bytes_)
    choices = {1: [10, 11], 2: [10]}
    published, changed = replace_values(classes, values, keys, 4, choices)
    assert not crowded(classes.tolist(), published.tolist(), 4)
    assert changed.sum() == 4
    assert sorted(published[values == 2].tolist()) == [2, 2, 10, 10]
    with pytest.raises(ValueError, match="replacements"):
        replace_values(classes, values, keys, 4, {1: [10], 2: [10]})
    with pytest.raises(ValueError, match="replacements"):
        replace_values(classes, values, keys, 4, {1: [2, 10], 2: [1, 10]})


def test_new_values_do_not_stand_out_beyond_all_others_where_there_is_room():
    classes = np.repeat(np.arange(20), 4)
    asked = request(classes, np.tile([0, 0, 0, 1000], 20), 2, 50)
    published, changed = diversify(asked)
    check(asked, published, changed)
    assert published.min() == 0
    tight = request([0, 0, 0, 0], np.array([7, 7, 7, 7]), 2, 3)
    check(tight, *diversify(tight))


def test_missing_values_are_a_value_without_a_neighbourhood():
    missing = np.array([True, True, False, False])
    asked = request([0, 0, 0, 0], np.array([0, 0, 5, 5]), 2, 3, missing=missing, every_value=True)
    assert not diversify(asked)[1].any()
    asked = request([0, 0, 0], np.array([0, 0, 5]), 2, 3, missing=missing[:3])
    with pytest.raises(ValueError, match="NULL, which has no neighbourhood"):
        diversify(asked)
    asked = request([0, 0, 0, 0, 0], np.array([0, 0, 5, 5, 5]), 2, 3, missing=np.arange(5) < 2)
    published, changed = diversify(asked)
    assert changed.sum() == 1
    assert (published[:2] == 0).all()
    # Whatever stands where NULL is does not count as that value.
    zeros = request([0, 0, 0, 0], np.array([0, 0, 0, 5]), 2, 3, missing=np.arange(4) < 1)
    assert not diversify(zeros)[1].any()
