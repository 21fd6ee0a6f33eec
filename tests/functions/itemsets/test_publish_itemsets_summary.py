"""The summary of tanon.publish_itemsets."""

import pytest
from itemset_tables import create_lists, refused

pytestmark = pytest.mark.filterwarnings("ignore:tanon.publish_itemsets")
CALL = (
    "from tanon.publish_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "min_support := {}, "
    "k := {}, method := '{}', result := 'summary')"
)
EXAMPLE = [{0, 1}, *[{0, 1, 2, 3, 4}] * 7, {0, 4}, {2, 3, 4}, {2, 3, 4}, {3, 4}]
N_FREQUENT = 13


def summary(con, rows, *arguments):
    create_lists(con, rows)
    result = con.execute(CALL.format(*arguments))
    columns = [name for name, *_ in result.description]
    (row,) = result.fetchall()
    return dict(zip(columns, row, strict=True))


def test_the_running_example(con):
    found = summary(con, EXAMPLE, 8, 3, "additive', padding := 'k")
    touched = {(): 9 / 12, (0,): 3 / 9, (3,): 3 / 10, (4,): 6 / 11, (3, 4): 3 / 10}
    assert found == {
        "transactions": 12,
        "rows_added": 9,
        "rows_removed": 0,
        "itemsets": N_FREQUENT - 1,
        "share_touched": pytest.approx(len(touched) / (N_FREQUENT - 1)),
        "mean_change": pytest.approx(sum(touched.values()) / (N_FREQUENT - 1)),
        "worst_change": pytest.approx(0.75),
        "itemsets_lost": 0,
        "itemsets_spurious": 0,
        "warning": "9 transactions were added to 12, more than a tenth, so the supports say "
        "little: raise min_support, lower k, or publish only what at least k transactions repeat",
    }


def test_suppression_loses_rows_and_itemsets(con):
    found = summary(con, EXAMPLE, 8, 3, "suppressive")
    assert found["rows_removed"] > 0 == found["rows_added"]
    assert found["itemsets_lost"] == N_FREQUENT - 1 - found["itemsets"]
    assert found["itemsets_spurious"] == 0
    assert "left out of 12" in found["warning"]


def test_nothing_to_do(con):
    found = summary(con, [{0, 1}] * 20 + [{2}] * 20, 5, 5, "additive")
    assert (found["rows_added"], found["share_touched"], found["warning"]) == (0, 0.0, None)


@pytest.mark.parametrize("method", ["additive", "real_rows", "suppressive", "paper"])
@pytest.mark.parametrize(("rows", "least"), [([], 5), ([{1}] * 6, 9), ([set()] * 3, 9)])
def test_nothing_to_publish(con, rows, least, method):
    found = summary(con, rows, least, 5, method)
    of_none = dict.fromkeys(["share_touched", "mean_change", "worst_change", "warning"])
    assert found == dict.fromkeys(found, 0) | {"transactions": len(rows)} | of_none


def test_it_is_the_summary_of_the_release(con):
    found = summary(con, EXAMPLE, 8, 3, "additive")
    (published,) = con.execute(
        "select support from tanon.publish_itemsets('baskets', transaction := 'transaction', "
        "item := 'item', "
        "min_support := 8, k := 3) where itemset = []"
    ).fetchone()
    assert published == found["transactions"] + found["rows_added"]


def test_wrong_arguments(con):
    create_lists(con, EXAMPLE)
    assert "tanon.publish_itemsets: k must be an integer > 1, got 0" in refused(
        con, CALL.format(5, 0, "additive")
    )
