"""Itemsets of transactions in shards: those of one machine, and all that follows from them."""

import random
import warnings

import duckdb
import pytest
from scaling.sharded import (
    BASKETS,
    CLOSED,
    ITEMSET_CALLS,
    ITEMSET_NAMES,
    MAXIMAL,
    baskets,
    difference,
    on_one_machine,
)

from tanon_duck import scaling
from tanon_duck.algorithms.itemsets import mining
from tanon_duck.errors import TanonError, one_line

KINDS = ("frequent", "closed", "maximal")
CHANNELS = {"min_support": 9, "k": 6}


@pytest.fixture
def held(con):
    con.register("arriving", baskets(1))
    con.execute("create table baskets as from arriving")
    return con


def same(con, function, arguments, source="baskets", **options):
    """Both ways, compared; the rows."""
    arguments = BASKETS | arguments
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = on_one_machine(con, function, arguments, source)
        runner = scaling.buckets(con, **{"partitions": 5, **options})
        found = getattr(runner, function)(source, **arguments)
    assert found.schema.equals(wanted.schema)
    assert difference(con, function, found, wanted) == []
    return found


@pytest.mark.parametrize("call", ITEMSET_CALLS, ids=ITEMSET_NAMES)
@pytest.mark.parametrize("partitions", [1, 7])
def test_shards_give_the_rows_of_one_machine(held, call, partitions):
    function, arguments = call
    found = same(held, function, arguments, partitions=partitions)
    assert (found.num_rows > 0) == (arguments["min_support"] != 1000)


def test_processes_give_them_too(held):
    same(held, "frequent_itemsets", CLOSED | {"min_support": 4}, processes=2, partitions=3)


@pytest.mark.parametrize("seed", range(12))
def test_random_baskets_in_random_shards(con, seed):
    draw = random.Random(seed)
    people = draw.choice([0, 1, 3, 40, 150])
    con.register("arriving", baskets(seed, people, lists=seed % 2 == 0))
    con.execute("create table baskets as from arriving")
    for kind in KINDS:
        arguments = {"min_support": draw.choice([1, 2, people // 8 + 2, 0.3]), "result": kind}
        if draw.random() < 0.3 or arguments["min_support"] == 1:
            arguments["max_length"] = draw.randint(0, 4)
        same(con, "frequent_itemsets", arguments, partitions=draw.choice([1, 2, 7, 20]))
    same(con, "inference_channels", {"min_support": 12, "k": 4}, partitions=draw.choice([1, 6]))


ITEMS = {
    "struct": "{'code': length(article), 'what': nullif(article, 'A')}",
    "zeros": 'if(hash(article, "bought by") % 2 = 0, -1, 1) * (length(article) % 4)::double',
    "collated": "article collate nocase",
    "nan": "if(length(article) = 1, 'nan'::double, length(article))",
    "nested": "[[article, 'b']]",
    "times": "timestamptz '2024-01-01' + interval 1 hour * length(article)",
    "enum": "if(length(article) = 1, 'low', 'high')::enum('low', 'high')",
}


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("function", ["frequent_itemsets", "publish_itemsets"])
def test_items_of_any_type(held, items, function):
    held.execute(f"create table odd as select * replace ({ITEMS[items]} as article) from baskets")
    arguments = {"min_support": 6} | ({"k": 3} if function == "publish_itemsets" else CLOSED)
    assert same(held, function, arguments, source="odd").num_rows > 0


def test_transactions_that_a_collation_holds_for_equal(held):
    held.execute(
        'create table named ("bought by" varchar collate nocase, article varchar);'
        'insert into named select chr((65 + "bought by" % 20 + 32 * ("bought by" % 2))::int), '
        "article from baskets"
    )
    same(held, "frequent_itemsets", CLOSED | {"min_support": 4}, source="named")


WRONG = {
    "null in a list": 'select "bought by", [article, null] as article from baskets',
    "null": "select \"bought by\", nullif(article, 'A') as article from baskets",
    "no transaction": 'select nullif("bought by", 3) as "bought by", article from baskets',
    "a field of ours": "select \"bought by\", {'tanon_part': article} as article from baskets",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_rows_are_refused_in_the_same_words(held, wrong):
    held.execute(f"create view wrong as {WRONG[wrong]}")
    arguments = BASKETS | {"min_support": 3}
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(held, "frequent_itemsets", arguments, "wrong")
    with pytest.raises(TanonError) as raised:
        scaling.buckets(held, partitions=3).frequent_itemsets("wrong", **arguments)
    assert str(raised.value).startswith(one_line(alone.value).partition(", got")[0])


@pytest.mark.parametrize("function", ["inference_channels", "publish_itemsets"])
def test_a_share_below_k_is_refused_in_the_same_words(held, function):
    arguments = BASKETS | {"min_support": 0.02, "k": 5}
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(held, function, arguments, "baskets")
    with pytest.raises(TanonError) as raised:
        getattr(scaling.buckets(held, partitions=3), function)("baskets", **arguments)
    assert str(raised.value) == one_line(alone.value)


@pytest.mark.parametrize("method", ["real_rows", "suppressive", "paper"])
def test_methods_that_look_at_transactions_are_refused(held, method):
    with pytest.raises(TanonError, match="method must be left out on shards"):
        scaling.buckets(held).publish_itemsets(
            "baskets", min_support=9, k=5, method=method, **BASKETS
        )


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_itemsets_as_on_one_machine_are_too_many(held, monkeypatch, kind):
    monkeypatch.setattr(mining, "MOST_ITEMSETS", 30)
    arguments = BASKETS | {"min_support": 2, "result": kind}
    with pytest.raises(duckdb.Error, match="at most") as alone:
        on_one_machine(held, "frequent_itemsets", arguments, "baskets")
    with pytest.raises(TanonError) as raised:
        scaling.buckets(held, partitions=3).frequent_itemsets("baskets", **arguments)
    assert str(raised.value).startswith(one_line(alone.value))


def test_few_closed_of_very_many_frequent_itemsets(con):
    """Five items each that come together or not at all: 2^30 are frequent, and few are closed."""
    con.execute(
        "create table baskets as select t as \"bought by\", 'i' || i as article "
        "from range(400) as a(t), range(30) as b(i) where hash(t, i // 5) % 20 > 0"
    )
    assert same(con, "frequent_itemsets", CLOSED | {"min_support": 150}).num_rows == 2**6
    assert same(con, "frequent_itemsets", MAXIMAL | {"min_support": 150}).num_rows == 1


def test_warnings_are_those_of_one_machine(held):
    arguments = BASKETS | CHANNELS
    with pytest.warns(UserWarning, match="more than a tenth") as alone:
        on_one_machine(held, "publish_itemsets", arguments, "baskets")
    with pytest.warns(UserWarning, match="more than a tenth") as raised:
        scaling.buckets(held, partitions=4).publish_itemsets("baskets", **arguments)
    assert [str(w.message) for w in raised] == [str(w.message) for w in alone]
