"""Inference channels from rows and from supports, against all channels by definition."""

import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import channels as module
from tanon_duck.algorithms.itemsets.channels import channels_of_collection, channels_of_rows
from tanon_duck.algorithms.itemsets.closed_form import complete
from tanon_duck.algorithms.itemsets.collection import CollectionError, Itemsets
from tanon_duck.algorithms.itemsets.mining import frequent_itemsets, maximal_itemsets
from tanon_duck.algorithms.itemsets.transactions import Transactions

A, B, C, D, E = range(5)
EXAMPLE = [{A, B}, *[{A, B, C, D, E}] * 7, {A, E}, {C, D, E}, {C, D, E}, {D, E}]


def transactions(rows):
    return Transactions.from_lists([sorted(row) for row in rows])


def as_dict(channels):
    return {(frozenset(base), frozenset(top)): f for base, top, f in channels.lists()}


def both_ways(rows, min_count, k):
    mined = transactions(rows)
    by_supports = channels_of_collection(frequent_itemsets(mined, min_count), k)
    by_rows = channels_of_rows(mined, maximal_itemsets(mined, min_count), k)
    assert by_rows.lists() == by_supports.lists()
    return as_dict(by_supports)


def test_the_five_channels_of_the_running_example():
    assert both_ways(EXAMPLE, 8, 3) == {
        (frozenset(), frozenset({C, D, E})): 1,
        (frozenset({A}), frozenset({A, B})): 1,
        (frozenset({A}), frozenset({A, E})): 1,
        (frozenset({E}), frozenset({C, D, E})): 1,
        (frozenset({D, E}), frozenset({C, D, E})): 1,
    }


def check(rows, min_count, k):
    channels = oracle.all_channels(oracle.frequent(rows, min_count), k)
    assert both_ways(rows, min_count, k) == oracle.maximal_channels(channels)


@pytest.mark.parametrize("seed", range(60))
def test_exactly_the_channels_weaker_than_no_other(seed):
    rows, _ = random_rows(seed)
    for k in (2, 3, 5):
        check(rows, max(k, len(rows) // 4), k)


@pytest.mark.parametrize("few", [0, 14])
def test_long_tops_and_any_way_of_grouping(monkeypatch, few):
    monkeypatch.setattr(module, "FEW_ITEMS", few)
    for seed in range(20):
        rows, _ = random_rows(seed)
        check(rows, 4, 4)
    check([set(range(9))] * 4 + [{0, 3, 8}] * 2 + [{1}] * 3, 4, 4)


@examples(50)
@given(st.lists(st.frozensets(st.integers(0, 4)), max_size=20), st.integers(2, 4))
def test_any_rows(rows, k):
    check(rows, k, k)


@pytest.mark.parametrize("seed", range(40))
def test_a_pattern_of_too_few_rows_exists_exactly_where_a_channel_does(seed):
    rows, _ = random_rows(seed)
    found = both_ways(rows, 4, 3)
    tops = oracle.maximal(oracle.frequent(rows, 4))
    assert bool(found) == any(oracle.patterns_below(rows, top, 3) for top in tops)


def test_rows_that_all_occur_k_times_open_no_channel_below_k():
    for seed in range(30):
        rows, _ = random_rows(seed)
        assert both_ways([row for row in rows for _ in range(4)], 4, 4) == {}


def test_supports_that_no_rows_can_have_show_as_negative_frequencies():
    published = Itemsets.from_lists(2, [(), (0,), (1,), (0, 1)], [10, 7, 7, 2])
    assert channels_of_collection(published, 2).lists() == [((), (0, 1), -2)]


def test_an_itemset_of_too_few_rows_is_a_channel_to_itself():
    both = both_ways([{A, B}] * 2 + [{A}] * 4, 2, 3)
    assert both == {(frozenset({A, B}), frozenset({A, B})): 2}


def test_a_gap_in_the_collection_is_an_error():
    published = Itemsets.from_lists(3, [(), (0,), (1,), (2,), (0, 1), (0, 1, 2)], [9] * 6)
    with pytest.raises(CollectionError, match=r"closed under subsets, got none for \[0, 2\]"):
        channels_of_collection(published, 2)


def test_an_itemset_too_long_to_work_through_is_an_error():
    mined = transactions([set(range(70))] * 3 + [set(range(69))])
    maximal = maximal_itemsets(mined, 3)
    assert channels_of_rows(mined, maximal, 2).lists() == [(tuple(range(69)), tuple(range(70)), 1)]
    with pytest.raises(CollectionError, match="2\\^70 subsets"):
        complete(maximal)
