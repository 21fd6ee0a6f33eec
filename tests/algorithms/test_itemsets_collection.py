"""A collection of itemsets: order, look-ups, closedness, completion."""

import numpy as np
import pytest

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets.closed_form import complete
from tanon_duck.algorithms.itemsets.collection import (
    CollectionError,
    Itemsets,
    keep_closed,
    keep_maximal,
    require_subsets,
)
from tanon_duck.algorithms.itemsets.mining import closed_itemsets, frequent_itemsets
from tanon_duck.algorithms.itemsets.transactions import Transactions


def as_dict(collection):
    return {frozenset(items): support for items, support in collection.lists()}


def small(*itemsets):
    return Itemsets.from_lists(5, [i for i, _ in itemsets], [s for _, s in itemsets])


@pytest.mark.parametrize("seed", range(60))
def test_reductions_and_completion(seed):
    rows, _ = random_rows(seed)
    mined = Transactions.from_lists([sorted(row) for row in rows])
    frequent = oracle.frequent(rows, 2)
    collection = frequent_itemsets(mined, 2)
    assert as_dict(keep_closed(collection)) == oracle.closed(frequent)
    assert as_dict(keep_maximal(collection)) == oracle.maximal(frequent)
    assert as_dict(complete(closed_itemsets(mined, 2))) == frequent
    require_subsets(collection)


def test_other_supports_leave_the_look_ups_as_they_are():
    rows, _ = random_rows(3)
    before = frequent_itemsets(Transactions.from_lists([sorted(row) for row in rows]), 2)
    keep_maximal(before)
    other = before.with_supports([support + size for size, support in enumerate(before.supports)])
    again = Itemsets.from_lists(before.n_items, *zip(*other.lists(), strict=True))
    assert as_dict(keep_maximal(other)) == as_dict(keep_maximal(again))
    for level, support in zip(other.levels, other.supports, strict=True):
        assert (other.trie.find(level) == np.arange(support.size)).all()
    assert as_dict(keep_maximal(other)) != as_dict(keep_maximal(before))


def test_by_size_then_by_items():
    collection = small(((2, 0), 3), ((1,), 4), ((), 9), ((0, 1), 2), ((0,), 5))
    assert list(collection.lists()) == [((), 9), ((0,), 5), ((1,), 4), ((0, 1), 2), ((0, 2), 3)]
    offsets, items, supports = collection.flat()
    assert offsets.tolist() == [0, 0, 1, 2, 4, 6]
    assert items.tolist() == [0, 1, 0, 1, 0, 2]
    assert supports.tolist() == [9, 5, 4, 2, 3]


def test_long_itemsets_sort_by_all_their_items():
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permuted(np.tile(np.arange(5000), (300, 1)), axis=1)[:, :12], axis=1)
    rows[:100, :11] = rows[0, :11]
    rows[:100, 11] = 5000 + np.arange(100)
    collection = Itemsets.from_padded(6000, rows, np.arange(300))
    listed = [items for items, _ in collection.lists()]
    assert listed == sorted(listed)


def test_what_is_not_there_is_not_found():
    collection = small(((), 9), ((0,), 5), ((1,), 4), ((0, 1), 2))
    wanted = np.array([[0, 1], [0, 2], [1, 2], [3, 4]], dtype=np.int32)
    assert collection.trie.find(wanted).tolist() == [0, -1, -1, -1]
    assert collection.trie.find(np.array([[0, 1, 2]], dtype=np.int32)).tolist() == [-1]


@pytest.mark.parametrize(
    ("collection", "missing"),
    [
        (small(((0,), 5)), "must hold the empty itemset"),
        (small(((), 9), ((0, 1), 2)), r"none for \[0\]"),
        (small(((), 9), ((0,), 4), ((0, 1), 2)), r"none for \[1\]"),
        (
            small(
                ((), 9), *(((i,), 4) for i in range(3)), ((0, 1), 3), ((0, 2), 3), ((0, 1, 2), 3)
            ),
            r"none for \[1, 2\]",
        ),
    ],
)
def test_a_gap_is_named(collection, missing):
    with pytest.raises(CollectionError, match=missing):
        require_subsets(collection)


def test_a_listed_itemset_keeps_its_support_when_the_collection_is_completed():
    published = small(((), 9), ((0,), 2), ((0, 1), 4))
    assert as_dict(complete(published)) == {
        frozenset(): 9,
        frozenset({0}): 2,
        frozenset({1}): 4,
        frozenset({0, 1}): 4,
    }
