import pytest
from itemset_tables import create_lists, refused

from oracles import itemsets as oracle
from oracles.random_rows import random_rows


def publish(con, rows):
    create_lists(con, rows)
    con.execute(
        "create or replace table published as from tanon.frequent_itemsets("
        "'baskets', transaction := 'transaction', item := 'item', min_support := 3)"
    )


def rules(con, options=""):
    found = con.execute(f"from tanon.association_rules('published'{options})").fetchall()
    return {(frozenset(a), frozenset(c)): tuple(measures) for a, c, *measures in found}


@pytest.mark.parametrize("seed", range(10))
def test_every_rule_that_reaches_the_confidence(con, seed):
    rows, _ = random_rows(seed)
    publish(con, rows)
    frequent = oracle.frequent(rows, 3)
    expected = oracle.rules(frequent, 0.5) if frequent else {}
    found = rules(con)
    assert found.keys() == expected.keys()
    assert all(found[rule] == pytest.approx(expected[rule]) for rule in expected)


def test_thresholds(con):
    publish(con, [{0, 1, 2}] * 5 + [{0}] * 3 + [{2}] * 2)
    everything = rules(con, ", min_confidence := 0.0")
    assert len(everything) == 12
    assert rules(con, ", min_confidence := 0.0, max_consequent := 1").keys() == {
        rule for rule in everything if len(rule[1]) == 1
    }
    assert rules(con, ", min_confidence := 0.0, min_lift := 1.3").keys() == {
        rule for rule, (_, _, lift) in everything.items() if lift >= 1.3
    }


@pytest.mark.filterwarnings("ignore:tanon.publish_itemsets")
def test_rules_of_a_sanitized_collection(con):
    rows, _ = random_rows(13)
    create_lists(con, rows)
    con.execute(
        "create table published as from tanon.publish_itemsets('baskets', transaction := "
        "'transaction', "
        "item := 'item', min_support := 8, k := 2)"
    )
    supports = {
        frozenset(itemset): support
        for itemset, support in con.execute("select itemset, support from published").fetchall()
    }
    found = rules(con, ", min_confidence := 0.6")
    expected = oracle.rules(supports, 0.6)
    assert expected
    assert found.keys() == expected.keys()
    assert all(found[rule] == pytest.approx(expected[rule]) for rule in expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (", min_confidence := 1.5", "min_confidence must be a number in [0, 1], got 1.5"),
        (", min_lift := -1", "min_lift must be a number >= 0, got -1"),
        (", max_consequent := 0", "max_consequent must be an integer > 0, got 0"),
    ],
)
def test_wrong_arguments(con, options, message):
    publish(con, [{0}] * 5)
    said = refused(con, f"from tanon.association_rules('published'{options})")
    assert f"tanon.association_rules: {message}" in said


def test_a_collection_with_gaps_is_refused(con):
    publish(con, [{0, 1}] * 5)
    con.execute("delete from published where itemset = [0]")
    assert "release must hold every subset" in refused(
        con, "from tanon.association_rules('published')"
    )
