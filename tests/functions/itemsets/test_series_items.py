import pytest
from itemset_tables import refused

CALL = "from tanon.series_items('{}', series_id := 'name', series := {}, level := {})"


def words(con, call):
    """The words that the items spell, and the levels they name."""
    found = {}
    for transaction, items in con.execute(call).fetchall():
        assert [item["position"] for item in items] == list(range(1, len(items) + 1))
        found[transaction] = (
            "".join(item["letter"] for item in items),
            {item["level"] for item in items},
        )
    return found


@pytest.mark.parametrize("level", [2, 5, 26])
def test_the_items_spell_the_words_of_sax(demo_con, level):
    sax = dict(
        demo_con.execute(f"select name, tanon.sax(incomes, {level}) from incomes").fetchall()
    )
    found = words(demo_con, CALL.format("incomes", "'incomes'", level))
    assert found == {name: (word, {level}) for name, word in sax.items()}


def test_one_column_for_each_reading(con):
    con.execute("create table wide as select 7 as name, 1 as a, 2 as b, 9.5 as c")
    assert words(con, CALL.format("wide", "['a', 'b', 'c']", 3)) == {7: ("aac", {3})}


def test_counts_of_raw_series_leak_where_a_release_does_not(demo_con):
    raw = CALL.format("incomes", "'incomes'", 3)
    demo_con.execute(f"create table raw as {raw}")
    channels = demo_con.execute(
        "select frequency from tanon.inference_channels('raw', transaction := 'transaction', "
        "item := 'item', "
        "min_support := 20, k := 6)"
    ).fetchall()
    assert min(channels) == (1,)


def test_items_of_different_levels_differ(demo_con):
    three, four = (CALL.format("incomes", "'incomes'", level) for level in (3, 4))
    shared = demo_con.execute(
        f"select count(*) from (select unnest(item) as i from ({three})) "
        f"join (select unnest(item) as i from ({four})) using (i)"
    ).fetchall()
    assert shared == [(0,)]


@pytest.mark.parametrize(
    ("table", "series", "level", "message"),
    [
        ("incomes", "'incomes'", 1, "level must be an integer in [2, 26], got 1"),
        ("incomes", "'name'", 3, "series must be"),
        ("(select name, [1, NULL] as s from incomes)", "'s'", 3, "series must be free of NULL"),
        ("(select 1 as name, [1, 2] as s from incomes)", "'s'", 3, "series_id must be unique"),
    ],
)
def test_wrong_arguments(demo_con, table, series, level, message):
    said = refused(demo_con, CALL.format(table, series, level))
    assert f"tanon.series_items: {message}" in said
