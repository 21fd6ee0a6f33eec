import re

import duckdb
import pytest
from itemset_tables import by_itemset, create_lists, create_pairs, named, refused

from oracles import itemsets as oracle
from oracles.random_rows import random_rows

CALL = (
    "from tanon.frequent_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "min_support := {})"
)


@pytest.mark.parametrize("seed", range(12))
def test_one_row_per_item(con, seed):
    rows = [row for row in random_rows(seed)[0] if row]
    create_pairs(con, rows, first_tid=10**12)
    expected = {named(x): s for x, s in oracle.frequent(rows, 3).items()}
    assert by_itemset(con, CALL.format(3)) == expected


@pytest.mark.parametrize("seed", range(12))
def test_one_list_per_transaction(con, seed):
    rows, _ = random_rows(seed)
    create_lists(con, rows)
    assert by_itemset(con, CALL.format(3)) == oracle.frequent(rows, 3)


def test_the_types_of_the_items_are_kept(con):
    for values in ("date '2024-01-01'", "1.5::decimal(9,2)", "'x'", "2::utinyint", "true"):
        con.execute(
            f"create or replace table baskets as select range as transaction, {values} as item "
            "from range(5)"
        )
        kind = con.execute("select any_value(typeof(item)) from baskets").fetchall()[0][0]
        types = dict(
            con.execute(
                f"select column_name, column_type from (describe {CALL})".format(2)
            ).fetchall()
        )
        assert types == {"itemset": f"{kind}[]", "support": "BIGINT"}
        assert by_itemset(con, CALL.format(2)).keys() == {
            frozenset(),
            frozenset(con.execute("select any_value(item) from baskets").fetchall()[0]),
        }


def test_structs_in_lists_are_items(con):
    con.execute(
        "create table baskets as select range as transaction, [{'a': 1, 'b': 'x'}] as item from "
        "range(3)"
    )
    found = con.execute(CALL.format(2) + " order by len(itemset)").fetchall()
    assert found == [([], 3), ([{"a": 1, "b": "x"}], 3)]


def test_structs_and_maps_are_items_by_themselves(con):
    for value in ("{'c': 1, 'b': 'x'}", "{'a': [1], 'b': NULL}", "map {'a': 1}"):
        con.execute(
            f"create or replace table baskets as select range as transaction, {value} as item "
            f"from range(3)"
        )
        found = con.execute(CALL.format(2) + " order by len(itemset)").fetchall()
        assert found[0] == ([], 3)
        (wanted,) = con.execute("select any_value(item) from baskets").fetchone()
        assert found[1:] == [([wanted], 3)]


@pytest.mark.parametrize("name", ["tanon_item", "tanon_tid", "tanon_whole", "TANON_Item", "part"])
def test_fields_may_have_any_name(con, name):
    con.execute(
        "create table baskets as "
        f"select range as transaction, {{'{name}': 1, 'b': 2}} as item from range(3)"
    )
    found = con.execute(CALL.format(2) + " order by len(itemset)").fetchall()
    assert found == [([], 3), ([{name: 1, "b": 2}], 3)]


def test_but_one(con):
    con.execute(
        "create table baskets as select range as transaction, {'Tanon_Part': 1} as item from "
        "range(3)"
    )
    wanted = "item must be free of a field called tanon_part, got STRUCT(Tanon_Part INTEGER)"
    assert wanted in refused(con, CALL.format(2))
    con.execute(
        "create or replace table baskets as select 1 as transaction, [{'tanon_part': 1}] as item"
    )
    assert len(con.execute(CALL.format(1)).fetchall()) == 2


def test_of_equal_items_the_least_spelling_is_listed(con):
    for order in ("", "desc"):
        con.execute(
            "create or replace table baskets as select range as transaction, "
            f"if(range = 7, '-0.0', '0.0')::double as item from range(20) order by range {order}"
        )
        found = con.execute(CALL.format(8) + " order by len(itemset)").fetchall()
        assert [str(items) for items, _ in found] == ["[]", "[-0.0]"]


def test_items_are_sorted_as_their_type_sorts(con):
    con.execute(
        "create table baskets as select range as transaction, [10, 9, 100] as item from range(3)"
    )
    found = con.execute(CALL.format(2) + " order by len(itemset) desc limit 1").fetchall()
    assert found == [([9, 10, 100], 3)]


def test_an_item_twice_in_a_transaction_counts_once(con):
    con.execute("create table baskets as select 1 as transaction, 'x' as item from range(7)")
    assert by_itemset(con, CALL.format(1)) == {frozenset(): 1, frozenset({"x"}): 1}
    con.execute("create or replace table baskets as select 1 as transaction, ['x', 'x'] as item")
    assert by_itemset(con, CALL.format(1)) == {frozenset(): 1, frozenset({"x"}): 1}


def test_an_empty_list_is_a_transaction(con):
    create_lists(con, [{1}, set(), set()])
    assert by_itemset(con, CALL.format(1)) == {frozenset(): 3, frozenset({1}): 1}
    create_lists(con, [set(), set()])
    assert con.execute(CALL.format(1)).fetchall() == [([], 2)]


def test_no_rows_and_too_few(con):
    create_lists(con, [])
    assert con.execute(CALL.format(1)).fetchall() == []
    assert con.execute(CALL.format(0.5)).fetchall() == []
    create_lists(con, [{1}])
    assert con.execute(CALL.format(2)).fetchall() == []


def test_a_share_counts_from_the_transactions(con):
    create_lists(con, [{1}] * 7 + [{2}] * 3)
    wanted = {frozenset(): 10, frozenset({1}): 7}
    assert by_itemset(con, CALL.format("0.4")) == wanted
    assert by_itemset(con, CALL.format("0.7")) == wanted
    assert by_itemset(con, CALL.format("4")) == wanted
    assert by_itemset(con, CALL.format("4e-1")) == wanted
    assert by_itemset(con, CALL.format("1.0")) == {frozenset(): 10}
    assert len(by_itemset(con, CALL.format("1"))) == 3


def test_max_length(con):
    create_lists(con, [{0, 1, 2}] * 3)
    call = CALL.format("2, max_length := {}")
    assert len(by_itemset(con, call.format(0))) == 1
    assert len(by_itemset(con, call.format(1))) == 4
    assert len(by_itemset(con, call.format(2))) == 7
    assert len(by_itemset(con, call.format(9))) == 8


def test_many_transactions(con):
    con.execute(
        "create table baskets as select range % 30000 as transaction, (range * range) % 37 as item "
        "from range(200000)"
    )
    found = by_itemset(con, CALL.format("0.05"))
    for itemset in list(found)[:: max(1, len(found) // 20)]:
        wanted = ", ".join(map(str, itemset)) or "-1"
        counted = con.execute(
            f"select count(*) from (select transaction from (select distinct transaction, item "
            f"from baskets) "
            f"group by transaction having count(*) filter (item in ({wanted})) = {len(itemset)})"
        ).fetchall()
        assert counted == [(found[itemset],)]
    assert len(found) > 30


@pytest.mark.parametrize(
    ("min_support", "message"),
    [
        *(
            (
                wrong,
                "min_support must be a count of at least 1, or a share in (0, 1] with a decimal "
                f"point, got {wrong}",
            )
            for wrong in ("0", "-0.1", "0.0", "1.5", "-3", "NULL", "'many'", "true")
        ),
        ("2, max_length := -1", "max_length must be an integer >= 0, got -1"),
    ],
)
def test_wrong_arguments(con, min_support, message):
    create_lists(con, [{1}])
    assert f"tanon.frequent_itemsets: {message}" in refused(con, CALL.format(min_support))


def test_null_is_no_item_and_no_transaction(con):
    con.execute(
        "create table baskets as select * from (values (1, 'a'), (2, NULL)) t(transaction, item)"
    )
    assert "tanon.frequent_itemsets: item must be free of NULL, got 1 rows" in refused(
        con, CALL.format(1)
    )
    con.execute("create or replace table baskets as select NULL::int as transaction, 'a' as item")
    assert "transaction must be free of NULL, got 1 rows" in refused(con, CALL.format(1))
    con.execute(
        "create or replace table baskets as select 1 as transaction, ['a', NULL, NULL] as item"
    )
    assert "item must be free of NULL, got 2 NULL in lists" in refused(con, CALL.format(1))


def test_far_too_many_itemsets_are_refused_before_they_are_found(con):
    con.execute(
        "create table baskets as select i as transaction, "
        "[j for j in range(40) if hash(i * 41 + j) % 10 < 7] as item from range(3000) t(i)"
    )
    for kind in ("frequent", "closed", "maximal"):
        call = CALL.format(8).removesuffix(")") + f", result := '{kind}')"
        assert re.search(r"at most 30,000,000 itemsets, got about \de\+\d\d", refused(con, call))


def test_too_many_itemsets_are_refused_with_what_to_do(con, monkeypatch):
    from tanon_duck.algorithms.itemsets import mining

    monkeypatch.setattr(mining, "MOST_ITEMSETS", 5)
    create_lists(con, [{0, 1, 2, 3}] * 2)
    with pytest.raises(duckdb.Error, match=r"min_support must be high enough .* at most 5"):
        con.execute(CALL.format(1)).fetchall()
