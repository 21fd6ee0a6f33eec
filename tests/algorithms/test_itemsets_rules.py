"""Association rules against every split of every itemset."""

import pytest

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets.mining import frequent_itemsets
from tanon_duck.algorithms.itemsets.rules import association_rules
from tanon_duck.algorithms.itemsets.sanitize import sanitize
from tanon_duck.algorithms.itemsets.transactions import Transactions


def as_dict(rules):
    columns = (rules.antecedent, rules.consequent, rules.support, rules.confidence, rules.lift)
    return {
        (frozenset(a[a >= 0].tolist()), frozenset(c[c >= 0].tolist())): (s, p, x)
        for a, c, s, p, x in zip(*columns, strict=True)
    }


@pytest.mark.parametrize("seed", range(60))
def test_every_rule_with_its_measures(seed):
    rows, _ = random_rows(seed)
    collection = frequent_itemsets(Transactions.from_lists([sorted(r) for r in rows]), 2)
    frequent = oracle.frequent(rows, 2)
    for min_confidence in (0.0, 0.5, 0.9):
        found = association_rules(collection, min_confidence, 0.0, 99)
        expected = oracle.rules(frequent, min_confidence) if frequent else {}
        assert len(found.support) == len(expected)
        mined = as_dict(found)
        assert mined.keys() == expected.keys()
        for rule, measures in expected.items():
            assert mined[rule] == pytest.approx(measures)
        lifted = as_dict(association_rules(collection, min_confidence, 1.1, 1))
        assert lifted.keys() == {
            rule for rule in expected if expected[rule][2] >= 1.1 and len(rule[1]) == 1
        }


def test_rules_of_a_sanitized_collection_follow_its_supports():
    rows, _ = random_rows(13)
    published = sanitize(Transactions.from_lists([sorted(r) for r in rows]), 8, 3).published
    supports = {frozenset(items): support for items, support in published.lists()}
    mined = as_dict(association_rules(published, 0.6, 0.0, 99))
    expected = oracle.rules(supports, 0.6)
    assert mined.keys() == expected.keys()
    assert expected
    for rule, measures in expected.items():
        assert mined[rule] == pytest.approx(measures)
