import pytest
from itemset_tables import by_itemset, create_lists

from oracles import itemsets as oracle
from oracles.random_rows import random_rows

CALL = (
    "from tanon.frequent_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "result := 'closed', "
    "min_support := {})"
)


@pytest.mark.parametrize("seed", range(15))
def test_no_superset_has_the_same_support(con, seed):
    rows, _ = random_rows(seed)
    create_lists(con, rows)
    assert by_itemset(con, CALL.format(2)) == oracle.closed(oracle.frequent(rows, 2))


def test_the_empty_itemset_is_not_closed_if_all_have_an_item_in_common(con):
    create_lists(con, [{0, 1}, {0, 2}, {0}])
    assert by_itemset(con, CALL.format(2)) == {frozenset({0}): 3}


def test_with_max_length_what_is_longer_is_not_there(con):
    create_lists(con, [{0, 1, 2}] * 3)
    assert by_itemset(con, CALL.format("2, max_length := 2")) == {
        frozenset({0, 1}): 3,
        frozenset({0, 2}): 3,
        frozenset({1, 2}): 3,
    }
