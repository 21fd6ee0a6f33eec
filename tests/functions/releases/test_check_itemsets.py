"""What is found in a collection of itemsets, against its definition, and against spoilt ones."""

import duckdb
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from itemset_tables import create_pairs, refused

from oracles import itemsets as oracle
from tanon_duck import connect

CALL = "from tanon.check_itemsets('published', k := {}{})"
TRANSACTIONS = st.lists(st.frozensets(st.integers(0, 3), min_size=1), min_size=1, max_size=12)
# Two of neither, two of each alone, five of both: below k = 3 there are three patterns.
FINE = [("", 11), ("b", 7), ("c", 7), ("bc", 5)]


def publish(con, supports, more=""):
    con.execute(f"create or replace table published (itemset varchar[], support bigint{more})")
    for items, support in supports:
        con.execute(
            "insert into published by name select $1 as itemset, $2 as support",
            [sorted(map(str, items)), support],
        )


def found(con, k, more=""):
    """What is found for each property, and whether all of it holds."""
    rows = con.execute(CALL.format(k, more)).fetchall()
    assert all(isinstance(holds, bool) for *_, holds in rows)
    assert [promise for _, promise, _, _ in rows] == ["a role for each", f"at least {k}", "none"]
    return {property: (figure, holds) for property, _, figure, holds in rows}


def told(columns=("one for each", True), fewest=None, patterns=("none", True)):
    return {
        "columns": columns,
        "transactions of an itemset": fewest,
        "patterns of fewer transactions": patterns,
    }


@examples(25)
@given(rows=TRANSACTIONS, k=st.integers(2, 4), least=st.integers(1, 3))
def test_what_is_found_is_what_the_supports_give_away(rows, k, least):
    supports = oracle.frequent(rows, least) | {frozenset(): len(rows)}
    fewest = min(supports.values())
    with connect() as con:
        publish(con, supports.items())
        by_property = found(con, k)
        listed = f"select count(*) from tanon.itemset_violations('published', k := {k})"
        ((violations,),) = con.execute(listed).fetchall()
    assert by_property["columns"] == ("one for each", True)
    assert by_property["transactions of an itemset"] == (str(fewest), fewest >= k)
    # A reader who has all supports finds a channel, or an itemset that is one by itself.
    is_told = bool(oracle.all_channels(supports, k)) or fewest < k
    figure, holds = by_property["patterns of fewer transactions"]
    assert holds == (not is_told)
    assert figure == (str(violations) if is_told else "none")


@examples(10)
@given(rows=TRANSACTIONS)
def test_closed_itemsets_are_read_as_all(rows):
    every = oracle.frequent(rows, 2) | {frozenset(): len(rows)}
    with connect() as con:
        publish(con, every.items())
        plain = found(con, 2)
        publish(con, oracle.closed(every).items())
        assert found(con, 2, ", closed := true") == plain


def test_what_sanitize_itemsets_gives_holds(con):
    rows = [{0, 1}] * 8 + [{0}] * 7 + [{1, 2}] * 6 + [{2}] * 6 + [{0, 1, 2}] * 2
    create_pairs(con, rows)
    made = (
        "create or replace table published as from tanon.{}('baskets', 'transaction', 'item', 5{})"
    )
    con.execute(made.format("publish_itemsets", ", k := 5"))
    assert all(holds for _, holds in found(con, 5).values())
    con.execute(made.format("frequent_itemsets", ""))
    assert not found(con, 9)["patterns of fewer transactions"][1]


def test_each_property_fails_by_itself(con):
    publish(con, FINE)
    assert found(con, 2) == told(fewest=("5", True))
    assert found(con, 3) == told(fewest=("5", True), patterns=("3", False))
    publish(con, FINE, ", note varchar, patient integer")
    assert found(con, 2) == told(columns=("none for note, patient", False), fewest=("5", True))
    publish(con, [("", 10), ("b", 1)])
    assert found(con, 2) == told(fewest=("1", False), patterns=("1", False))


def test_supports_that_no_transactions_can_have(con):
    publish(con, [("", 10), ("b", 7), ("c", 7), ("bc", 2)])
    assert found(con, 2) == told(fewest=("2", True), patterns=("1", False))


def test_other_names_of_the_columns(con):
    publish(con, FINE)
    con.execute('create view named as select itemset as "It ems", support as n from published')
    call = "from tanon.check_itemsets('named', 2, itemset := 'it EMS', support := 'N')"
    assert [holds for *_, holds in con.execute(call).fetchall()] == [True] * 3


@pytest.mark.parametrize(
    ("supports", "more", "message"),
    [
        (FINE[1:], "", "must hold the empty itemset"),
        ([FINE[0], FINE[3]], "", "must hold every subset"),
        ([*FINE, (" b", None)], "", "support must be free of NULL, got 1 rows"),
        (FINE, ", support := 'suport'", "got 'suport'; did you mean support?"),
        (FINE, ", itemset := 'support'", "itemset must be a list column of release"),
        (FINE, ", support := 'itemset'", "support must be an integer column of release"),
        ([*FINE, ("b", 7)], "", "release must hold each itemset once, got one twice"),
    ],
)
def test_what_is_no_collection_is_refused(con, supports, more, message):
    publish(con, supports)
    said = refused(con, CALL.format(2, more))
    assert "tanon.check_itemsets: " in said
    assert message in said


@pytest.mark.parametrize("k", ["1", "0", "2.5", "null", "'many'"])
def test_k_must_be_an_integer_above_one(con, k):
    publish(con, FINE)
    with pytest.raises(duckdb.Error, match=r"tanon\.check_itemsets: k must be an integer > 1, got"):
        con.execute(CALL.format(k, ""))


def test_a_collection_without_rows_gives_nothing_away(con):
    publish(con, [])
    assert found(con, 2) == told(fewest=("no rows", True))
