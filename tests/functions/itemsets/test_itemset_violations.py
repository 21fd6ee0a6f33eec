from itemset_tables import by_channel, refused

CALL = "from tanon.itemset_violations('published', k := 2{})"


def publish(con, supports):
    con.execute("create or replace table published (itemset varchar[], support bigint)")
    con.executemany("insert into published values (?, ?)", [(list(x), s) for x, s in supports])


PRINTED = [("", 10), ("a", 7), ("b", 7), ("c", 7), ("ab", 4), ("ac", 4), ("bcd", 2)]


def test_the_channel_that_the_printed_algorithm_leaves(con):
    publish(con, [("", 13), *PRINTED[1:]])
    found = by_channel(con, CALL.format(", closed := true"))
    assert found
    assert all(frequency < 2 for frequency in found.values())


def test_supports_that_no_transactions_can_have(con):
    publish(con, PRINTED)
    found = by_channel(con, CALL.format(", closed := true"))
    assert min(found.values()) < 0
    publish(con, [("", 10), ("b", 7), ("c", 7), ("bc", 2)])
    assert by_channel(con, CALL.format("")) == {(frozenset(), frozenset("bc")): -2}


def test_the_repaired_supports_pass(con):
    publish(con, [("", 10), ("b", 7), ("c", 7), ("bc", 4)])
    assert con.execute(CALL.format("")).fetchall() == []


def test_an_itemset_of_too_few_transactions_gives_itself_away(con):
    publish(con, [("", 10), ("b", 1)])
    assert by_channel(con, CALL.format("")) == {(frozenset("b"), frozenset("b")): 1}


def test_closed_itemsets_are_not_taken_for_all(con):
    publish(con, PRINTED)
    assert "tanon.itemset_violations: release must hold every subset" in refused(
        con, CALL.format("")
    )
