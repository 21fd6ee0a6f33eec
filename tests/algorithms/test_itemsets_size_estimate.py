"""How many itemsets are reckoned from dives, beside all of them counted."""

import numpy as np
import pytest

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import mining, size_estimate
from tanon_duck.algorithms.itemsets.collection import CollectionError
from tanon_duck.algorithms.itemsets.goal import Goal
from tanon_duck.algorithms.itemsets.transactions import Transactions, rank_frequent


def ranked(rows, min_count):
    return rank_frequent(Transactions.from_lists([sorted(row) for row in rows]), min_count)


def frequent(min_count, max_length=99):
    return Goal(min_count, False, False, max_length)


@pytest.mark.parametrize("max_length", [2, 99])
@pytest.mark.parametrize("seed", range(20))
def test_the_mean_of_many_dives_is_the_number_of_itemsets(seed, max_length):
    rows = [row for row in random_rows(seed)[0] if row] or [{0}] * 3
    items, goal = ranked(rows, 2), frequent(2, max_length)
    random = np.random.default_rng(seed)
    dives = [size_estimate._random_descent(items, goal, random) for _ in range(1500)]
    assert np.mean(dives) == pytest.approx(len(oracle.frequent(rows, 2, max_length)), rel=0.1)


@pytest.mark.parametrize("maximal", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_where_only_some_count_it_is_the_number_of_these(seed, maximal):
    rows = [*[row for row in random_rows(seed)[0] if row], {98}, {99}]
    items, goal = ranked(rows, 2), Goal(2, True, maximal, 99)
    random = np.random.default_rng(seed)
    dives = [size_estimate._random_descent(items, goal, random) for _ in range(3000)]
    counted = (oracle.maximal if maximal else oracle.closed)(oracle.frequent(rows, 2))
    assert np.mean(dives) == pytest.approx(len(counted), rel=0.15)


def test_nothing_is_said_of_tables_that_may_be_within_the_limit():
    rows = ranked([set(range(10))] * 5, 2)
    assert size_estimate.estimate_if_too_many(rows, frequent(2), 1024 // 4) is None
    assert size_estimate.estimate_if_too_many(rows, frequent(2), 1024 // 4 - 1) == pytest.approx(
        1024
    )


def test_one_closed_itemset_is_not_many_whatever_its_subsets():
    rows = ranked([set(range(40))] * 5, 2)
    assert size_estimate.estimate_if_too_many(rows, frequent(2), 10**6) == pytest.approx(2.0**40)
    assert size_estimate.estimate_if_too_many(rows, Goal(2, True, False, 99), 10**6) is None
    assert size_estimate.estimate_if_too_many(rows, Goal(1, True, False, 99), 10**6) is None


def test_items_that_the_same_rows_hold_count_as_one():
    rows = [{i for i in range(20) if i != row} for row in range(20)]
    twice = ranked([row | {i + 20 for i in row} for row in rows], 1)
    about = size_estimate.estimate_if_too_many(twice, Goal(1, True, False, 99), 2**20 // 5)
    assert about == pytest.approx(2**20, rel=0.01)


def test_one_long_row_is_enough_where_every_row_counts():
    rows = ranked([set(range(40)), *[{40 + i} for i in range(5000)]], 1)
    assert size_estimate.estimate_if_too_many(rows, frequent(1), 10**6) == 2.0**40
    assert size_estimate.estimate_if_too_many(rows, frequent(1, 5), 10**6) is None


def test_a_dive_into_wide_rows_ends_where_enough_is_known():
    wide = ranked([set(range(2000))] * 3, 2)
    found = size_estimate._random_descent(wide, frequent(2), np.random.default_rng(0))
    assert size_estimate.ENOUGH < found < 2000 * size_estimate.ENOUGH


@pytest.mark.parametrize(
    ("width", "got"),
    [(2000, "30,000,000 itemsets, got about"), (9000, "8,192 frequent items in a tr.*, got 9,000")],
)
def test_rows_too_wide_are_refused_before_their_pairs_are_counted(width, got, monkeypatch):
    monkeypatch.setattr(mining, "count_pairs", None)
    wide = Transactions.from_lists([list(range(width))] * 3)
    with pytest.raises(CollectionError, match=f"for at most {got}"):
        mining.frequent_itemsets(wide, 2)


def test_wide_rows_of_few_pairs_or_with_one_closed_itemset_are_mined():
    rows = [sorted({0, *range(1 + at * 2000, 2001 + at * 2000)}) for at in range(3)]
    found = mining.frequent_itemsets(Transactions.from_lists(rows), 2)
    assert list(found.lists()) == [((), 3), ((0,), 3)]
    alike = Transactions.from_lists([list(range(1500))] * 3)
    assert [support for _, support in mining.closed_itemsets(alike, 2).lists()] == [3]
