import pytest
from itemset_tables import by_itemset, create_lists

from oracles import itemsets as oracle
from oracles.random_rows import random_rows

CALL = (
    "from tanon.frequent_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "result := 'maximal', "
    "min_support := {})"
)


@pytest.mark.parametrize("seed", range(15))
def test_no_superset_is_frequent(con, seed):
    rows, _ = random_rows(seed)
    create_lists(con, rows)
    assert by_itemset(con, CALL.format(2)) == oracle.maximal(oracle.frequent(rows, 2))


def test_with_max_length_what_is_longer_is_not_there(con):
    create_lists(con, [{0, 1, 2}] * 3)
    found = by_itemset(con, CALL.format("2, max_length := 1"))
    assert found == {frozenset({0}): 3, frozenset({1}): 3, frozenset({2}): 3}
