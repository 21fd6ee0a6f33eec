import pytest
from itemset_tables import refused

CALL = "from tanon.pattern_items('published')"


def publish(con, *patterns):
    con.execute("create or replace table published (word varchar, level integer, charity integer)")
    con.executemany("insert into published values (?, ?, 7)", patterns)


def item(position, letter, level):
    return {"position": position, "letter": letter, "level": level}


def test_one_item_per_position(con):
    publish(con, ("ab", 3), ("ba", 3), ("ab", 4))
    assert con.execute(CALL + " order by transaction").fetchall() == [
        (1, [item(1, "a", 3), item(2, "b", 3)]),
        (2, [item(1, "a", 4), item(2, "b", 4)]),
        (3, [item(1, "b", 3), item(2, "a", 3)]),
    ]


def test_withheld_letters_and_rows_without_pattern_are_left_out(con):
    publish(con, (".b.", 3), (None, None), ("...", 3))
    assert con.execute(CALL + " order by transaction").fetchall() == [
        (1, []),
        (2, [item(2, "b", 3)]),
    ]


def channels(con, k):
    return con.execute(
        "from tanon.inference_channels('(from tanon.pattern_items(''published''))', "
        f"transaction := 'transaction', item := 'item', min_support := {k}, k := {k})"
    ).fetchall()


def test_patterns_that_occur_p_times_open_no_channel_below_p(con):
    publish(con, *[("ab", 3)] * 4, *[("aa", 3)] * 4, *[("ba", 3)] * 5)
    assert channels(con, 4) == []
    publish(con, *[("ab", 3)] * 4, *[("aa", 3)] * 3, *[("ba", 3)] * 5)
    assert channels(con, 4) != []


@pytest.mark.parametrize("algorithm", ["kapra", "naive", "shared"])
def test_counts_of_a_release_open_no_channel_below_p(demo_con, algorithm):
    demo_con.execute(
        "create table published as from tanon.publish_series('incomes', series_id := 'name', "
        f"series := 'incomes', k := 12, p := 6, algorithm := '{algorithm}')"
    )
    assert channels(demo_con, 6) == []


def test_a_table_without_patterns_is_refused(con):
    con.execute("create table published (word varchar)")
    assert "tanon.pattern_items: release must be a table, a view or a query in" in refused(
        con, CALL
    )
