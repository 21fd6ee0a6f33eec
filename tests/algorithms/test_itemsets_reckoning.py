"""How many itemsets are reckoned from dives, beside all of them counted."""

import numpy as np
import pytest

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import reckoning
from tanon_duck.algorithms.itemsets.transactions import Transactions, rank_frequent


def ranked(rows, min_count):
    return rank_frequent(Transactions.from_lists([sorted(row) for row in rows]), min_count)


@pytest.mark.parametrize("max_length", [2, 99])
@pytest.mark.parametrize("seed", range(20))
def test_the_mean_of_many_dives_is_the_number_of_itemsets(seed, max_length):
    rows = [row for row in random_rows(seed)[0] if row] or [{0}] * 3
    frequent = ranked(rows, 2)
    random = np.random.default_rng(seed)
    dives = [reckoning._dive(frequent, 2, max_length, random) for _ in range(1500)]
    assert np.mean(dives) == pytest.approx(len(oracle.frequent(rows, 2, max_length)), rel=0.1)


def test_nothing_is_said_of_tables_that_may_be_within_the_limit():
    rows = ranked([set(range(10))] * 5, 2)
    assert reckoning.surely_more(rows, 2, 99, 1024 // 4) is None
    assert reckoning.surely_more(rows, 2, 99, 1024 // 4 - 1) == pytest.approx(1024)


def test_one_long_row_is_enough_where_every_row_counts():
    rows = ranked([set(range(40)), *[{40 + i} for i in range(5000)]], 1)
    assert reckoning.surely_more(rows, 1, 99, 10**6) == 2.0**40
    assert reckoning.surely_more(rows, 1, 5, 10**6) is None
