"""tanon.itemset_warnings against patterns counted over every subset."""

import random

import duckdb
import pytest

from oracles import warned

pytestmark = pytest.mark.filterwarnings("ignore:tanon.publish_itemsets")


def published(con, rows, least, k, method="additive", padding="drawn"):
    """Sanitized itemsets as two dictionaries: supports as published, and true ones."""
    con.execute("create or replace table baskets (transaction integer, item integer[])")
    con.executemany("insert into baskets values (?, ?)", list(enumerate(map(list, rows))))
    con.execute(
        "create or replace table p as from tanon.publish_itemsets('baskets', transaction := "
        "'transaction', "
        f"item := 'item', min_support := {least}, k := {k}, method := '{method}', "
        f"padding := '{padding}', for_owner := true)"
    )
    found = con.execute("from p").fetchall()
    return (
        {frozenset(x): n for x, n, _ in found},
        {frozenset(x): n for x, _, n in found},
    )


def told(con, k, more=""):
    rows = con.execute(
        f"select warning, patterns from tanon.itemset_warnings('p', k := {k}{more})"
    ).fetchall()
    return dict(rows)


@pytest.mark.parametrize("added", ["drawn", "k"])
@pytest.mark.parametrize("seed", range(8))
def test_as_counted_over_every_subset(con, seed, added):
    draw = random.Random(seed)
    k = draw.choice([2, 3, 5])
    rows = [{i for i in range(5) if draw.random() < 0.55} for _ in range(70)]
    method = ["additive", "real_rows"][seed % 2]
    supports, original = published(con, rows, 2 * k + 2, k, method, added)
    given = f", padding := '{added}'"
    assert told(con, k, given) == warned.itemsets(supports, None, k, added)
    found = told(con, k, given + ", original := 'original_support'")
    assert found == warned.itemsets(supports, original, k, added)
    assert "channel" not in found


def test_with_k_added_each_time_every_count_is_told(con):
    rows = [{0, 1}] * 20 + [{0}] * 2 + [{2, 3}] * 20 + [{2}] * 3
    published(con, rows, 15, 5, padding="k")
    found = told(con, 5, ", padding := 'k', original := 'original_support'")
    assert found["told count"] == found["same difference"] > 0
    assert found["added"] == found["much changed"] == 10


def test_what_was_never_sanitized_has_channels(con):
    published(con, [{0, 1}] * 20 + [{0}] * 2, 15, 2)
    con.execute("update p set support = 22 where itemset = []")
    con.execute("update p set support = 22 where itemset = [0]")
    con.execute("update p set support = 20 where itemset in ([1], [0, 1])")
    assert told(con, 5)["channel"] > 0
    con.execute("update p set support = 30 where itemset = [0, 1]")
    assert told(con, 5)["impossible"] > 0


def test_nothing_is_said_of_itemsets_without_small_patterns(con):
    supports, original = published(con, [{0, 1}] * 30 + [{0}] * 30 + [{1}] * 30, 20, 5)
    assert told(con, 5, ", original := 'original_support'") == {}
    assert supports == original


def test_closed_itemsets_have_no_true_supports_beside_them(con):
    published(con, [{0, 1}] * 30 + [{0}] * 30, 20, 5)
    assert told(con, 5, ", closed := true") == {}
    with pytest.raises(duckdb.Error, match="original must be omitted if only closed"):
        told(con, 5, ", closed := true, original := 'original_support'")


def test_supports_that_are_no_numbers_are_refused_and_large_types_told_as_bigint(con):
    texts = "(select [''a''] as itemset, ''5'' as support union all select [], ''9'')"
    message = "tanon.itemset_warnings: support must be an integer column of release"
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from tanon.itemset_warnings('{texts}', k := 2)").fetchall()
    for type in ("hugeint", "uhugeint", "ubigint", "utinyint"):
        rows = f"(select [''a''] as itemset, 5::{type} as support union all select [], 9::{type})"
        columns = con.execute(f"describe from tanon.itemset_warnings('{rows}', k := 2)").fetchall()
        assert [column[:2] for column in columns][1] == ("patterns", "BIGINT")
