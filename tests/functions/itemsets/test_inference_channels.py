import pytest
from itemset_tables import by_channel, create_lists, create_pairs, named, refused

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import sanitize

CALL = (
    "from tanon.inference_channels('baskets', transaction := 'transaction', item := 'item', "
    "min_support := {}, "
    "k := {})"
)
EXAMPLE = [{0, 1}, *[{0, 1, 2, 3, 4}] * 7, {0, 4}, {2, 3, 4}, {2, 3, 4}, {3, 4}]


def test_the_five_channels_of_the_running_example(con):
    create_pairs(con, EXAMPLE)
    assert by_channel(con, CALL.format(8, 3)) == {
        (named([]), named([2, 3, 4])): 1,
        (named([0]), named([0, 1])): 1,
        (named([0]), named([0, 4])): 1,
        (named([4]), named([2, 3, 4])): 1,
        (named([3, 4]), named([2, 3, 4])): 1,
    }


@pytest.mark.parametrize("cost", [0, 10**9], ids=["by rows", "by supports"])
@pytest.mark.parametrize("seed", range(12))
def test_all_maximal_channels(con, monkeypatch, seed, cost):
    monkeypatch.setattr(sanitize, "SUBSET_TO_ROW", cost)
    rows, _ = random_rows(seed)
    create_lists(con, rows)
    channels = oracle.all_channels(oracle.frequent(rows, 4), 4)
    assert by_channel(con, CALL.format(4, 4)) == oracle.maximal_channels(channels)


def test_the_transactions_behind_a_channel_are_there(con):
    create_lists(con, EXAMPLE)
    for base, top, frequency in con.execute(CALL.format(8, 3)).fetchall():
        behind = con.execute(
            "select count(*) from baskets where list_sort(list_intersect(item, $1)) = $2",
            [top, base],
        ).fetchall()
        assert behind == [(frequency,)]


def test_max_length_looks_at_shorter_itemsets_only(con):
    create_lists(con, EXAMPLE)
    channels = oracle.all_channels(oracle.frequent(EXAMPLE, 8, max_length=2), 3)
    found = by_channel(con, CALL.format("8, max_length := 2", 3))
    assert found == oracle.maximal_channels(channels)


@pytest.mark.parametrize(
    ("min_support", "k", "message"),
    [
        ("5", "1", "k must be an integer > 1, got 1"),
        (
            "3",
            "5",
            "min_support must be at least k, because the result would otherwise contain itemsets "
            "of fewer than k transactions, got 3",
        ),
        (
            "0.1",
            "5",
            "min_support must be at least k = 5 transactions, because an itemset of fewer "
            "would itself be published, got 2",
        ),
    ],
)
def test_wrong_thresholds(con, min_support, k, message):
    create_lists(con, EXAMPLE)
    assert f"tanon.inference_channels: {message}" in refused(con, CALL.format(min_support, k))


def test_no_rows(con):
    create_lists(con, [])
    assert con.execute(CALL.format(5, 5)).fetchall() == []
    assert con.execute(CALL.format(0.5, 5)).fetchall() == []
