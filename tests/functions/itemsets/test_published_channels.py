import pytest
from itemset_tables import by_channel, create_lists, refused

from oracles.random_rows import random_rows

MINED = (
    "tanon.frequent_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "min_support := 4, "
    "result := '{}')"
)
FROM_ROWS = (
    "from tanon.inference_channels('baskets', transaction := 'transaction', item := 'item', "
    "min_support := 4, "
    "k := 4)"
)


def publish(con, kind):
    con.execute(f"create or replace table published as from {MINED.format(kind)}")


@pytest.mark.parametrize("seed", range(12))
def test_a_recipient_finds_what_the_owner_finds(con, seed):
    create_lists(con, random_rows(seed)[0])
    wanted = by_channel(con, FROM_ROWS)
    publish(con, "frequent")
    assert by_channel(con, "from tanon.published_channels('published', k := 4)") == wanted
    publish(con, "closed")
    assert (
        by_channel(con, "from tanon.published_channels('published', k := 4, closed := true)")
        == wanted
    )


def test_other_names_and_types(con):
    con.execute(
        "create table c as select * from (values ([]::date[], 9), "
        "([date '2024-01-01'], 8)) t(days, n)"
    )
    call = "from tanon.published_channels('c', k := 2, itemset := 'days', support := 'n')"
    described = con.execute(f"describe {call}").fetchall()
    assert [kind for _, kind, *_ in described] == ["DATE[]", "DATE[]", "BIGINT"]
    assert con.execute(f"select base, top::varchar, frequency {call}").fetchall() == [
        ([], "[2024-01-01]", 1)
    ]


def test_an_empty_collection_opens_nothing(con):
    con.execute("create table c (itemset varchar[], support bigint)")
    assert con.execute("from tanon.published_channels('c', k := 2)").fetchall() == []


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ("(['a'], 5)", "", "release must hold the empty itemset, whose support is the number"),
        ("([], 9), (['a', 'b'], 5)", "", "got none for ['a']"),
        ("([], 9), (['a'], 5), (['a', 'b'], 5)", "", "got none for ['b']"),
        ("(['a'], 5), (['b'], 5)", ", closed := true", "or the items that every transaction has"),
        ("([], 9), ([], 9)", "", "release must hold each itemset once, got one twice"),
        ("([], 9), (['b'], 5), (['b'], 5)", "", "release must hold each itemset once"),
        ("([], 9), (['b', 'b'], 5)", "", "itemset must name no item twice"),
        ("([], 9), (['b'], -5)", "", "support must be at least 0, got -5"),
        ("([], 9), (['b', NULL], 5)", "", "itemset must be free of NULL, got 1 NULL in lists"),
        ("([], 9), (NULL, 5)", "", "itemset must be free of NULL, got 1 rows"),
        ("([], 9), (['b'], NULL)", "", "support must be free of NULL, got 1 rows"),
    ],
)
def test_collections_that_cannot_be_read(con, rows, options, message):
    con.execute("create table c (itemset varchar[], support bigint)")
    con.execute(f"insert into c values {rows}")
    said = refused(con, f"from tanon.published_channels('c', k := 2{options})")
    assert "tanon.published_channels: " in said
    assert message in said
