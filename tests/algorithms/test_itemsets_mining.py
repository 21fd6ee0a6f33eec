"""Frequent, closed and maximal itemsets against every subset of a few items."""

import tracemalloc

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import columns, mining, pairs, search
from tanon_duck.algorithms.itemsets.collection import CollectionError
from tanon_duck.algorithms.itemsets.counting import count_supports
from tanon_duck.algorithms.itemsets.mining import (
    closed_itemsets,
    frequent_itemsets,
    maximal_itemsets,
    minimum_count,
)
from tanon_duck.algorithms.itemsets.transactions import Transactions, rank_frequent

MINERS = [
    (frequent_itemsets, lambda collection: collection),
    (closed_itemsets, oracle.closed),
    (maximal_itemsets, oracle.maximal),
]


def as_dict(collection):
    return {frozenset(items): support for items, support in collection.lists()}


def transactions(rows, n_items=None):
    return Transactions.from_lists([sorted(row) for row in rows], n_items)


def check(rows, min_count, **bound):
    frequent = oracle.frequent(rows, min_count, **bound)
    for mine, reduce in MINERS:
        assert as_dict(mine(transactions(rows), min_count, **bound)) == reduce(frequent)


@pytest.mark.parametrize("seed", range(150))
def test_same_itemsets_as_every_subset_counted(seed):
    rows, _ = random_rows(seed)
    for min_count in (1, 2, 3, max(1, len(rows) // 3)):
        check(rows, min_count)


@pytest.mark.parametrize("max_length", [0, 1, 2, 3])
def test_a_bound_on_the_length_bounds_the_collection(max_length):
    for seed in range(20):
        check(random_rows(seed)[0], 2, max_length=max_length)


@examples(120)
@given(st.lists(st.frozensets(st.integers(0, 6)), max_size=25), st.integers(1, 6))
def test_any_rows(rows, min_count):
    check(rows, min_count)


@pytest.mark.parametrize(
    "rows",
    [[], [frozenset()], [frozenset({2})], [frozenset({0, 1})] * 4, [frozenset()] * 3],
    ids=["none", "one empty", "one", "all the same", "all empty"],
)
def test_edges(rows):
    check(rows, 1)
    check(rows, 3)


def wide_rows(seed=5, n_rows=400, n_items=40):
    rng = np.random.default_rng(seed)
    held = rng.random((n_rows, n_items)) < rng.uniform(0.02, 0.6, n_items)
    held[:, 1] |= held[:, 0]
    held[:, 5] |= held[:, 9] & held[:, 2]
    return Transactions.from_pairs(*np.nonzero(held), n_rows, n_items)


def all_mined(rows, min_count=12):
    return [list(mine(rows, min_count).lists()) for mine, _ in MINERS]


@pytest.mark.parametrize(
    "limits",
    [
        {"pairs.DENSE_SHARE": 0.0},
        {"pairs.DENSE_SHARE": 0.0, "columns.FLAGS_AT_ONCE": 1 << 12},
        {"columns.FLAGS_AT_ONCE": 1 << 12},
        {"columns.FLAGS_IN_CACHE": 64},
        {"columns.FLAGS_IN_CACHE": 1 << 12},
        {"columns.FLAGS_IN_CACHE": 1 << 12, "columns.FLAGS_AT_ONCE": 1 << 14},
        {"columns.CELLS_AT_ONCE": 1},
        {"columns.LIKE_LENGTHS": 0.0},
        {"columns.LIKE_LENGTHS": 1.0},
        {"columns.LARGEST_TABLE": 0, "pairs.LARGEST_TABLE": 0},
        {"columns.LARGEST_TABLE": 0, "columns.FLAGS_IN_CACHE": 1 << 12},
        {"pairs.LARGEST_TABLE": 0, "pairs.PAIRS_AT_ONCE": 4},
        {"pairs.DENSE_SHARE": 0.0, "pairs.PAIRS_AT_ONCE": 100},
        {"columns.WIDEST_TO_NARROWEST": 100.0},
        {"pairs.PAIRS_AT_ONCE": 1},
        {"search.PAIRS_AT_ONCE": 3},
        {"search.BYTES_AT_ONCE": 256},
        {"columns.FLAGS_AT_ONCE": 1 << 12, "search.BYTES_AT_ONCE": 256},
    ],
    ids=str,
)
def test_work_cut_into_small_pieces_finds_the_same(monkeypatch, limits):
    expected = all_mined(wide_rows())
    assert len(expected[1]) < len(expected[0])
    modules = {"columns": columns, "pairs": pairs, "search": search}
    for name, value in ({"pairs.DENSE_SHARE": 2.0} | limits).items():
        module, constant = name.split(".")
        monkeypatch.setattr(modules[module], constant, value)
    assert all_mined(wide_rows()) == expected


def pairs_in_a_megabyte(rows):
    """How many pairs two rows share, and their supports, found in little memory."""
    ranked = rank_frequent(transactions(rows), 2)
    tracemalloc.start()
    try:
        found = pairs.count_pairs(ranked, 2)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()
    return found.codes.size, set(found.counts.tolist())


def test_the_pairs_of_one_long_row_are_not_listed(monkeypatch):
    monkeypatch.setattr(pairs, "LARGEST_TABLE", 0)
    monkeypatch.setattr(pairs, "PAIRS_AT_ONCE", 1 << 10)
    rows = [range(1000), *([i, i + 1] for i in range(0, 1000, 2))]
    assert pairs_in_a_megabyte(rows) == (500, {2})


def test_few_pairs_of_many_items_need_no_table():
    assert pairs_in_a_megabyte([[i, i + 1] for i in range(0, 3000, 2)] * 2) == (1500, {2})


def test_supports_are_those_counted_anew():
    rows = wide_rows()
    found = frequent_itemsets(rows, 12)
    counted = count_supports(found, rows)
    assert len(found) > 1000
    for mined, again in zip(found.supports, counted, strict=True):
        np.testing.assert_array_equal(mined, again)


def test_weights_count_rows_several_times():
    rows = wide_rows(n_rows=70)
    found = frequent_itemsets(rows, 5)
    weights = np.arange(70) % 6
    repeated = np.repeat(np.arange(70), weights)
    held = np.zeros((70, 40), dtype=bool)
    held[rows.rows, rows.items] = True
    for level, totals in zip(found.levels, count_supports(found, rows, weights), strict=True):
        for items, total in zip(level, totals, strict=True):
            assert held[repeated][:, items].all(axis=1).sum() == total


def test_order_of_rows_and_repeated_pairs_change_nothing():
    rows = wide_rows()
    order = np.random.default_rng(1).permutation(rows.rows.size)
    row_names = np.random.default_rng(2).permutation(rows.n_rows)
    twice = np.concatenate([order, order[:100]])
    shuffled = Transactions.from_pairs(row_names[rows.rows[twice]], rows.items[twice], 400, 40)
    assert all_mined(shuffled) == all_mined(rows)


def test_a_share_becomes_the_smallest_count_that_reaches_it():
    assert minimum_count(0.1, 8124) == 813
    assert minimum_count(0.07, 100) == 7
    assert minimum_count(0.001, 10) == 1
    assert minimum_count(1.0, 100) == 100


def test_too_many_itemsets_are_refused_before_memory_is_full(monkeypatch):
    monkeypatch.setattr(mining, "MOST_ITEMSETS", 1000)
    with pytest.raises(CollectionError, match="at most 1,000 itemsets, got more"):
        frequent_itemsets(wide_rows(), 12)
